r"""The vocabulary of the rule-based model, read from YAML files and compiled once.

`data/activities.yaml`, `data/objects.yaml`, `data/staging.yaml` and `data/leisure.yaml` hold
the general vocabulary, which fits any world. A world may have a `rule_model.yaml` beside its
`world.yaml`; its entries come before the general ones, and apply to the places of that world
only. Each file may hold any of these keys:

    activities:   a list; the first activity whose cues match is meant
      - name: baking
        cues: '\\bbak(?:e|ing)'        a regular expression, searched in a planned activity;
                                      groups `doing` and `thing` may cut those out
        role: meal                    meal, routine (morning, night), duty, exercise or urgent
        things: [bread, cake]         what {thing} is; else the object of the verb
        by_turns: true                people of one home take different hours of the list
        stage: eaten                  of what follows a meal
        after: "rest after {meal}"    what follows a meal within its time
        hours:                        what an hour of it may hold
          - text: bake {thing}        an infinitive; left out: the words of the plan
            when: first               first, last or any hour of a stretch
            ordered: true             the steps are done in their order, once
            steps: {kneading dough: 15, "baking {thing}": 15}   progress form: minutes
    objects:      - {words: regex of an action, objects: [the most liked first], weight: 1}
    rooms:        - {words: regex of an action, area: word in the area's name}
    emoji:        - {words: regex of an action, emoji: "🍞"}
    states:       - {object: regex of its name, words: regex of the action, state: text}
    rewordings:   - {place: regex, words: regex, instead: text}   for actions at such places
    pastimes:     {home: {step: minutes}, elsewhere: {step: minutes}}
    leisure:      - {activity: infinitive, part: day or evening, likes: regex, weight: 2}
    outings:      - {place: regex of its name, activity: "have a drink at {place}", weight: 1}
    homes:        regex of the names of places that people live in

In steps and texts `{doing}` stands for the planned activity in progress form, `{thing}` for
what it is done to, and `{meal}` for the name of the meal.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parent / "data"
GENERAL_FILES = ("activities.yaml", "objects.yaml", "staging.yaml", "leisure.yaml")
WORD_FILE = "words.yaml"
WORLD_FILE, CONTENT_FILE = "world.yaml", "rule_model.yaml"
TEXTS_KEPT = 4_096


class InvalidContent(ValueError):
    """A content file does not have the format at the top of this module."""


@dataclass(frozen=True, slots=True)
class Step:
    """A few minutes of an activity: what follows "is" after a name, and how many minutes."""

    doing: str
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """What an hour of an activity may hold; `text` is "" where the plan's words are kept."""

    text: str
    steps: tuple[Step, ...]
    when: str = "any"
    ordered: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Activity:
    """A kind of activity, with the hours that may make it up."""

    name: str
    cues: re.Pattern[str]
    hours: tuple[Hour, ...]
    role: str = ""
    things: tuple[str, ...] = ()
    by_turns: bool = False
    stage: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of one of the other tables: up to two patterns and what they stand for."""

    words: re.Pattern[str]
    place: re.Pattern[str]
    values: tuple[str, ...]
    weight: int = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    """The tables that apply in a place; compared by identity, so that lookups can be kept."""

    activities: tuple[Activity, ...] = ()
    objects: tuple[Entry, ...] = ()
    rooms: tuple[Entry, ...] = ()
    emoji: tuple[Entry, ...] = ()
    states: tuple[Entry, ...] = ()
    rewordings: tuple[Entry, ...] = ()
    leisure: tuple[Entry, ...] = ()
    outings: tuple[Entry, ...] = ()
    pastimes_home: tuple[Step, ...] = ()
    pastimes_elsewhere: tuple[Step, ...] = ()
    homes: tuple[re.Pattern[str], ...] = ()

    def before(self, other: "Vocabulary") -> "Vocabulary":
        """Return both vocabularies, this one first; urgent activities come before all."""
        both = {
            table.name: getattr(self, table.name) + getattr(other, table.name)
            for table in fields(self)
        }
        both["activities"] = tuple(
            sorted(both["activities"], key=lambda activity: activity.role != "urgent")
        )
        return Vocabulary(**both)

    def activity_for(self, text: str) -> Activity:
        """Return the activity that the words mean; the last one has no cues and fits all.

        The very words of an hour mean that hour's activity.
        """
        return _meaning(self, text)[0]

    def hour_for(self, text: str) -> Hour | None:
        """Return the hour whose very words the text is, None where it is none."""
        return _meaning(self, text)[1]

    def is_home(self, path: str) -> bool:
        """Whether the path names a place that people live in."""
        return any(pattern.search(path) for pattern in self.homes)


@dataclass(frozen=True, eq=False)
class Content:
    """The vocabulary of every world, by the names of its places."""

    general: Vocabulary
    by_place: Mapping[str, Vocabulary] = field(default_factory=dict)

    def at(self, path: str) -> Vocabulary:
        """Return the vocabulary for a place, an area or an object, given by its path."""
        return self.by_place.get(path.partition(": ")[0], self.general)


@lru_cache(maxsize=8)
def load_content(worlds_root: Path) -> Content:
    """Return the general vocabulary with that of each world under the root.

    Files are read once a process.

    :raises InvalidContent: if a file does not have the format.
    """
    general = Vocabulary()
    for name in GENERAL_FILES:
        path = DATA / name
        general = general.before(_vocabulary(path, _mapping(path)))
    by_place: dict[str, Vocabulary] = {}
    for path in sorted(worlds_root.glob(f"*/{CONTENT_FILE}")):
        own = _vocabulary(path, _mapping(path)).before(general)
        for place in _mapping(path.with_name(WORLD_FILE)).get("places", {}):
            by_place.setdefault(place, own)
    return Content(general, by_place)


def words(name: str) -> frozenset[str]:
    """Return the words of a list of `data/words.yaml`."""
    return frozenset(str(_mapping(DATA / WORD_FILE)[name]).split())


@lru_cache(maxsize=TEXTS_KEPT)
def _meaning(vocabulary: Vocabulary, text: str) -> tuple[Activity, Hour | None]:
    for pattern, activity, hour in _hour_patterns(vocabulary):
        if pattern.fullmatch(text):
            return activity, hour
    return next(one for one in vocabulary.activities if one.cues.search(text)), None


@lru_cache(maxsize=64)
def _hour_patterns(
    vocabulary: Vocabulary,
) -> tuple[tuple[re.Pattern[str], Activity, Hour], ...]:
    return tuple(
        (re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(hour.text))), activity, hour)
        for activity in vocabulary.activities
        for hour in activity.hours
        if hour.text
    )


def _mapping(path: Path) -> dict[str, Any]:
    loaded = yaml.load(path.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 (a safe loader)
    if not isinstance(loaded, dict):
        raise InvalidContent(f"{path}: write a mapping of tables")
    return loaded


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TABLES = {
    "objects": ("words", "", "objects"),
    "rooms": ("words", "", "area"),
    "emoji": ("words", "", "emoji"),
    "states": ("words", "object", "state"),
    "rewordings": ("words", "place", "instead"),
    "leisure": ("likes", "part", "activity"),
    "outings": ("", "place", "activity"),
}


def _vocabulary(path: Path, tables: Mapping[str, Any]) -> Vocabulary:
    """Return the tables of a file; keys of other modules' tables are left to them."""
    try:
        pastimes = tables.get("pastimes", {})
        homes = tables.get("homes", "")
        return Vocabulary(
            activities=tuple(_activity(row) for row in tables.get("activities", ())),
            pastimes_home=tuple(_steps(pastimes.get("home", {}))),
            pastimes_elsewhere=tuple(_steps(pastimes.get("elsewhere", {}))),
            homes=(_pattern(homes),) if homes else (),
            **{
                name: tuple(_entry(row, *keys) for row in tables.get(name, ()))
                for name, keys in _TABLES.items()
            },
        )
    except (KeyError, TypeError, AttributeError, re.error) as error:
        raise InvalidContent(f"{path}: {error!r}; the format is in {__name__}") from error


def _activity(row: Mapping[str, Any]) -> Activity:
    known = {"name", "cues", "hours", "things"}
    return Activity(
        name=row["name"],
        cues=_pattern(row.get("cues", "")),
        hours=tuple(_hour(hour) for hour in row["hours"]),
        things=tuple(row.get("things", ())),
        **{key: value for key, value in row.items() if key not in known},
    )


def _hour(row: Mapping[str, Any]) -> Hour:
    when = row.get("when", "any")
    return Hour(
        text=row.get("text", ""),
        steps=tuple(_steps(row["steps"])),
        when=when,
        ordered=row.get("ordered", when != "any"),
    )


def _steps(row: Mapping[str, int]) -> Iterator[Step]:
    return (Step(doing, int(minutes)) for doing, minutes in row.items())


def _entry(row: Mapping[str, Any], words: str, place: str, value: str) -> Entry:
    values = row[value]
    return Entry(
        words=_pattern(row.get(words, "")),
        place=_pattern(row.get(place, "")),
        values=tuple(values) if isinstance(values, list) else (str(values),),
        weight=row.get("weight", 1),
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
