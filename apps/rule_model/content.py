"""The vocabulary of the rule-based model, read from YAML files and compiled once.

The `rule_model.yaml` of a world comes before the general vocabulary; `FORMAT` has its keys.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial, reduce
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from apps.kernel.errors import DomainError
from apps.kernel.strict_yaml import load_yaml_file

Words = Annotated[re.Pattern[str], BeforeValidator(partial(re.compile, flags=re.IGNORECASE))]
ANYTHING = re.compile("")
_AIM = re.compile(r" to (?!the |an? |his |her |their )[a-z]+ .*$")

DATA = Path(__file__).parent / "data"
GENERAL_FILES = ("activities.yaml", "objects.yaml", "looks.yaml", "leisure.yaml")
WORLD_FILE, CONTENT_FILE = "world.yaml", "rule_model.yaml"
FORMAT = "docs/how_to/bring_your_own_world.md"
TEXTS_KEPT = 4_096


class InvalidContent(DomainError):
    """A content file does not have the documented format."""


@dataclass(frozen=True, slots=True)
class Step:
    """A few minutes of an activity: what follows "is" after a name, and how many minutes."""

    doing: str
    minutes: int


def _steps(row: Mapping[str, int]) -> tuple[Step, ...]:
    return tuple(Step(doing, int(minutes)) for doing, minutes in row.items())


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Steps = Annotated[tuple[Step, ...], BeforeValidator(_steps)]


class _Row(BaseModel):
    """A row of a table, compared by identity; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Hour(_Row):
    """What an hour of an activity may hold; `text` is "" where the plan's words are kept."""

    text: str = ""
    steps: Steps
    when: Literal["first", "last", "any"] = "any"
    ordered: bool = Field(default_factory=lambda data: data["when"] != "any")


class Activity(_Row):
    """A kind of activity, with the hours that may make it up."""

    name: str
    cues: Words
    hours: tuple[Hour, ...] = Field(min_length=1)
    role: Literal["", "meal", "routine", "duty", "exercise", "urgent"] = ""
    things: tuple[str, ...] = ()
    by_turns: bool = False
    stage: Literal["", "ready", "eaten"] = ""
    days: Words = ANYTHING
    after: str = ""

    def hours_at(self, when: str) -> list[Hour]:
        """Return the hours for "first", "last" or "any" of a stretch, else what there is."""
        fitting = [hour for hour in self.hours if hour.when == when]
        return fitting or [hour for hour in self.hours if hour.when == "any"] or [*self.hours]

    def groups_in(self, text: str) -> dict[str, str | None]:
        """Return the named groups that one of its hours, else its cues, match in the text."""
        hours = (_hour_pattern(hour.text).fullmatch(text) for hour in self.hours if hour.text)
        match = next(filter(None, hours), None) or self.cues.search(text)
        return match.groupdict() if match else {}


class Entry(_Row):
    """A row of one of the other tables: up to two patterns and what they stand for."""

    words: Words = Field(ANYTHING, validation_alias=AliasChoices("words", "likes"))
    place: Words = Field(ANYTHING, validation_alias=AliasChoices("place", "object", "part"))
    values: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        validation_alias=AliasChoices(
            "objects", "area", "emoji", "state", "instead", "activity"
        )
    )
    weight: int = 1
    days: Words = ANYTHING
    outdoors: bool = False


class Pastimes(_Row):
    """Steps that pass the time at home and elsewhere."""

    home: Steps = ()
    elsewhere: Steps = ()


class Vocabulary(_Row):
    """The tables that apply in a place."""

    activities: tuple[Activity, ...] = ()
    objects: tuple[Entry, ...] = ()
    rooms: tuple[Entry, ...] = ()
    emoji: tuple[Entry, ...] = ()
    states: tuple[Entry, ...] = ()
    rewordings: tuple[Entry, ...] = ()
    leisure: tuple[Entry, ...] = ()
    outings: tuple[Entry, ...] = ()
    needs: tuple[Entry, ...] = ()
    pastimes: Annotated[tuple[Pastimes, ...], BeforeValidator(_listed)] = ()
    homes: Annotated[tuple[Words, ...], BeforeValidator(_listed)] = ()

    def before(self, other: "Vocabulary") -> "Vocabulary":
        """Return both vocabularies, this one first; urgent activities come before all."""
        both = {it: getattr(self, it) + getattr(other, it) for it in Vocabulary.model_fields}
        activities = sorted(both["activities"], key=lambda one: one.role != "urgent")
        both["activities"] = tuple(activities)
        return Vocabulary.model_construct(**both)

    def activity_for(self, text: str) -> Activity:
        """Return the activity that the words mean; the last one has no cues and fits all."""
        return meaning_of(text, self)[0]

    def areas_for(self, text: str) -> list[str]:
        """Return the words for areas that the text asks for, most liked first."""
        return [word for row in self.rooms if row.words.search(text) for word in row.values]

    def pastimes_at(self, path: str) -> tuple[Step, ...]:
        """Return what passes the time at the place, which may be one that people live in."""
        is_home = any(pattern.search(path) for pattern in self.homes)
        tables = (one.home if is_home else one.elsewhere for one in self.pastimes)
        return tuple(chain.from_iterable(tables))


