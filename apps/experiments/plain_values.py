"""Plain values of YAML or JSON, read with the place of each fault in its message."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, ClassVar

from apps.experiments.design import GameMoment
from apps.kernel.errors import DomainError
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.names import names_there_are

NAME_CHARACTERS_MAX, WORD_CHARACTERS_MAX, AGENTS_MAX = 60, 200, 1_000
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
TICK_MAX = FOREVER_TICK - 2
SHOWN_CHARACTERS_MAX = 80


class UnusableExperiment(DomainError):
    """The experiment has a fault; the message names its place."""

    code: ClassVar[str] = "unusable-experiment"


def shown(value: object) -> str:
    """Return the value for a message, cut off if it is long."""
    return repr(value)[:SHOWN_CHARACTERS_MAX]


def members_of(
    values: Any, known: Collection[str], where: str, *, required: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the members of an object that has known ones only.

    :raises UnusableExperiment: if it is no object, or has an unknown or too few members.
    """
    if not isinstance(values, Mapping):
        raise UnusableExperiment(f"{where} must be an object, not {shown(values)}")
    if unknown := sorted(map(str, values.keys() - set(known))):
        raise UnusableExperiment(
            f"{where} has an unknown member {shown(unknown[0])}; "
            f"{names_there_are(sorted(known), unknown[0])}"
        )
    if missing := [name for name in required if values.get(name) is None]:
        raise UnusableExperiment(f"{where} needs the member {missing[0]!r}")
    return {name: value for name, value in values.items() if value is not None}


def items_of(values: Any, where: str, *, most: int, least: int = 1) -> list[Any]:
    """Return the items of a list without duplicates.

    :raises UnusableExperiment: if it is no list, too short or too long, or has an item twice.
    """
    if not isinstance(values, list) or not least <= len(values) <= most:
        raise UnusableExperiment(f"{where} must be a list of {least} to {most:,} items")
    for place, item in enumerate(values):
        if any(type(item) is type(one) and item == one for one in values[:place]):
            raise UnusableExperiment(f"{where} has {shown(item)} twice")
    return values


def text_of(value: Any, where: str, *, most: int, least: int = 1) -> str:
    """Return a text within its bounds.

    :raises UnusableExperiment: if it is none, or too short or long.
    """
    if not isinstance(value, str) or not least <= len(value.strip()) <= most:
        raise UnusableExperiment(
            f"{where} must be a text of {least} to {most:,} characters, not {shown(value)}"
        )
    if _UNSTORABLE.search(value):
        raise UnusableExperiment(f"{where} has a character that cannot be stored")
    return value


def name_of(value: Any, where: str) -> str:
    """Return a name that can stand in the key of a run.

    :raises UnusableExperiment: if it is none.
    """
    text = text_of(value, where, most=NAME_CHARACTERS_MAX)
    if not _NAME.fullmatch(text):
        raise UnusableExperiment(
            f"{where} must have letters, digits, hyphens, dots and underscores only, not "
            f"{shown(text)}"
        )
    return text


def whole_of(value: Any, where: str, *, least: int, most: int) -> int:
    """Return a whole number within its bounds.

    :raises UnusableExperiment: if it is none, or out of bounds.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise UnusableExperiment(
            f"{where} must be a whole number from {least:,} to {most:,}, not {shown(value)}"
        )
    return value


def moment_of(value: Any, where: str) -> GameMoment:
    """Return a game time, or a tick.

    :raises UnusableExperiment: if it is neither.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return whole_of(value, where, least=0, most=TICK_MAX)
    if isinstance(value, str):
        with suppress(ValueError):  # the message below has the text
            value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        raise UnusableExperiment(
            f"{where} must be a game time such as 2023-02-14T08:00, or a tick, not "
            f"{shown(value)}"
        )
    if value.tzinfo is not None:
        raise UnusableExperiment(f"{where}: game times have no time zone; omit the offset")
    return value


def moment_json(moment: GameMoment) -> int | str:
    """Return the moment as a plain value."""
    return moment if isinstance(moment, int) else moment.isoformat()
