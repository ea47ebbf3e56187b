"""What a user's hands are in, as plain values: embodiments, calls and what comes of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What is asked of a person."""

    BEGIN = "begin"
    END = "end"
    MOVE = "move"
    SAY = "say"
    ACT = "act"


class Outcome(StrEnum):
    """How far what was asked has come."""

    BEGUN = "begun"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embodiment:
    """That a user acts for a person from a tick on; `to_tick` None while they do."""

    number: int
    agent: str
    is_visitor: bool
    by: str
    reason: str
    from_tick: int
    to_tick: int | None
    ended_by: str
    ended_reason: str

    def stands_at(self, tick: int) -> bool:
        """Whether what the person does in the tick is the user's."""
        return self.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Something asked of a person, and what has come of it.

    `event` is the identity of the event that asked, `body` its values; `outcome` is "" for as
    long as nothing was done about it; `tick` is when it takes effect, `answered_tick` when
    it came to the outcome.
    """

    event: str
    tick: int
    embodiment: int
    kind: Kind
    body: Mapping[str, Any]
    by: str
    reason: str
    outcome: str = ""
    answered_tick: int | None = None
    code: str = ""
    why: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing was done about it yet."""
        return not self.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """What a person's turn has to heed: the latest embodiment, and calls not yet answered.

    `calls` are those that nothing was done about, in order; `under_way` is what the person
    is at.
    """

    embodiment: Embodiment
    calls: tuple[Call, ...]
    under_way: Call | None


def hands_of(embodiment: Embodiment, calls: Iterable[Call], *, tick: int) -> Hands | None:
    """Return what there is to heed in the tick; None if the person is their own.

    `embodiment` is the latest that had begun by then, `calls` are all of the person's that
    take effect by then.
    """
    calls = tuple(calls)
    waiting = tuple(call for call in calls if call.is_open)
    begun = [call for call in calls if call.outcome == Outcome.BEGUN]
    if not waiting and not embodiment.stands_at(tick):
        return None
    return Hands(embodiment=embodiment, calls=waiting, under_way=begun[-1] if begun else None)