@dataclass(frozen=True, eq=False)
class Content:
    """The vocabulary of every world, by the names of its places."""

    general: Vocabulary
    folders: Mapping[str, Path] = field(default_factory=dict)

    def at(self, path: str) -> Vocabulary:
        """Return the vocabulary for a place, an area or an object, given by its path.

        :raises InvalidContent: if the file of its world does not have the format.
        """
        folder = self.folders.get(path.partition(": ")[0])
        return self.general if folder is None else _own_vocabulary(folder)


@lru_cache(maxsize=8)
def load_content(world_folders: tuple[Path, ...]) -> Content:
    """Return the general vocabulary with that of each of the worlds, for its places alone.

    Of two worlds with a place of one name the first counts. A broken file concerns its world.
    """
    folders: dict[str, Path] = {}
    for folder in (one for one in world_folders if (one / CONTENT_FILE).is_file()):
        with suppress(OSError, yaml.YAMLError, AttributeError):  # a broken world has no life
            world: Any = load_yaml_file(folder / WORLD_FILE)
            folders = dict.fromkeys(world.get("places") or (), folder) | folders
    return Content(_general_vocabulary(), folders)


@cache
def _general_vocabulary() -> Vocabulary:
    tables = (_vocabulary(DATA / name) for name in GENERAL_FILES)
    return reduce(Vocabulary.before, tables, Vocabulary())


@lru_cache(maxsize=64)
def _own_vocabulary(folder: Path) -> Vocabulary:
    return _vocabulary(folder / CONTENT_FILE).before(_general_vocabulary())


@lru_cache(maxsize=TEXTS_KEPT)
def meaning_of(text: str, vocabulary: Vocabulary) -> tuple[Activity, Hour | None]:
    """Return the activity that the words mean, and the hour whose very words they are.

    The purpose ("to rest her eyes") counts only where nothing else is said.
    """
    for activity in vocabulary.activities:
        for hour in activity.hours:
            if hour.text and _hour_pattern(hour.text).fullmatch(text):
                return activity, hour
    texts = (_AIM.sub("", text), text)
    meant = (next(one for one in vocabulary.activities if one.cues.search(it)) for it in texts)
    return next((one for one in meant if one.cues.pattern), vocabulary.activities[-1]), None


@lru_cache(maxsize=TEXTS_KEPT)
def _hour_pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(text)))


def _vocabulary(path: Path) -> Vocabulary:
    try:
        return Vocabulary.model_validate(load_yaml_file(path))
    except (ValueError, re.error, AttributeError, TypeError, OSError, yaml.YAMLError) as error:
        named = f"{path.parent.name}/{path.name}"  # not where the service keeps its worlds
        raise InvalidContent(f"{named}: {error}; {FORMAT} describes the format") from error


@cache
def vocabulary(name: str) -> dict[str, Any]:
    """Return the content of data/<name>.yaml, read once."""
    loaded = load_yaml_file(DATA / f"{name}.yaml")
    assert isinstance(loaded, dict), f"{name}.yaml must be a mapping"
    return loaded


def english(key: str) -> frozenset[str]:
    """Return a list of words of the general English vocabulary."""
    return frozenset(vocabulary("phrases_english")[key].split())


def either(words: frozenset[str]) -> str:
    """Return a pattern that matches one of the words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of a section of data/patterns.yaml, compiled."""
    texts: dict[str, str] = {}
    for name, pieces in vocabulary("patterns")[section].items():
        text = pieces if isinstance(pieces, str) else "".join(pieces)
        texts[name] = re.sub(r"\{([a-z_]+)\}", lambda match: texts[match[1]], text)
    return {name: re.compile(text) for name, text in texts.items()}
