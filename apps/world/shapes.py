"""The form of world.yaml and people.yaml; the loaders check their meaning."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
)
from pydantic_core import ErrorDetails

from apps.kernel.game_time import MINUTES_PER_DAY
from apps.kernel.language import ENGLISH, languages
from apps.world.problems import Findings
from apps.world.world import (
    AGE_MAX,
    DESCRIPTION_CHARACTERS_MAX,
    TRAIT_CHARACTERS_MAX,
    TRAITS_MAX,
)

_CLOCK = re.compile(r"(\d{2}):(\d{2})")
_SPAN = re.compile(r"(\d{2}:\d{2})-(\d{2}:\d{2})")


def minute_of(text: object) -> int:
    """Return the minute after midnight of "08:00"; "24:00" is 1,440.

    :raises ValueError: if it is no time of day.
    """
    found = _CLOCK.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{text!r} is no time of day")
    hour, minute = int(found[1]), int(found[2])
    if minute > 59 or hour * 60 + minute > MINUTES_PER_DAY:
        raise ValueError(f"{text!r} is no time of day")
    return hour * 60 + minute


def span_of(text: object) -> tuple[int, int]:
    """Return (opens, closes) of "08:00-20:00"; a closing time after midnight is past 1,440.

    :raises ValueError: if it is no span of time, or an empty one.
    """
    found = _SPAN.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{text!r} is no span of time")
    opens, closes = minute_of(found[1]), minute_of(found[2])
    if opens in (closes, MINUTES_PER_DAY):
        raise ValueError(f"{text!r} is no span of time")
    return opens, after(opens, closes)


def after(first: int, second: int) -> int:
    """Return the second minute of the day, moved past midnight if it precedes the first."""
    return second if second > first else second + MINUTES_PER_DAY


YEAR_MIN, YEAR_MAX = 1000, 8000
_SPAN_HINT = 'write opening and closing time as "08:00-20:00", in quotes'
_CLOCK_HINT = 'write the time as "07:00", in quotes'
_HOLDS_HINT = "write a number from 1 on, or any"
_HINTS = {
    "hours": _SPAN_HINT,
    "wake": _CLOCK_HINT,
    "sleep": _CLOCK_HINT,
    "dinner": _CLOCK_HINT,
    "holds": _HOLDS_HINT,
    "private": "write true or false",
    "phones": "write true or false",
    "language": f"write one of {', '.join(languages())}",
    "start": 'write it as "2023-02-13T00:00", without a time zone',
}


def _named(listed: object) -> object:
    """Return a list of names as a mapping of names without values."""
    if not isinstance(listed, list):
        return _empty(listed)
    named: dict[object, None] = {}
    for name in listed:
        if not isinstance(name, str) or name in named:
            raise ValueError(f"{name!r} in the list is no name, or is there twice")
        named[name] = None
    return named


def _empty(value: object) -> object:
    return {} if value is None else value


def _area(value: object) -> object:
    return {"objects": value} if isinstance(value, list) else _empty(value)


def _naive(value: object) -> object:
    if isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None:
        raise ValueError("has a time zone; a simulation has one clock")
    return value


def _in_the_calendar(start: datetime) -> datetime:
    """Return the start; any tick before and after it is a date of four digits."""
    if not YEAR_MIN <= start.year <= YEAR_MAX:
        raise ValueError(f"has a year that is not from {YEAR_MIN} to {YEAR_MAX}")
    return start


def _known_language(code: str) -> str:
    if code not in languages():
        raise ValueError(f"{code[:40]!r} is no supported language")
    return code


_Span = Annotated[tuple[int, int], BeforeValidator(span_of)]
_Minute = Annotated[int, BeforeValidator(minute_of)]
_Holds = Annotated[
    Annotated[int, Field(ge=1, le=1_000)] | None,
    BeforeValidator(lambda value: None if value == "any" else value),
]
_Start = Annotated[datetime, BeforeValidator(_naive), AfterValidator(_in_the_calendar)]
Age = Annotated[int, Field(ge=0, le=AGE_MAX)]
Traits = Annotated[
    tuple[Annotated[str, Field(max_length=TRAIT_CHARACTERS_MAX)], ...],
    Field(max_length=TRAITS_MAX),
]
Description = Annotated[str, Field(max_length=DESCRIPTION_CHARACTERS_MAX)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_AnyShape = TypeVar("_AnyShape", bound=_Shape)


class ObjectShape(_Shape):
    """An object."""

    holds: _Holds = 1
    idle: Annotated[str, Field(min_length=1)] | None = None


class AreaShape(_Shape):
    """An area."""

    hours: _Span | None = None
    holds: _Holds = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    private: StrictBool = False
    objects: Annotated[
        Mapping[str, Annotated[ObjectShape, BeforeValidator(_empty)]], BeforeValidator(_named)
    ] = {}


class PlaceShape(_Shape):
    """A place."""

    hours: _Span | None = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    areas: Annotated[
        Mapping[str, Annotated[AreaShape, BeforeValidator(_area)]],
        BeforeValidator(_named),
        Field(min_length=1),
    ]


class WorldShape(_Shape):
    """The content of world.yaml."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    description: str = ""
    language: Annotated[str, AfterValidator(_known_language)] = ENGLISH
    start: _Start
    phones: StrictBool = False
    places: Annotated[Mapping[str, PlaceShape], Field(min_length=1)]


