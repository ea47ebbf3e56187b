"""Finds by words the area and the object of an action (stand-in, not a language model)."""

import re
from collections.abc import Sequence
from dataclasses import replace

from apps.planning.chains.area_choice import ActionsToPlace, AreaChoice, AreaChoices
from apps.planning.chains.object_choice import (
    NO_OBJECT,
    ActionsWithAreas,
    ObjectChoice,
    ObjectChoices,
)
from apps.planning.offers import OfferedArea
from apps.rule_model.model import Chance

NAMED = -3  # an object that the words name comes before all that they only ask for
MUCH_WORSE = 2  # so many places further down the liking, one rather walks to another room
# What an action's words ask for: objects in the order of liking.
_OBJECTS = tuple(
    (re.compile(pattern, re.IGNORECASE), tuple(objects.split(", ")))
    for pattern, objects in (
        (r"\btoilet", "toilet"),
        (r"shower\b|bath\b", "shower"),
        (r"teeth|\bface\b|\bhair\b|shav", "sink"),
        (r"bedclothes|making the beds?|in bed\b|lying down|nap\b", "bed"),
        (r"dressed|nightclothes|chang.* clothes|ironing|laundry|folding", "closet"),
        (
            r"espresso|coffee machine|steaming milk|pot of coffee|brewing",
            "coffee machine, stove",
        ),
        (
            r"order(?:ing|ed)? (?:a |another )?(?:drink|coffee|meal)|paying|asking for",
            "counter, bar counter, grocery counter",
        ),
        (
            r"behind the (?:bar )?counter|counting the till|serving|ringing up|tasting the new|"
            r"pouring|cocktail|selling",
            "behind the counter, behind the bar counter, behind the grocery counter",
        ),
        (
            (
                r"greeting (?:a )?customer|orders? at|chatting with|cups on the counter|"
                r"the counter"
            ),
            "behind the counter, behind the bar counter, counter, bar counter",
        ),
        (r"the places for", "dining table, table"),
        (r"together", "dining table, table, sofa, bed"),
        (
            (
                r"oven|bak|cook|frying|breakfast at|stove|dough|warming (?!up)|chopping|"
                r"(?:making|boiling).* tea\b"
            ),
            "stove, oven, toaster, counter",
        ),
        (r"toast", "toaster, stove"),
        (r"refrigerator|\bmilk\b|\bfruit\b|\beggs\b|snack|bottles", "refrigerator"),
        (
            (
                r"washing up|dishes|washing (?:cups|glasses|clothes|the last)|rinsing|"
                r"brushes at|running water"
            ),
            "sink",
        ),
        (r"\bdrinking", "customer seating, benches"),
        (
            (
                r"\beating|over dinner|a seat|waiting for the meal|talking in|at a table|"
                r"to a table|wiping the tables|clearing (?:a table|the tables|away the plates)"
            ),
            (
                "customer seating, dining table, table, tables, sofa, desk, "
                "desk with a computer, benches, bench, chair, counter"
            ),
        ),
        (
            (
                r"listening to the (?:lecture|explanation)|notes in the|exercise|"
                r"copying what|homework|assignments|student"
            ),
            "student seating",
        ),
        (r"lectur|podium|students|seminar|presentation", "podium"),
        (r"blackboard|equation|lemma|proof", "blackboard, desk"),
        (
            r"level|stream|playing a game|game console|viewers|the chat",
            "game console and computer, game console, computer, desk",
        ),
        (
            r"laptop|computer|code|documentation|tests of",
            "computers, desk with a computer, computer, desk, tables, customer seating",
        ),
        (r"easel|canvas|paint|brushes|a new color", "easel, desk"),
        (r"piano|melody|harmony|humming", "piano, guitar, desk"),
        (r"guitar|chords", "guitar, piano"),
        (r"microphone", "microphone"),
        (r"push-ups|weights|exercis", "weights, path"),
        (
            r"shelves|price tags|delivery|restock|groceries|vegetables|stock\b",
            "product shelves, grocery shelves, shelves, behind the counter",
        ),
        (
            r"running|walking along|sprint|warming up|cooling down|strolling|raking",
            "path, garden",
        ),
        (r"duck|pond", "pond, benches"),
        (r"bench|in the sun", "benches, bench, chair, path"),
        (
            r"weeding|pruning|planting|the garden\b|bush|bulbs|soil|seeds in",
            "garden bed, garden",
        ),
        (r"prescription|medic|powder", "behind the pharmacy counter, pharmacy shelves"),
        (r"pharmacy shelves", "pharmacy shelves"),
        (r"bookshel|sources|another book|the books", "bookshelves, bookshelf, shelf, tables"),
        (
            (
                r"chapter|reading (?:on|further)|passage|closed eyes|newspaper|the town\b|"
                r"to the editor|resting|film\b|magazine|leafing back|messages"
            ),
            "sofa, customer seating, bed, desk, benches, bench, chair",
        ),
        (
            (
                r"writing|draft|notes?\b|list\b|letter|sketch|drawing|page|reading|textbook|"
                r"study|stud|quotation|file|form\b|receipt|paper|sentence"
            ),
            (
                "tables, desk, table, dining table, desk with a computer, customer seating, "
                "sofa, bed"
            ),
        ),
        (
            (
                r"music|record|sitting|crossword|telephon|relax|listening|thinking|diary|news|plans"
            ),
            "sofa, customer seating, bed, chair, desk, benches",
        ),
    )
)
_OWNER = re.compile(r"^((?:[A-Z][\w-]+ ?)+)'s\s+")
# Rooms that words ask for before any object does.
_ROOMS = (
    (re.compile(r"teeth|shower|toilet|shav|\bface\b"), "bathroom"),
    (
        re.compile(
            r"cook|breakfast at|refrigerator|stove|dishes|dough|chopping|washing up|"
            r"vegetables at|plates at"
        ),
        "kitchen",
    ),
    (re.compile(r"lectur|class|podium|student|exercise in|assignments"), "classroom"),
    (re.compile(r"sources|bookshelves|quotation"), "library"),
    (
        re.compile(r"weeding|(?:in|the) garden\b|pruning|planting|hanging up the wash"),
        "garden",
    ),
)


