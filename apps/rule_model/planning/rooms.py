"""The area and the object of an action, and how both look (W2, W4, W7)."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from apps.planning.inputs import HourActionsInput
from apps.planning.surroundings import AreaOption
from apps.rule_model.content import Content, Entry, Step, Vocabulary
from apps.rule_model.language.subjects import first_name, long_stems_of
from apps.rule_model.language.words import patterns

NAMED = -3  # an object that the words name comes before all that they only ask for
IN_COMMON = 20  # an object that only shares a word with the action: "counting sacks", sack
# So many ranks further down the liking, another room is better.
MUCH_WORSE = 2
ACTIONS_KEPT = 4_096
_PATTERNS = patterns("looks")
PLAIN_EMOJI = "🙂"
REPAIR_EMOJI = "🔧"
PLAIN_STATE = "in use"
STATE_WORDS_MAX = 6
# The objects of areas by their paths, and names of objects with ranks, the best first.
Usable = Mapping[str, Sequence[str]]
Ranked = list[tuple[int, str]]


def areas_of(
    inputs: HourActionsInput, actions: Sequence[str], content: Content
) -> list[AreaOption]:
    """Return for each action the area that its words ask for, else the one before."""
    vocabulary = content.at(inputs.place)
    areas = _offered(inputs)
    # The default is a room of the agent's own where it has one.
    current = inputs.default_area
    if vocabulary.activity_for(inputs.activity).role != "meal":
        # Actions at an object that the plan names take place in its room.
        areas = [one for one in areas if _planned(inputs, one.objects)] or areas
    usable = {area.path: _usable(area.objects, inputs.agent_name) for area in areas}
    chosen = []
    for action in actions:
        current = _area(action, areas, _free(areas, current, inputs), usable, vocabulary)
        chosen.append(next(area for area in inputs.areas if area.path == current))
    return chosen


def possible_steps(
    steps: Sequence[Step], inputs: HourActionsInput, vocabulary: Vocabulary
) -> list[Step]:
    """Return the steps that need no object, or one that is there."""
    there = [f" {_plain(name)}" for area in _offered(inputs) for name in area.objects]
    return [
        step
        for step in steps
        if all(
            any(name.endswith(f" {needed}") for name in there for needed in row.values)
            for row in vocabulary.needs
            if row.words.search(step.doing)
        )
    ]


def _planned(inputs: HourActionsInput, objects: Sequence[str]) -> list[str]:
    """Return the objects that the plan of the hour names: "at the loom", not "go to bed"."""
    return named_in(inputs.activity, objects, r"(?:the|an?|his|her|their) ")


def _offered(inputs: HourActionsInput) -> list[AreaOption]:
    """Return the area of the hour, else all areas of its place."""
    return [area for area in inputs.areas if area.path == inputs.place] or list(inputs.areas)


def objects_of(
    inputs: HourActionsInput,
    actions: Sequence[str],
    areas: Sequence[AreaOption],
    content: Content,
) -> list[str]:
    """Return for each action the object of its area that its words ask for, "" for none.

    An action with a word of the plan is done at the object that the plan names.
    """
    stems = long_stems_of(inputs.activity)
    pairs = list(zip(actions, areas, strict=True))
    # What one action of the hour names serves for the others too.
    used = {name for action, area in pairs for name in named_in(action, area.objects)}
    chosen = []
    for action, area in pairs:
        usable = _usable(area.objects, inputs.agent_name)
        planned = _planned(inputs, usable) if stems & long_stems_of(action) else []
        found = _wanted(action, planned or usable, content.at(area.path))
        found = found or [(NAMED, name) for name in planned]
        best = [name for rank, name in found if rank == found[0][0]]
        chosen.append(next((name for name in best if name in used), next(iter(best), "")))
    return chosen


def _usable(objects: Sequence[str], agent_name: str) -> tuple[str, ...]:
    """Return the objects without those that belong to others, the agent's own first."""
    mine = [name for name in objects if _owner(name) in ("", *_calls(agent_name))]
    return tuple(sorted(mine, key=lambda name: not _owner(name)))


def _owner(name: str) -> str:
    match = _PATTERNS["owner"].match(name)
    return match[1] if match else ""


def _calls(agent_name: str) -> tuple[str, str]:
    return (agent_name, first_name(agent_name))


def _plain(name: str) -> str:
    """Return the name without its owner: "Ada's bed" is a bed."""
    return _PATTERNS["owner"].sub("", name)


def _free(areas: Sequence[AreaOption], current: str, inputs: HourActionsInput) -> str:
    """Return the area to stay in; a room that holds few is left when nothing is done there."""
    small = any(area.path == current and area.holds is not None for area in areas)
    roomy = [area for area in areas if area.holds is None]
    calls = _calls(inputs.agent_name)
    own = [area for area in roomy if any(_owner(name) in calls for name in area.objects)]
    with_bed = [area for area in roomy if "bed" in area.objects]
    return (own or with_bed or roomy)[0].path if small and roomy else current


