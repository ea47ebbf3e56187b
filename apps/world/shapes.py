"""The shape of world.yaml and people.yaml; what they mean is checked elsewhere."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from apps.world.problems import Findings
from apps.world.time_of_day import minute_of, span_of

_SPAN_MEND = 'write opening and closing time as "08:00-20:00", in quotes'
_CLOCK_MEND = 'write the time as "07:00", in quotes'
_HOLDS_MEND = "write a number from 1 on, or any"
_MENDS = {
    "hours": _SPAN_MEND,
    "wake": _CLOCK_MEND,
    "sleep": _CLOCK_MEND,
    "dinner": _CLOCK_MEND,
    "holds": _HOLDS_MEND,
    "start": 'write it as "2023-02-13T00:00", without a time zone',
}


def _named(listed: object) -> object:
    """Return a list of names as names about which there is nothing to say."""
    if not isinstance(listed, list):
        return _unsaid(listed)
    named: dict[object, None] = {}
    for name in listed:
        if not isinstance(name, str) or name in named:
            raise ValueError(f"{name!r} in the list is no name, or stands there twice")
        named[name] = None
    return named


def _unsaid(value: object) -> object:
    return {} if value is None else value


def _area(value: object) -> object:
    return {"objects": value} if isinstance(value, list) else _unsaid(value)


def _any_number(value: object) -> object:
    return None if value == "any" else value


def _naive(value: object) -> object:
    if isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None:
        raise ValueError("has a time zone; a town has one clock")
    return value


_Span = Annotated[tuple[int, int], BeforeValidator(span_of)]
_Minute = Annotated[int, BeforeValidator(minute_of)]
_Holds = Annotated[Annotated[int, Field(ge=1, le=1_000)] | None, BeforeValidator(_any_number)]
_Start = Annotated[datetime, BeforeValidator(_naive)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_AnyShape = TypeVar("_AnyShape", bound=_Shape)


class ObjectShape(_Shape):
    """What can be said of an object."""

    holds: _Holds = 1
    idle: Annotated[str, Field(min_length=1)] = "idle"


class AreaShape(_Shape):
    """What can be said of an area."""

    hours: _Span | None = None
    holds: _Holds = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    objects: Annotated[
        Mapping[str, Annotated[ObjectShape, BeforeValidator(_unsaid)]], BeforeValidator(_named)
    ] = {}


class PlaceShape(_Shape):
    """What can be said of a place."""

    hours: _Span | None = None
    keepers: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    areas: Annotated[
        Mapping[str, Annotated[AreaShape, BeforeValidator(_area)]],
        BeforeValidator(_named),
        Field(min_length=1),
    ]


class WorldShape(_Shape):
    """What world.yaml says."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    description: str = ""
    start: _Start
    places: Annotated[Mapping[str, PlaceShape], Field(min_length=1)]


class HoursShape(_Shape):
    """A person's hours."""

    wake: _Minute
    sleep: _Minute
    dinner: _Minute | None = None


class PersonShape(_Shape):
    """What people.yaml says of one person."""

    age: Annotated[int, Field(ge=0, le=150)]
    traits: Annotated[tuple[str, ...], Field(min_length=1)]
    description: Annotated[str, Field(min_length=1)]
    hours: HoursShape
    home: str
    bed: str | None = None
    workplace: str | None = None
    knows: tuple[str, ...] = ()


class PeopleShape(_Shape):
    """What people.yaml says, under one key so that problems are told like world.yaml's."""

    people: Annotated[Mapping[str, PersonShape], Field(min_length=1)]


def world_shape(content: object, findings: Findings) -> WorldShape | None:
    """Return world.yaml as its shape, None with the problems noted if it has not got it."""
    return _shaped(lambda: WorldShape.model_validate(content), findings, skip=0)


def people_shape(content: object, findings: Findings) -> PeopleShape | None:
    """Return people.yaml as its shape, None with the problems noted if it has not got it."""
    return _shaped(lambda: PeopleShape.model_validate({"people": content}), findings, skip=1)


def _shaped(
    validate: Callable[[], _AnyShape], findings: Findings, *, skip: int
) -> _AnyShape | None:
    try:
        return validate()
    except ValidationError as refused:
        for error in refused.errors(include_url=False):
            _note(error, findings, skip)
        return None


def _note(error: ErrorDetails, findings: Findings, skip: int) -> None:
    location = [str(part) for part in error["loc"][skip:]]
    what = error["msg"].removeprefix("Value error, ")
    findings.add(
        ": ".join(location) or "the whole file",
        what[:1].lower() + what[1:],
        mend=_mend(error, location[-1] if location else ""),
    )


def _mend(error: ErrorDetails, name: str) -> str:
    if error["type"] == "missing":
        return f"add {name}"
    if error["type"] == "extra_forbidden":
        return f"remove {name} or correct its spelling"
    if error["type"] == "model_type" and name == "hours":
        return 'write them as {wake: "07:00", sleep: "23:00"}'
    return _MENDS.get(name, "write it as the guide's example shows")
