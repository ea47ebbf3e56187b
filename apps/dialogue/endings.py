"""The ends of agreements: kept, missed or dropped, by the attendance of an agent; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.dialogue.commitments import OpenCommitment, merged, same_agreements
from apps.memory.events import AgreementOutcome

# An agent was there if it spent so many minutes there, or half of a shorter time.
ATTENDED_MINUTES_MIN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedAgreement:
    """An agreement whose time has passed.

    The same agreement with several agents is one: `events` are the ids of its events, `others`
    the slugs of the agents.
    """

    activity: str
    place: str
    starts: datetime
    ends: datetime
    events: tuple[str, ...]
    others: tuple[str, ...]


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
    occasions = map(_passed, same_agreements(commitments))
    return [one for one in occasions if one.ends <= now]


def _passed(same: Sequence[OpenCommitment]) -> PassedAgreement:
    one = merged(same)
    return PassedAgreement(
        activity=one.activity,
        place=one.place,
        starts=one.starts,
        ends=one.ends,
        events=tuple(commitment.event for commitment in same),
        others=one.others,
    )


def attended_minutes(agreement: PassedAgreement) -> float:
    """Return how many minutes an agent is there that attends."""
    minutes = (agreement.ends - agreement.starts).total_seconds() / 60
    return min(ATTENDED_MINUTES_MIN, minutes / 2)


def outcome_of(agreement: PassedAgreement, attended: Attendance) -> AgreementOutcome:
    """Return how the agreement ended for the agent.

    Without a place it is kept if the agent saw one of the others at that time.
    """
    if attended.minutes_there is None:
        met = not set(agreement.others).isdisjoint(attended.seen)
        return AgreementOutcome.KEPT if met else AgreementOutcome.MISSED
    if attended.minutes_there >= attended_minutes(agreement):
        return AgreementOutcome.KEPT
    return AgreementOutcome.MISSED if attended.was_planned else AgreementOutcome.DROPPED


def absent_from(agreement: PassedAgreement, seen: Sequence[str]) -> tuple[str, ...]:
    """Return the slugs of the agents of the agreement that were not seen there."""
    return tuple(other for other in agreement.others if other not in seen)
