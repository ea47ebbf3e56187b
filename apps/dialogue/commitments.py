"""Agreements of an agent and how they end, and its promises to pass something on; pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from apps.agents.status import Agreement
from apps.dialogue.events import Agreed, PromiseOutcome
from apps.memory.events import AgreementOutcome

# The nearest ones are listed in prompts.
COMMITMENTS_OPEN_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCommitment:
    """An agreement with the agent of the slug `other`; fields as in `Agreed`.

    `besides` are the slugs of the other agents of the same agreement.
    """

    event: str
    other: str
    activity: str
    place: str
    day: str
    from_minute: int
    to_minute: int
    besides: tuple[str, ...] = ()
    node: str = ""

    @property
    def occasion(self) -> tuple[datetime, str]:
        """The beginning and the place, by which agreements on the same are known."""
        return self.starts, self.node or self.place.casefold()

    @property
    def others(self) -> tuple[str, ...]:
        """The slugs of all other agents of the agreement."""
        return (self.other, *self.besides)

    @property
    def starts(self) -> datetime:
        """The game time of the beginning."""
        return datetime.fromisoformat(self.day) + timedelta(minutes=self.from_minute)

    @property
    def ends(self) -> datetime:
        """The game time of the end."""
        return datetime.fromisoformat(self.day) + timedelta(minutes=self.to_minute)

    def with_names(self, name_of: Callable[[str], str]) -> Agreement:
        """Return the commitment for a prompt, with the full names of the other agents."""
        return Agreement(
            activity=self.activity,
            place=self.place,
            starts=self.starts,
            ends=self.ends,
            other=name_of(self.other),
            besides=tuple(map(name_of, self.besides)),
        )


def stored_commitment(values: Mapping[str, Any]) -> OpenCommitment:
    """Return the commitment of a row, of which `values` has the fields."""
    return OpenCommitment(**{**values, "besides": tuple(values["besides"])})


def commitment_of(event_id: str, agreed: Agreed) -> OpenCommitment:
    """Return the commitment of an event that has the id."""
    return OpenCommitment(
        event=event_id,
        other=agreed.other,
        activity=agreed.activity,
        place=agreed.place,
        day=agreed.day,
        from_minute=agreed.from_minute,
        to_minute=agreed.to_minute,
        besides=agreed.besides,
        node=agreed.node,
    )


def first_open_day(now: datetime) -> str:
    """Return the earliest date of which a commitment can be open."""
    return (now.date() - timedelta(days=1)).isoformat()


def still_open(
    commitments: Iterable[OpenCommitment], now: datetime
) -> tuple[OpenCommitment, ...]:
    """Return those that are not over, the nearest COMMITMENTS_OPEN_MAX in order of time.

    Commitments to the same occasion, also with different agents, are merged.
    """
    occasions = map(merged, same_agreements(commitments))
    return tuple(one for one in occasions if one.ends > now)[:COMMITMENTS_OPEN_MAX]


def without_passed(
    commitments: Iterable[OpenCommitment], now: datetime
) -> tuple[OpenCommitment, ...]:
    """Return those to occasions that are not over, one for each agreement, in order of time."""
    occasions = same_agreements(commitments)
    return tuple(one for same in occasions if merged(same).ends > now for one in same)


def same_agreements(commitments: Iterable[OpenCommitment]) -> list[list[OpenCommitment]]:
    """Return the commitments in order of time, those to the same occasion together.

    An occasion is a time at which the agent has agreed to be at one place. The words of the
    activity do not identify it: a model words it in another way with each guest.
    """
    together: dict[tuple[datetime, str], list[OpenCommitment]] = {}
    for one in sorted(commitments, key=lambda one: (one.starts, one.event)):
        together.setdefault(one.occasion, []).append(one)
    return list(together.values())


def merged(same: Sequence[OpenCommitment]) -> OpenCommitment:
    """Return the first of the commitments to an occasion, with all agents and the last end."""
    first = same[0]
    others = dict.fromkeys(other for one in same for other in one.others)
    return replace(
        first,
        to_minute=max(one.to_minute for one in same),
        besides=tuple(other for other in others if other != first.other),
    )


# The latest ones are listed in prompts.
PROMISES_OPEN_MAX = 6
# A promise that was not kept in so many days is dropped.
PROMISE_DAYS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPromise:
    """A promise to the agent of the slug `other`, with its event and tick.

    `what` is a whole sentence; `to` is as in Promised; `memory`
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


# An agent was there if it spent so many minutes there, or half of a shorter time.
ATTENDED_MINUTES_MIN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedAgreement:
    """An agreement whose time has passed.

    The same agreement with several agents is one: `events` are the ids of its events, `others`
    the slugs of the agents; `node` is as in `Agreed`.
    """

    activity: str
    place: str
    starts: datetime
    ends: datetime
    events: tuple[str, ...]
    others: tuple[str, ...]
    node: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedOut:
    """An agreement with the agents of the slugs that was kept before its time was over."""

    ended_tick: int
    other: str
    besides: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """The attendance of an agent in the time of an agreement.

    `minutes_there` is its time at the agreed place, None without an agreed place in the world;
    `was_planned` is whether its plan of the day had that place for a part of the time. `seen`
    are the slugs of the agents that it saw there, or anywhere without a place, in order.
    """

    minutes_there: float | None
    was_planned: bool
    seen: tuple[str, ...]


def passed(commitments: Iterable[OpenCommitment], now: datetime) -> list[PassedAgreement]:
    """Return the agreements that are over, in order of time, the same with several once."""
    return [one for one in occasions_of(commitments) if one.ends <= now]


def occasions_of(commitments: Iterable[OpenCommitment]) -> list[PassedAgreement]:
    """Return the agreements in order of time, the same with several once."""
    return [*map(_passed, same_agreements(commitments))]


def _passed(same: Sequence[OpenCommitment]) -> PassedAgreement:
    one = merged(same)
    return PassedAgreement(
        activity=one.activity,
        place=one.place,
        starts=one.starts,
        ends=one.ends,
        events=tuple(commitment.event for commitment in same),
        others=one.others,
        node=one.node,
    )


def attended_minutes(agreement: PassedAgreement) -> float:
    """Return how many minutes an agent is there that attends."""
    minutes = (agreement.ends - agreement.starts).total_seconds() / 60
    return min(ATTENDED_MINUTES_MIN, minutes / 2)


def outcome_of(agreement: PassedAgreement, attended: Attendance) -> AgreementOutcome:
    """Return how the agreement ended for the agent.

    It is kept together: without a place, if the agent saw one of the others at that time.
    """
    met = not set(agreement.others).isdisjoint(attended.seen)
    if attended.minutes_there is None:
        return AgreementOutcome.KEPT if met else AgreementOutcome.MISSED
    if attended.minutes_there >= attended_minutes(agreement):
        return AgreementOutcome.KEPT if met else AgreementOutcome.ALONE
    return AgreementOutcome.MISSED if attended.was_planned else AgreementOutcome.DROPPED


def absent_from(agreement: PassedAgreement, seen: Sequence[str]) -> tuple[str, ...]:
    """Return the slugs of the agents of the agreement that were not seen there."""
    return tuple(other for other in agreement.others if other not in seen)
