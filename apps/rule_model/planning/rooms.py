"""The area and the object of an action, and how both look (W2, W4, W7)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from apps.planning.inputs import HourActionsInput, HourlyPlanInput, RevisedHoursInput
from apps.planning.surroundings import AreaOption, PlaceOption
from apps.rule_model.content import Content, Entry, Step, Vocabulary, patterns
from apps.rule_model.language.subjects import first_name, long_stems_of

NAMED = -3  # an object that the words name comes before all that they only ask for
IN_COMMON = 20  # an object that only shares a word with the action: "counting sacks", sack
# So many ranks further down the liking, another room is better.
MUCH_WORSE = 2
ACTIONS_KEPT = 4_096
_PATTERNS = patterns("looks")
PLAIN_EMOJI = "🙂"
REPAIR_EMOJI = "🔧"
RESCUE_EMOJI = "🧯"
PLAIN_STATE = "in use"
STATE_WORDS_MAX = 6
# The objects of areas by their paths, and names of objects with ranks, the best first.
Usable = Mapping[str, Sequence[str]]
Ranked = list[tuple[int, str]]

_PLACE_PATTERNS = patterns("places")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The places that an agent knows, its home and its workplace, as paths in words."""

    agent_name: str
    places: Sequence[PlaceOption]
    home: str
    workplace: str
    content: Content

    def offered(self, path: str) -> PlaceOption | None:
        """Return the offered place of the path, None where it is not offered."""
        return next((place for place in self.places if place.path == path), None)

    def is_keeper(self, place: PlaceOption) -> bool:
        """Whether the agent keeps the place."""
        return self.agent_name in place.keepers

    def lets_in(self, path: str, start: int, end: int) -> bool:
        """Whether the place is offered and open to the agent from minute to minute."""
        at = self.offered(path)
        return at is not None and at.lets_in(self.agent_name, from_minute=start, to_minute=end)

    @property
    def kept(self) -> PlaceOption | None:
        """The place with opening hours that the agent works at and keeps."""
        at_work = {self.workplace.partition(": ")[0], self.workplace}
        kept = (one for one in self.places if one.path in at_work and self.is_keeper(one))
        return next((one for one in kept if one.opens is not None), None)

    def named(self, text: str) -> str:
        """Return the path of the place that the text names, "" for none.

        A full name counts more than an area's name, that more than "the inn" or a word in
        common ("the goats", goat pen); of two full names the longer; an own room is the home.
        """
        lower = text.lower()
        numbered = enumerate(self.places)
        scores = [(self._score(lower, place), len(place.root), -at) for at, place in numbered]
        best, _, at = max(scores, default=(0, 0, 0))
        if best < 3 and _PLACE_PATTERNS["home"].search(text):
            return self.home
        if best:
            return self.places[-at].path
        return self._in_common(text)

    def meant(self, phrase: str, activity: str) -> str:
        """Return the place of an activity: named, usual for its kind, workplace or home."""
        if named := self.named(phrase):
            return named
        home = self.offered(self.home)
        if home is not None and any(f"the {area}" in phrase for area in home.areas):
            return self.home
        if _PLACE_PATTERNS["furniture"].search(phrase):
            return self.workplace_offered or self.home
        vocabulary = self.content.at(self.home)
        kind = vocabulary.activity_for(activity)
        rows = [
            row for row in vocabulary.outings if vocabulary.activity_for(row.values[0]) is kind
        ]
        public = [place for place in self.places if not place.residents]
        usual = (at.path for row in rows for at in public if row.place.search(at.name))
        return next(usual, "") or self.workplace_offered or self.home

    @property
    def workplace_offered(self) -> str:
        """The workplace, or the place around it if its room is not offered, "" without one."""
        around = self.workplace.partition(": ")[0]
        return self.workplace if self.offered(self.workplace) else around

    def narrowed(self, path: str, activity: str) -> str:
        """Return the area of the place that suits the activity, else the place."""
        areas = [place.path for place in self.places if place.path.startswith(f"{path}: ")]
        wanted = self.content.at(path).areas_for(activity)
        return next((area for word in wanted for area in areas if word in area), path)

    def in_words(self, path: str) -> str:
        """Return the place as it stands in a sentence: "the choir of The Church"."""
        place, _, area = path.partition(": ")
        return f"the {area} of {place}" if area else place

    def _score(self, text: str, place: PlaceOption) -> int:
        root, name = place.root.lower(), place.name.lower()
        if place.path != place.root:
            whole = re.search(rf"\b(?:the|its|in) {re.escape(name)}\b", text)
            return (5 if root in text else 2) if whole else 0
        if root in text:
            return 4
        kind = re.escape(root.rpartition(" ")[2])
        is_home = _PLACE_PATTERNS["home"].search(f"his {kind}")
        return int(not is_home and re.search(rf"\bthe {kind}\b", text) is not None)

    def _in_common(self, text: str) -> str:
        """Return the area or place whose name shares a word with the text, "" for none."""
        stems = long_stems_of(text)
        for place in sorted(self.places, key=lambda place: place.path == place.root):
            # "The Priory Church" is a church: of a place only the noun itself is a hint.
            head = place.name.rpartition(" ")[2] if place.path == place.root else place.name
            name = head if not place.residents else ""
            if stems & long_stems_of(name):
                return place.path
        return ""


def surroundings_of(
    inputs: HourlyPlanInput | RevisedHoursInput, content: Content
) -> Surroundings:
    """Return the places of a task that knows no home: it is where the agent is a resident."""
    homes = (place.path for place in inputs.places if inputs.agent_name in place.residents)
    return Surroundings(
        agent_name=inputs.agent_name,
        places=inputs.places,
        home=next(homes, inputs.slots[-1].place if inputs.slots else ""),
        workplace="",
        content=content,
    )


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
    if _PATTERNS["rescue"].search(action):
        return RESCUE_EMOJI
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