class HoursShape(_Shape):
    """The usual times of a person."""

    wake: _Minute
    sleep: _Minute
    dinner: _Minute | None = None


class PersonShape(_Shape):
    """An entry of people.yaml."""

    age: Age
    traits: Annotated[Traits, Field(min_length=1)]
    description: Annotated[Description, Field(min_length=1)]
    hours: HoursShape
    home: str
    bed: str | None = None
    workplace: str | None = None
    knows: tuple[str, ...] = ()


class VisitorShape(_Shape):
    """What a visitor tells of itself."""

    age: Age
    traits: Traits
    description: Description


class PeopleShape(_Shape):
    """The content of people.yaml, under one key."""

    people: Annotated[Mapping[str, PersonShape], Field(min_length=1)]


def world_shape(content: object, findings: Findings) -> WorldShape | None:
    """Return the content of world.yaml; report problems and return None if it is invalid."""
    return None if content is None else _validated(WorldShape, content, findings, skip=0)


def people_shape(content: object, findings: Findings) -> PeopleShape | None:
    """Return the content of people.yaml; report problems and return None if it is invalid."""
    if content is None:
        return None
    return _validated(PeopleShape, {"people": content}, findings, skip=1)


def visitor_shape(content: object, findings: Findings) -> VisitorShape | None:
    """Return what a visitor tells; report problems and return None if it is invalid."""
    return _validated(VisitorShape, content, findings, skip=0)


def _validated(
    shape: type[_AnyShape], content: object, findings: Findings, *, skip: int
) -> _AnyShape | None:
    """Return the validated content; `skip` parts are left out of the location of a problem."""
    try:
        return shape.model_validate(content)
    except ValidationError as invalid:
        for error in invalid.errors(include_url=False):
            location = [str(part) for part in error["loc"][skip:]]
            what = error["msg"].removeprefix("Value error, ")
            findings.add(
                ": ".join(location) or "the whole file",
                what[:1].lower() + what[1:],
                hint=_hint(error, location[-1] if location else ""),
            )
        return None


def _hint(error: ErrorDetails, name: str) -> str:
    if error["type"] == "missing":
        return f"add {name}"
    if error["type"] == "extra_forbidden":
        return f"remove {name} or correct its spelling"
    if error["type"] == "model_type" and name == "hours":
        return 'write them as {wake: "07:00", sleep: "23:00"}'
    return _HINTS.get(name, "write it as the guide's example shows")
