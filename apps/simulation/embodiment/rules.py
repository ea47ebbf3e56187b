"""Embodiments, action requests and control of an agent as plain values."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from apps.simulation.embodiment.requested_actions import NAMES, Action


class Outcome(StrEnum):
    """The state of an action request that the agent has answered."""

    BEGUN = "begun"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embodiment:
    """A user's control of an agent in the ticks [from_tick, to_tick); None: not ended."""

    number: int
    agent: str
    is_visitor: bool
    by: str
    reason: str
    from_tick: int
    to_tick: int | None
    ended_by: str
    ended_reason: str

    def is_active_at(self, tick: int) -> bool:
        """Return whether the user controls the agent in the tick."""
        return self.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """A request to an embodied agent, and its outcome.

    `event` is the identity of the requesting event; the request is in effect from `tick` on.
    `action` None is the beginning or the end of the control. `outcome` is "" until the agent
    answers, at `answered_tick`.
    """

    event: str
    tick: int
    embodiment: int
    action: Action | None
    by: str
    reason: str
    outcome: str = ""
    answered_tick: int | None = None
    code: str = ""
    why: str = ""

    @property
    def kind(self) -> str:
        """The name of the action in requests; "" for the beginning and the end."""
        return "" if self.action is None else NAMES[type(self.action)]

    @property
    def is_open(self) -> bool:
        """Whether the agent has yet to answer the request."""
        return not self.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """The control of an agent by a user in one turn.

    `embodiment` is the latest one, `requests` are those without an answer, in order, and
    `in_progress` is the request that the agent has begun and not completed.
    """

    embodiment: Embodiment
    requests: tuple[ActionRequest, ...]
    in_progress: ActionRequest | None


def control_at(
    embodiment: Embodiment, requests: Iterable[ActionRequest], *, tick: int
) -> Control | None:
    """Return the control that is exerted in the tick; None if the agent controls itself.

    :param embodiment: the latest that has begun by the tick.
    :param requests: all of the agent's that are in effect by the tick, in order.
    """
    requests = tuple(requests)
    waiting = tuple(request for request in requests if request.is_open)
    begun = [request for request in requests if request.outcome == Outcome.BEGUN]
    if not waiting and not embodiment.is_active_at(tick):
        return None
    return Control(
        embodiment=embodiment, requests=waiting, in_progress=begun[-1] if begun else None
    )
