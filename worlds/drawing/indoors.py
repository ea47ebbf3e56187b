"""Paints a place from its plan: floors, walls, doors, things, and what they are called."""

from collections import defaultdict

from worlds.drawing.looks import LOOKS
from worlds.drawing.plan import BESIDE, HEDGE, INTO, WALLS, Box, Plan, Spot, Thing, boxes_of
from worlds.drawing.sheet import Sheet


def draw_place(sheet: Sheet, plan: Plan) -> None:
    """Paint the place and name its areas, objects and doors."""
    _lay_floors(sheet, plan)
    _build_walls(sheet, plan)
    _furnish(sheet, plan)
    _name_areas(sheet, plan)


def _lay_floors(sheet: Sheet, plan: Plan) -> None:
    for spot, room in plan.room_of.items():
        place = _on_map(plan, spot)
        if room.floor:
            sheet.pave(place, room.floor)
        else:
            sheet.kept_free[place[1], place[0]] = True


def _build_walls(sheet: Sheet, plan: Plan) -> None:
    for spot, sign in plan.signs.items():
        if sign == HEDGE:
            sheet.build(_on_map(plan, spot), "hedge")
        elif sign in INTO:
            in_hedge = any(_sign(plan, spot, step) == HEDGE for step in BESIDE)
            sheet.build(_on_map(plan, spot), "gate" if in_hedge else "door")
        elif sign in WALLS:
            sheet.build(_on_map(plan, spot), _wall_look(plan, spot, sign))


def _wall_look(plan: Plan, spot: Spot, sign: str) -> str:
    """Return a wall's face where one looks at it from the south, else its top."""
    is_face = _sign(plan, spot, (0, 1)) not in {*WALLS, "^", "v"}
    if sign == "W":
        return f"{plan.walls} {'window' if is_face else 'side window'}"
    return f"{plan.walls} {'face' if is_face else 'top'}"


def _furnish(sheet: Sheet, plan: Plan) -> None:
    footprints: dict[str, set[Spot]] = defaultdict(set)
    for spots, thing in _things(plan):
        for box in _pieces(spots, thing, plan):
            sheet.furnish(_box_on_map(plan, box), thing.look)
        if thing.object:
            area = plan.room_of[min(spots)].area
            footprints[f"{plan.place}: {area}: {thing.object}"] |= spots
    for path, spots in footprints.items():
        for box in boxes_of(spots):
            sheet.objects.append((path, _box_on_map(plan, box)))


def _things(plan: Plan) -> list[tuple[set[Spot], Thing]]:
    """Return the spots that hang together and have the same sign, with what it stands for."""
    left = {spot: sign for spot, sign in plan.signs.items() if sign in plan.things}
    found = []
    while left:
        start, sign = next(iter(left.items()))
        spots, border = {start}, [start]
        while border:
            x, y = border.pop()
            for across, down in BESIDE:
                spot = (x + across, y + down)
                if left.get(spot) == sign and spot not in spots:
                    spots.add(spot)
                    border.append(spot)
        for spot in spots:
            del left[spot]
        found.append((spots, plan.things[sign]))
    return found


def _pieces(spots: set[Spot], thing: Thing, plan: Plan) -> list[Box]:
    """Return what is drawn as one: the whole thing, which must be a rectangle, or its tiles."""
    boxes = boxes_of(spots)
    if len(boxes) > 1 and not LOOKS[thing.look].single:
        raise ValueError(f"{plan.place}: {thing.look} at {min(spots)} is no rectangle")
    return boxes


def _name_areas(sheet: Sheet, plan: Plan) -> None:
    areas: dict[str, set[Spot]] = defaultdict(set)
    for spot, room in plan.room_of.items():
        path = f"{plan.place}: {room.area}"
        if plan.signs[spot] in INTO:
            sheet.doors.append((path, _box_on_map(plan, Box(*spot, 1, 1))))
        else:
            areas[path].add(spot)
    for path, spots in areas.items():
        for box in boxes_of(spots):
            sheet.areas.append((path, _box_on_map(plan, box)))


def _sign(plan: Plan, spot: Spot, step: Spot) -> str:
    return plan.signs.get((spot[0] + step[0], spot[1] + step[1]), " ")


def _on_map(plan: Plan, spot: Spot) -> Spot:
    return plan.at[0] + spot[0], plan.at[1] + spot[1]


def _box_on_map(plan: Plan, box: Box) -> Box:
    return Box(plan.at[0] + box.x, plan.at[1] + box.y, box.width, box.height)
