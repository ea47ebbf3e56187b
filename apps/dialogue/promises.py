"""Open promises of an agent to pass something on; pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.dialogue.events import PromiseOutcome

# The latest ones are listed in prompts.
PROMISES_OPEN_MAX = 6
# A promise that was not kept in so many days is dropped.
PROMISE_DAYS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPromise:
    """A promise to the agent of the slug `other`, with its event and tick.

    `what` is a whole sentence; `to` is the slug of the agent to tell, "" for anybody; `memory`
    is the number of its memory; `has_met` is whether the agent has talked since with an agent
    that the promise is for.
    """

    event: str
    tick: int
    other: str
    what: str
    to: str
    memory: int
    has_met: bool = False

    def is_for(self, agent: str) -> bool:
        """Return whether the agent of the slug is to be told of it."""
        return agent == self.to if self.to else agent != self.other


def lapsed(promises: Iterable[OpenPromise], *, since_tick: int) -> list[OpenPromise]:
    """Return the promises that were made before the tick, in order."""
    return [one for one in promises if one.tick < since_tick]


def why_dropped(promise: OpenPromise) -> PromiseOutcome:
    """Return why a promise that has lapsed was not kept."""
    return PromiseOutcome.NOT_SAID if promise.has_met else PromiseOutcome.NO_MEETING
