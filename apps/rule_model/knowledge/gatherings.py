"""What one can be invited to, as memories and speech name it: a noun, an owner, where, when."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from apps.agents.status import Agreement
from apps.memory.events import AgreementOutcome, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.rule_model.content import either, english, patterns
from apps.rule_model.language import moments
from apps.rule_model.language.subjects import PERSON, is_about, place_in, stems_of, subject_of

_PATTERNS = patterns("gatherings")
_AGREED = frozenset({MemoryOrigin.AGREED, MemoryOrigin.ENDED})
_OWN = frozenset({MemoryOrigin.INNER_VOICE, MemoryOrigin.DECIDED})
GATHERING_MINUTES = 2 * moments.HOUR
_GATHERING = re.compile(
    rf"(?:\b(?P<host>{PERSON}|[A-Z]\w+)'s|\b(?:an?|the|his|her|their|this|that)) "
    rf"(?P<name>(?:(?!(?:the|a|an|to|of|for|is)\b)[\w'-]+ ){{0,4}}?"
    rf"(?:{either(english('gatherings'))})(?: of (?:Saint )?[A-Z]\w+)?)\b"
)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Something that one can be invited to; "" and None where it is not said."""

    name: str
    host: str
    place: str
    when: moments.When

    @property
    def title(self) -> str:
        """The gathering with its host: "Vera Novak's harvest supper"."""
        return f"{self.host}'s {self.name}" if self.host else f"the {self.name}"

    @property
    def deed(self) -> str:
        """What one agrees to, an infinitive: "come to Vera Novak's harvest supper"."""
        return f"come to {self.title}"

    @property
    def where(self) -> str:
        """The place behind "at", "" if it is not known."""
        return f"at {self.place}" if self.place else ""

    @property
    def in_full(self) -> str:
        """The gathering with place, date and times written in full."""
        parts = (self.title, self.where, written_when(self.when))
        return " ".join(filter(None, parts))

    @property
    def keys(self) -> frozenset[str]:
        """The words by which it is known again."""
        return stems_of(self.name)

    def spoken(self, speaker: str, today: date) -> str:
        """Return the gathering as its host or another one speaks of it."""
        whose = "my" if self.host == speaker else f"{self.host}'s" if self.host else "the"
        day = moments.spoken_day(self.when.day, today) if self.when.day else ""
        return " ".join(filter(None, (whose, self.name, self.where, day, _hours(self.when))))


@dataclass(frozen=True, slots=True)
class Occasion:
    """A gathering with its times, and its outcome for the agent once it is over.

    `present` are the agents that it saw there, `absent` those that had agreed to be there.
    """

    gathering: Gathering
    starts: datetime
    ends: datetime
    attended: bool = False
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    def told_by(self, agent: str) -> str:
        """Return a sentence in the past tense: the agent held the gathering or was at it."""
        hosts = self.gathering.host == agent
        what = f"held the {self.gathering.name}" if hosts else f"was at {self.gathering.title}"
        on = written_when(moments.When(self.starts.date()))
        return " ".join(filter(None, (agent, what, self.gathering.where, on)))


def occasions(memories: Iterable[MemoryItem], agent: str) -> list[Occasion]:
    """Return the gatherings with a time that the memories name, each once."""
    found: dict[frozenset[str], Occasion] = {}
    for memory in memories:
        occasion = _occasion(memory, agent)
        if occasion is None:
            continue
        keys = occasion.gathering.keys
        known = found.get(keys, occasion)
        best = max(known, occasion, key=lambda one: len(one.gathering.in_full))
        ended = occasion if occasion.attended else known
        found[keys] = replace(
            ended, gathering=best.gathering, starts=best.starts, ends=best.ends
        )
    return list(found.values())


def _occasion(memory: MemoryItem, agent: str) -> Occasion | None:
    agreed = memory.scheduled if memory.origin in _AGREED else None
    said = memory.description if agreed is None else f"{agent} will {agreed.activity}"
    found = gathering_in(said, memory.formed_at.date())
    if found is None:
        return None
    if agreed is not None and agreed.starts is not None and agreed.ends is not None:
        place = found.place or agreed.place
        is_kept = agreed.outcome is AgreementOutcome.KEPT
        gathering = replace(found, place=place, when=when_of(agreed))
        there = (is_kept, agreed.present, agreed.absent)
        return Occasion(gathering, agreed.starts, agreed.ends, *there)
    times = times_of(found)
    return None if times is None else Occasion(found, *times)


