"""Paints what lies between the places: lawns, streets, paths to the doors, trees."""

from worlds.drawing.canvas import chance
from worlds.drawing.ground_looks import GRASS_KINDS
from worlds.drawing.plan import INTO, Box, Plan, Spot
from worlds.drawing.sheet import Sheet
from worlds.drawing.town import Four, Town

_PLAIN_GRASS_OF_TEN = 7
_FRONT_PATH_TILES_MAX = 16
_GROWING = (("tree", 2), ("pine", 1), ("bush", 1), ("tree", 2), ("tree", 1))


def sow_grass(sheet: Sheet) -> None:
    """Cover all of the map with grass, mostly plain."""
    for y in range(sheet.height):
        for x in range(sheet.width):
            draw = chance("grass", x, y)
            plain = draw % 10 < _PLAIN_GRASS_OF_TEN
            kind = draw // 10 % (3 if plain else GRASS_KINDS)
            sheet.ground[y, x] = sheet.atlas.number(f"grass {kind}")


def lay_streets(sheet: Sheet, town: Town) -> None:
    """Pave streets: pavements first, so that where streets cross the lanes win."""
    for street in town.streets:
        for spot in _spots(street):
            sheet.pave(spot, "pavement")
    for street in town.streets:
        for spot in _spots(_lanes(street)):
            sheet.pave(spot, "road")
    for x, y, width, height in town.streets:
        _line(sheet, Box(x, y, width, height))
    _mark_crossings(sheet, town)
    for path in town.paths:
        for spot in _spots(path):
            sheet.pave(spot, "path")


def lay_front_paths(sheet: Sheet, plans: list[Plan]) -> None:
    """Lay a path from every door that opens outdoors straight to what is paved."""
    inside = {_on_map(plan, spot) for plan in plans for spot in plan.signs}
    for plan in plans:
        for spot, sign in plan.signs.items():
            if sign in INTO:
                across, down = INTO[sign]
                _lay_away(sheet, _on_map(plan, spot), (-across, -down), inside)


def plant_trees(sheet: Sheet, town: Town) -> None:
    """Plant trees and bushes where the lawn is free, never two beside one another.

    A ring of free tiles stays around each, so that no tree ever closes a way.
    """
    if not town.tree_every:
        return
    for y in range(sheet.height):
        for x in range(sheet.width):
            draw = chance("tree", x, y)
            if draw % town.tree_every:
                continue
            look, size = _GROWING[draw // town.tree_every % len(_GROWING)]
            if _is_clear(sheet, Box(x - 1, y - 1, size + 2, size + 2)):
                sheet.furnish(Box(x, y, size, size), look)


def _lay_away(sheet: Sheet, door: Spot, step: Spot, inside: set[Spot]) -> None:
    spots: list[Spot] = []
    x, y = door[0] + step[0], door[1] + step[1]
    while (x, y) not in inside and len(spots) < _FRONT_PATH_TILES_MAX:
        if not (0 <= x < sheet.width and 0 <= y < sheet.height):
            return
        if sheet.kept_free[y, x]:
            break
        spots.append((x, y))
        x, y = x + step[0], y + step[1]
    if (x, y) in inside:
        return
    for spot in spots:
        sheet.pave(spot, "path")


def _is_clear(sheet: Sheet, box: Box) -> bool:
    if box.x < 0 or box.y < 0:
        return False
    if box.x + box.width > sheet.width or box.y + box.height > sheet.height:
        return False
    around = sheet.kept_free[box.y : box.y + box.height, box.x : box.x + box.width]
    return not around.any()


def _mark_crossings(sheet: Sheet, town: Town) -> None:
    """Paint stripes where the pavement of a street goes on over the lanes of another."""
    for street in town.streets:
        across = street[2] >= street[3]
        lanes = set(_spots(_lanes(street)))
        for other in town.streets:
            if (other[2] >= other[3]) == across:
                continue
            kerbs = set(_spots(other)) - set(_spots(_lanes(other)))
            for spot in sorted(lanes & kerbs):
                sheet.pave(spot, f"crossing {'across' if across else 'down'}")


def _lanes(street: Four) -> Four:
    x, y, width, height = street
    if width >= height:
        return x, y + 1, width, height - 2
    return x + 1, y, width - 2, height


def _line(sheet: Sheet, street: Box) -> None:
    """Draw the line between the lanes, except where another street crosses."""
    across = street.width >= street.height
    look = f"road lined {'across' if across else 'down'}"
    road = sheet.atlas.number("road")
    for x, y in _spots((street.x, street.y, street.width, street.height)):
        is_middle = y == street.y + 2 if across else x == street.x + 2
        beside = ((x, y - 2), (x, y + 1)) if across else ((x - 2, y), (x + 1, y))
        at_kerb = all(sheet.ground[v, u] != road for u, v in beside)
        if is_middle and at_kerb:
            sheet.pave((x, y), look)


def _spots(strip: Four) -> list[Spot]:
    x, y, width, height = strip
    return [(x + a, y + d) for d in range(height) for a in range(width)]


def _on_map(plan: Plan, spot: Spot) -> Spot:
    return plan.at[0] + spot[0], plan.at[1] + spot[1]