def area_choices(given: ActionsToPlace, _: Chance) -> AreaChoices:
    """Return for each action the area that its words ask for, else the one stayed in."""
    choices = []
    stayed_in = given.default
    areas = [area for area in given.areas if area.path == given.place] or given.areas
    mine = [replace(area, objects=_usable(area.objects, given.agent_name)) for area in areas]
    for number, action in enumerate(given.actions, start=1):
        stayed_in = _area(action, mine, _left_free(mine, stayed_in))
        choices.append(AreaChoice(action=number, area=stayed_in))
    return AreaChoices(choices=choices)


def object_choices(given: ActionsWithAreas, _: Chance) -> ObjectChoices:
    """Return for each action the object of its area that its words ask for."""
    offered = {area.path: area.objects for area in given.areas}
    choices = []
    for number, action in enumerate(given.actions, start=1):
        objects = offered.get(action.area, ())
        chosen = _object(action.description, _usable(objects, given.agent_name))
        names = (name for name in objects if chosen in (name, _plain(name)))
        own = sorted(names, key=lambda name: not _is_owned(name, given.agent_name))
        choices.append(ObjectChoice(action=number, object=next(iter(own), NO_OBJECT)))
    return ObjectChoices(choices=choices)


def _usable(objects: Sequence[str], person: str) -> tuple[str, ...]:
    """Return the objects but those of others, the person's own by what they are.

    For Ada Finch "Ada's bed" is "bed", and "Ben's bed" is none of hers.
    """
    return tuple(
        _plain(name) if _is_owned(name, person) else name
        for name in objects
        if _OWNER.match(name) is None or _is_owned(name, person)
    )


def _plain(name: str) -> str:
    """Return the name without the owner."""
    return _OWNER.sub("", name)


def _is_owned(name: str, person: str) -> bool:
    owner = _OWNER.match(name)
    return owner is not None and owner[1] in (person, person.partition(" ")[0])


def _left_free(areas: Sequence[OfferedArea], current: str) -> str:
    """Return the area to stay in; a room that holds few is left when nothing is done there."""
    small = any(area.path == current and area.holds is not None for area in areas)
    roomy = [area for area in areas if area.holds is None]
    with_bed = [area for area in roomy if "bed" in area.objects]
    return (with_bed or roomy)[0].path if small and roomy else current


def _area(action: str, areas: Sequence[OfferedArea], current: str) -> str:
    """Prefer to stay in the current area if the activity can be done there (5.1).

    What can be done there much worse than elsewhere does not count: dinner at the desk.
    """
    named = [area.path for area in areas if f"in the {area.name}" in action]
    room = next((name for pattern, name in _ROOMS if pattern.search(action)), None)
    fitting = named or [area.path for area in areas if room and room in area.name]
    if not fitting:
        found = ((area.path, _liking(action, area.objects)) for area in areas)
        ranks = {path: rank for path, rank in found if rank is not None}
        useful = sorted(ranks, key=lambda path: ranks[path])
        good_enough = [path for path in useful if ranks[path] <= ranks[useful[0]] + MUCH_WORSE]
        fitting = good_enough or [current]
    return current if current in fitting else fitting[0]


def _object(action: str, objects: Sequence[str]) -> str | None:
    """Return the object that the action names or its words ask for."""
    named = _named(action, objects)
    if named is not None:
        return named
    found = _asked_for(action, objects)
    return None if found is None else found[0]


def _liking(action: str, objects: Sequence[str]) -> int | None:
    """Return how far down the liked objects stands the one there is, None without one."""
    if _named(action, objects) is not None:
        return NAMED
    found = _asked_for(action, objects)
    return None if found is None else found[1]


def _named(action: str, objects: Sequence[str]) -> str | None:
    """Return the object whose name stands in the action, the longest name first."""
    longest_first = sorted(objects, key=len, reverse=True)
    named = (name for name in longest_first if re.search(rf"\b{re.escape(name)}\b", action))
    return next(named, None)


def _asked_for(action: str, objects: Sequence[str]) -> tuple[str, int] | None:
    for pattern, liked in _OBJECTS:
        found = next((rank for rank, name in enumerate(liked) if name in objects), None)
        if found is not None and pattern.search(action):
            return liked[found], found
    return None
