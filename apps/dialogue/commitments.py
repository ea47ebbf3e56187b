"""Open commitments of an agent: what it agreed to and has still to do; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.agents.status import Agreement
from apps.dialogue.events import Agreed

# The nearest ones are listed in prompts.
COMMITMENTS_OPEN_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCommitment:
    """An agreement with the agent of the slug `other`; fields as in `Agreed`."""

    event: str
    other: str
    activity: str
    place: str
    day: str
    from_minute: int
    to_minute: int

    @property
    def starts(self) -> datetime:
        """The game time of the beginning."""
        return datetime.fromisoformat(self.day) + timedelta(minutes=self.from_minute)

    @property
    def ends(self) -> datetime:
        """The game time of the end."""
        return datetime.fromisoformat(self.day) + timedelta(minutes=self.to_minute)

    def with_name(self, other: str) -> Agreement:
        """Return the commitment for a prompt, with the full name of the other agent."""
        return Agreement(
            activity=self.activity,
            place=self.place,
            starts=self.starts,
            ends=self.ends,
            other=other,
        )


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
    )


def first_open_day(now: datetime) -> str:
    """Return the earliest date of which a commitment can be open."""
    return (now.date() - timedelta(days=1)).isoformat()


def still_open(
    commitments: Iterable[OpenCommitment], now: datetime
) -> tuple[OpenCommitment, ...]:
    """Return those that are not over, the nearest COMMITMENTS_OPEN_MAX in order of time.

    What was agreed twice, also with different agents, is listed once.
    """
    left = sorted(
        (one for one in commitments if one.ends > now), key=lambda one: (one.starts, one.event)
    )
    once = {(one.activity, one.place, one.starts, one.ends): one for one in reversed(left)}
    return tuple(reversed(once.values()))[:COMMITMENTS_OPEN_MAX]
