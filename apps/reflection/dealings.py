"""The counts of an agent's dealings with others, and claims about them; pure (R2)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem


class ClaimKind(StrEnum):
    """What a claim of an insight is about."""

    TALKS = "talks"
    MEETINGS = "meetings"
    FEELINGS = "feelings"


class Frequency(StrEnum):
    """How often something is claimed to have happened."""

    ONCE = "once"
    SEVERAL = "several times"
    OFTEN = "often"


# The least counts that earn a claim, of conversations and of hours in which the other agent was
# seen. Agents that live or work together see each other in many hours of a day.
TALKS_MIN = {Frequency.ONCE: 1, Frequency.SEVERAL: 2, Frequency.OFTEN: 3}
HOURS_MIN = {Frequency.ONCE: 1, Frequency.SEVERAL: 2, Frequency.OFTEN: 4}

# Sights show no feeling for an agent, nor do own deeds.
NO_SIGN_OF_FEELING = frozenset(
    {MemoryOrigin.PERCEIVED_AGENT, MemoryOrigin.PERCEIVED_OBJECT, MemoryOrigin.OWN_ACTION}
)

# Talks of the last day are compared with those of the days before.
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim of an insight about the agent of the slug `about`, with its count.

    A claim of feelings has no frequency; its count is that of the cited memories which can
    show a feeling.
    """

    about: str
    kind: ClaimKind
    frequency: Frequency
    counted: int

    @property
    def is_earned(self) -> bool:
        """Whether the count is enough for the claim."""
        if self.kind is ClaimKind.FEELINGS:
            return self.counted > 0
        least = TALKS_MIN if self.kind is ClaimKind.TALKS else HOURS_MIN
        return self.counted >= least[self.frequency]


class Trend(StrEnum):
    """How the talks of the last day compare with those of the days before."""

    NONE = "none"  # no talk so far
    FIRST = "first"  # one talk so far, in the last day
    FEW = "few"  # too few for a comparison
    MORE = "more"
    SAME = "same"
    LESS = "less"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealings:
    """The dealings of the agent with another one, from the records of its own stream.

    `talked_at` are the ends of the conversations in which both spoke, `seen_at` the first
    moment of each hour in which it noticed the other agent; both in order, as game times.
    """

    slug: str
    name: str
    talked_at: tuple[datetime, ...] = ()
    seen_at: tuple[datetime, ...] = ()

    @property
    def talk_days(self) -> int:
        """The number of dates with a talk."""
        return len({one.date() for one in self.talked_at})

    def talks_since(self, time: datetime | None) -> int:
        """Return the number of talks after the time, all of them for None."""
        return sum(time is None or one > time for one in self.talked_at)

    def trend(self, now: datetime) -> Trend:
        """Return how the talks of the last day compare with the days before."""
        if not self.talked_at:
            return Trend.NONE
        recent = self.talks_since(now - _DAY)
        if len(self.talked_at) == 1:
            return Trend.FIRST if recent else Trend.FEW
        days_before = (now - _DAY - self.talked_at[0]) / _DAY
        if days_before <= 0:
            return Trend.FEW
        usual = (len(self.talked_at) - recent) / max(1.0, days_before)
        if recent > usual:
            return Trend.MORE
        return Trend.LESS if recent < usual else Trend.SAME


def claim_of(
    kind: ClaimKind,
    frequency: Frequency,
    dealings: Dealings,
    cited: Iterable[MemoryItem],
) -> Claim:
    """Return the claim with its count; `cited` are the memories that the insight cites."""
    if kind is ClaimKind.FEELINGS:
        counted = sum(
            one.origin not in NO_SIGN_OF_FEELING and is_about(one, dealings) for one in cited
        )
    else:
        counted = len(dealings.talked_at if kind is ClaimKind.TALKS else dealings.seen_at)
    return Claim(about=dealings.slug, kind=kind, frequency=frequency, counted=counted)


def is_about(memory: MemoryItem, dealings: Dealings) -> bool:
    """Return whether the other agent is the subject of a memory or named in it."""
    return memory.subject == dealings.slug or dealings.name in memory.description


def dealings_in(
    memories: Collection[MemoryItem], dealings: Iterable[Dealings], *, count: int
) -> tuple[Dealings, ...]:
    """Return the dealings with at most `count` agents in the memories, most frequent first."""
    known = tuple(dealings)
    mentions = {one.slug: sum(is_about(memory, one) for memory in memories) for one in known}
    mentioned = [one for one in known if mentions[one.slug]]
    return tuple(sorted(mentioned, key=lambda one: (-mentions[one.slug], one.slug))[:count])