def when_of(scheduled: ScheduledActivity) -> moments.When:
    """Return day and times of what is scheduled, as far as they are known."""
    if scheduled.starts is None:
        return moments.When()
    ends = moments.minute_at(scheduled.ends) if scheduled.ends is not None else None
    return moments.When(scheduled.starts.date(), moments.minute_at(scheduled.starts), ends)


def times_of(gathering: Gathering) -> tuple[datetime, datetime] | None:
    """Return when it begins and ends, None if the day or the beginning is not said."""
    when = gathering.when
    if when.day is None or when.start is None:
        return None
    midnight = datetime.combine(when.day, datetime.min.time())
    ends = when.end or when.start + GATHERING_MINUTES
    return midnight + timedelta(minutes=when.start), midnight + timedelta(minutes=ends)


def own_thoughts(memories: Iterable[MemoryItem]) -> list[str]:
    """Return what the agent has thought of by itself and decided."""
    return [one.description for one in memories if one.origin in _OWN]


def called_off(thoughts: Iterable[str], day: date) -> Callable[[str], bool]:
    """Return whether a text speaks of a gathering that the thoughts call off."""
    found = [gathering_in(one, day) for one in thoughts if _PATTERNS["calls_off"].search(one)]
    return lambda text: any(one and is_about(text, one.keys) for one in found)


def is_agreed(agreements: Iterable[Agreement], other: str, gathering: Gathering) -> bool:
    """Return whether the gathering is agreed on with the other agent already."""
    with_other = (one for one in agreements if other in one.others)
    return any(gathering.keys <= stems_of(one.activity) for one in with_other)


def is_recalled(
    memories: Iterable[MemoryItem], origin: MemoryOrigin, gathering: Gathering
) -> bool:
    """Return whether a memory of the origin names the gathering."""
    return bool(gathering.keys) and any(
        one.origin is origin and gathering.keys <= stems_of(one.description) for one in memories
    )


def would_invite(
    me: str, gathering: Gathering, memories: Iterable[MemoryItem], *, in_love: bool
) -> bool:
    """Return whether an agent invites another one: to its own gathering, or to go together.

    Nobody asks another one along to what it has itself declined.
    """
    if gathering.host == me:
        return True
    return in_love and not is_recalled(memories, MemoryOrigin.DECLINED, gathering)


def is_outdated(memory: MemoryItem, core: str, now: datetime) -> bool:
    """Return whether the memory speaks of a gathering to come that is over by now."""
    is_past = memory.origin in (MemoryOrigin.CONVERSATION, MemoryOrigin.ENDED)
    is_gone = memory.is_over or moments.is_over(core, now)
    return is_gone and not is_past and gathering_in(core, now.date()) is not None


def written_when(when: moments.When) -> str:
    """Return "on March 6, 1410, from 3:00 pm to 5:00 pm", as far as it is known."""
    day = f"on {when.day:%B} {when.day.day}, {when.day.year:04d}" if when.day else ""
    return ", ".join(filter(None, (day, _hours(when))))


def _hours(when: moments.When) -> str:
    if when.start is None:
        return ""
    at = moments.clock_of(when.start)
    return f"at {at}" if when.end is None else f"from {at} to {moments.clock_of(when.end)}"


def gathering_in(sentence: str, today: date) -> Gathering | None:
    """Return the gathering that the sentence speaks of, None for none."""
    match = _GATHERING.search(sentence)
    if match is None:
        return None
    # Of news that is passed on, the host is the subject of what was told.
    told = sentence[: match.start()].rpartition(" that ")[2]
    is_hosted = not match["host"] and _PATTERNS["hosts"].search(told)
    host = subject_of(told) if is_hosted else match["host"] or ""
    where = place_in(sentence[match.end() :])
    return Gathering(match["name"], host, where, moments.when_in(sentence, today))
