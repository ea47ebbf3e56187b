"""Values that users give at several doors: each with its bounds, its schema and its words."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)

from apps.kernel.game_moments import (
    GAME_TIME_PATTERN,
    MOMENT_PATTERN,
    UnusableTime,
    first_tick_from,
    last_tick_until,
    parse_game_time,
)
from apps.kernel.game_time import TICK_MAX, GameCalendar
from apps.kernel.request_models import fault, said_as, shown

SEED_MAX = 2**63 - 1
NAME_CHARACTERS_MAX = 120
REASON_CHARACTERS_MAX = 500
TASK_CHARACTERS_MAX = 80
"""Of the name of an LLM task."""
AGENTS_MAX = 1_000
SLUG_PATTERN = r"[a-z0-9][a-z0-9-]{0,119}"
_LEVEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
PACE_MIN, PACE_MAX = 0.001, 1_000_000

Id = Annotated[UUID, Field(strict=False)]
Seed = Annotated[int, Field(ge=0, le=SEED_MAX)]
Tick = Annotated[int, Field(ge=0, le=TICK_MAX)]
Ticks = Annotated[int, Field(ge=1, le=TICK_MAX)]
Pace = Annotated[float, Field(ge=PACE_MIN, le=PACE_MAX)]


def _level(name: str) -> str:
    if not _LEVEL.fullmatch(name):
        raise fault("must have letters, digits, hyphens, dots and underscores only")
    return name


LevelName = Annotated[str, Field(max_length=60), AfterValidator(_level)]
"""A name that can stand in the key of a run of an experiment."""


def _slug(text: str) -> str:
    if not re.fullmatch(SLUG_PATTERN, text):
        raise fault("write a slug such as isabella-rodriguez")
    return text


def _not_blank(value: object) -> object:
    if isinstance(value, str) and value and not value.strip():
        raise fault("must not be blank")
    return value


EmptyOrText = Annotated[str, Field(min_length=0), BeforeValidator(_not_blank)]
"""A text, or "" for none."""
Name = Annotated[str, Field(max_length=NAME_CHARACTERS_MAX)]
Slug = Annotated[
    str,
    WithJsonSchema({"type": "string", "pattern": f"^{SLUG_PATTERN}$"}),
    AfterValidator(_slug),
]
"""The slug of an agent."""
Reason = Annotated[str, Field(max_length=REASON_CHARACTERS_MAX)]


ChosenAgents = Annotated[
    Annotated[int, Field(ge=1, le=AGENTS_MAX)]
    | Annotated[tuple[Name, ...], Field(strict=False, min_length=1, max_length=AGENTS_MAX)],
    said_as(f"must be a number of agents up to {AGENTS_MAX}, or a list of their names"),
]
"""The number of agents, the first of the world; or a list of their names or slugs."""

GameMoment = datetime | int


def _moment(value: object) -> GameMoment:
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= TICK_MAX:
            return value
        raise fault(f"must be a tick between 0 and {TICK_MAX}, not {shown(value)}")
    if isinstance(value, datetime):
        value = value.isoformat()
    if not isinstance(value, str):
        raise fault(
            f"must be a game time such as 2023-02-14T08:00, or a tick, not {shown(value)}"
        )
    try:
        return parse_game_time(value)
    except UnusableTime as error:
        raise fault(error.message, error.code) from None


Moment = Annotated[
    GameMoment,
    PlainValidator(_moment),
    PlainSerializer(lambda moment: moment if isinstance(moment, int) else moment.isoformat()),
    WithJsonSchema(
        {
            "oneOf": [
                {"type": "string", "pattern": GAME_TIME_PATTERN},
                {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
            ]
        }
    ),
]
"""A game time, or a tick."""


def _tick_by(snap: Callable[[str | int, GameCalendar], int]) -> PlainValidator:
    """Return what reads a tick out of a moment, by the `calendar` of the context."""

    def tick_of(value: Any, info: ValidationInfo) -> int:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise fault("write a game time or a tick")
        try:
            return snap(value, (info.context or {})["calendar"])
        except UnusableTime as error:
            raise fault(error.message, error.code) from None

    return PlainValidator(tick_of)


_MOMENT_SCHEMA = WithJsonSchema(
    {
        "oneOf": [
            {"type": "string", "pattern": MOMENT_PATTERN},
            {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
        ]
    }
)
FirstTickFrom = Annotated[int, _tick_by(first_tick_from), _MOMENT_SCHEMA]
"""The first tick that begins at or after a game time."""
LastTickUntil = Annotated[int, _tick_by(last_tick_until), _MOMENT_SCHEMA]
"""The last tick that has begun by a game time."""