def _area(
    action: str,
    areas: Sequence[AreaOption],
    current: str,
    usable: Usable,
    vocabulary: Vocabulary,
) -> str:
    """Prefer the current area if the action can be done there (paper 5.1).

    What can be done there much worse than elsewhere does not count: dinner at a desk.
    """
    named = [area.path for area in areas if f"the {area.name}" in action]
    words = vocabulary.areas_for(action)
    meant = ([area.path for area in areas if word in area.name] for word in words)
    fitting = named or (_with_own(action, usable, vocabulary) if words else [])
    fitting = fitting or next(filter(None, meant), [])
    if not fitting:
        found = ((path, _wanted(action, names, vocabulary)) for path, names in usable.items())
        ranks = {path: wanted[0][0] for path, wanted in found if wanted}
        best = min(ranks.values(), default=0)
        worst = best + (MUCH_WORSE if best >= 0 else 0)
        fitting = [at for at in sorted(ranks, key=ranks.__getitem__) if ranks[at] <= worst]
    return current if current in fitting or not fitting else fitting[0]


def _with_own(action: str, usable: Usable, vocabulary: Vocabulary) -> list[str]:
    """Return the areas where the best object is the agent's own: its bed to sleep in."""
    asked = _asked_for(action, [*chain.from_iterable(usable.values())], vocabulary)
    best = min((rank for rank, _ in asked), default=0)
    own = {name for rank, name in asked if rank == best and _owner(name)}
    return [path for path, names in usable.items() if own & set(names)]


def _wanted(action: str, objects: Sequence[str], vocabulary: Vocabulary) -> Ranked:
    """Return the objects that the action names or its words ask for, with ranks, best first."""
    if named := named_in(action, objects):
        return [(NAMED, name) for name in named]
    asked = _asked_for(action, objects, vocabulary)
    if asked:
        return asked
    stems = long_stems_of(action)
    return [(IN_COMMON, name) for name in objects if stems & long_stems_of(_plain(name))]


def named_in(text: str, objects: Sequence[str], lead: str = "") -> list[str]:
    """Return the objects that the text names, the longest names, with or without an owner.

    `lead` is a pattern of what stands before a name of one word without an owner: an article.
    """
    whole = [name for name in objects if _owner(name) and name in text]
    named = whole or [name for name in objects if _is_named(_plain(name), text, lead)]
    longest = max((len(_plain(name)) for name in named), default=0)
    return [name for name in named if len(_plain(name)) == longest]


def _is_named(plain: str, text: str, lead: str) -> bool:
    before = "" if " " in plain else lead
    # Nearly all names are not in the text: no pattern is compiled for them.
    return plain in text and bool(re.search(rf"\b{before}{re.escape(plain)}\b", text))


def _asked_for(action: str, objects: Sequence[str], vocabulary: Vocabulary) -> Ranked:
    """Return the objects of the first row of the table that fits and has one of them."""
    called = [(name, f" {_plain(name)}") for name in objects]
    for entry in _rows(vocabulary, action) if called else ():
        found = [
            (rank * entry.weight, name)
            for rank, liked in enumerate(entry.values)
            for name, plain in called
            if plain.endswith(f" {liked}")
        ]
        if found:
            return found
    return []


@lru_cache(maxsize=ACTIONS_KEPT)
def _rows(vocabulary: Vocabulary, action: str) -> tuple[Entry, ...]:
    return tuple(entry for entry in vocabulary.objects if entry.words.search(action))


def emoji_of(action: str, used: str, vocabulary: Vocabulary) -> str:
    """Return the emoji of an action with the object of the name, "" for none."""
    if _is_repaired(action, used):
        return REPAIR_EMOJI
    rows = (row for row in vocabulary.emoji if row.words.search(action))
    return next((row.values[0] for row in rows), PLAIN_EMOJI)


def state_of(action: str, used: str, vocabulary: Vocabulary) -> str:
    """Return the state of the object of the name during the action, "" without one."""
    if not used:
        return ""
    if _is_repaired(action, used):
        return "being mended"
    for row in vocabulary.states:
        if row.place.search(used) and row.words.search(action):
            return row.values[0]
    act = _PATTERNS["end_of_act"].sub("", action)
    if len(act.split()) > STATE_WORDS_MAX or (act == action and "," in act):
        return PLAIN_STATE
    return f"in use by somebody {act}"


def _is_repaired(action: str, used: str) -> bool:
    """Whether the object itself is repaired, and not something at it."""
    match = _PATTERNS["repair"].match(action)
    return bool(used) and match is not None and match["thing"].endswith(used)
