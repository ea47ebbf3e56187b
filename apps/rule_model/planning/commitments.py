"""What an agent has agreed to, decided or announced for a day: typed, or dated in a phrase."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.agents.status import Agreement
from apps.memory.events import MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.planning.inputs import PlanInput
from apps.rule_model.content import patterns
from apps.rule_model.knowledge.gatherings import (
    GATHERING_MINUTES,
    called_off,
    own_thoughts,
)
from apps.rule_model.language.moments import HOUR, Hours, minute_on, when_in
from apps.rule_model.planning.phrases import without_times
from apps.rule_model.planning.rooms import Surroundings

_PATTERNS = patterns("commitments")
# A keeper comes to an agreement after closing if there are so many minutes left of it.
STAYS_MIN = 30
# Of those who heard of something and did not answer, so many come.
UNANSWERED_SHARE = 0.3
_TOLD = frozenset({MemoryOrigin.LEARNED, MemoryOrigin.TOLD_OBSERVATION, MemoryOrigin.UTTERANCE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """Something to do at a time of the day, in minutes from its midnight, at a place (a path).

    `is_sure` is False for what was only heard of, `is_agreed` True for an agreement.
    """

    activity: str
    place: str
    start: int
    end: int
    is_sure: bool = True
    is_host: bool = False
    is_agreed: bool = False

    def begins(self, start: int, end: int, kept: Iterable[int]) -> int:
        """Return the start; an agreement begins after the hours in a place that is kept.

        `kept` are the ends of such hours. An agreement that would then last less than
        STAYS_MIN minutes begins on time.
        """
        last = max([start, *kept])
        return last if self.is_agreed and last + STAYS_MIN <= end else start


@dataclass(frozen=True, slots=True)
class Intention:
    """Something to do that has no time: once, on a day, or from then on ("run for office")."""

    activity: str
    place: str
    is_errand: bool


def commitments_of(
    inputs: PlanInput, dated: Iterable[str], where: Surroundings, day: date
) -> list[Commitment]:
    """Return what lies on the day, each time once, the surest first for a time."""
    memories = inputs.memories
    found = [
        *agreed_on(inputs.agreements, where, day),
        *_promised(memories, where, day),
        *(one for phrase in dated for one in _announced(phrase, where, day)),
        *_heard(memories, where, day),
    ]
    is_off = called_off(own_thoughts(memories), day)
    kept: list[Commitment] = []
    for one in (one for one in found if not is_off(one.activity)):
        if not any(other.start < one.end and one.start < other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def intentions_of(
    memories: Sequence[MemoryItem], where: Surroundings, day: date
) -> list[Intention]:
    """Return what was decided and has no time, errands of the day first."""
    decided = (memory for memory in memories if memory.origin is MemoryOrigin.DECIDED)
    latest = sorted(decided, key=lambda memory: memory.formed_at, reverse=True)
    found = [
        one
        for memory in latest
        if memory.scheduled is not None and memory.scheduled.starts is None
        for one in intention_in(memory.scheduled, where, memory.formed_at.date(), day)
    ]
    return sorted(dict.fromkeys(found), key=lambda one: not one.is_errand)


def intention_in(
    decided: ScheduledActivity, where: Surroundings, said_on: date, day: date
) -> Iterator[Intention]:
    """Yield the deed of a decision if it has no time and is for that day or for any."""
    when = when_in(decided.activity, said_on)
    if when.start is not None or (when.day is not None and when.day != day):
        return
    deed = undated(decided.activity)
    path = where.named(decided.place) or where.named(deed)
    if deed:
        yield Intention(activity=deed, place=path, is_errand=when.day is not None)


def scheduled_on(
    scheduled: ScheduledActivity, where: Surroundings, said_on: date, day: date
) -> Commitment | None:
    """Return the activity as a commitment of the day, None if it is of no time on it.

    A decision may name its time in its words ("visit the inn at 5 pm").
    """
    start, end = _span(scheduled, said_on, day)
    if start is None:
        return None
    activity = undated(scheduled.activity)
    path = where.named(scheduled.place) if scheduled.place else ""
    path = path or where.named(activity)
    is_gathering = _PATTERNS["gathering"].search(activity)
    end = end or start + (GATHERING_MINUTES if is_gathering else HOUR)
    place = where.narrowed(path or where.home, activity)
    hosts = _PATTERNS["hosts"].match(activity) is not None
    return Commitment(activity=activity, place=place, start=start, end=end, is_host=hosts)


def undated(activity: str) -> str:
    """Return the words without day and time."""
    return without_times(_PATTERNS["on_date"].sub("", activity))


def _span(scheduled: ScheduledActivity, said_on: date, day: date) -> Hours:
    if scheduled.starts is not None:
        start = minute_on(scheduled.starts, day)
        end = None if scheduled.ends is None else minute_on(scheduled.ends, day)
        return (start, end) if scheduled.starts.date() == day else (None, None)
    when = when_in(scheduled.activity, said_on)
    return (when.start, when.end) if (when.day or said_on) == day else (None, None)


def agreed_on(
    agreements: Iterable[Agreement], where: Surroundings, day: date
) -> Iterator[Commitment]:
    """Yield the agreements of the day."""
    for one in agreements:
        scheduled = ScheduledActivity(
            activity=one.activity, place=one.place, starts=one.starts, ends=one.ends
        )
        if (commitment := scheduled_on(scheduled, where, day, day)) is not None:
            yield replace(commitment, is_agreed=True)


def _promised(
    memories: Iterable[MemoryItem], where: Surroundings, day: date
) -> Iterator[Commitment]:
    for memory in memories:
        if memory.origin is MemoryOrigin.DECIDED and memory.scheduled is not None:
            said_on = memory.formed_at.date()
            if (one := scheduled_on(memory.scheduled, where, said_on, day)) is not None:
                yield one


def _announced(phrase: str, where: Surroundings, day: date) -> Iterator[Commitment]:
    """Yield what a phrase of the description announces: a feast that is held, a deed."""
    when = when_in(phrase, day)
    gathering = _PATTERNS["gathering"].search(phrase)
    means = _PATTERNS["means_to"].match(phrase)
    hosted = gathering if _PATTERNS["hosts"].match(phrase) else None
    if when.day != day or when.start is None or not (hosted or means):
        return
    path = where.named(phrase) or where.home
    deed = means["deed"] if means else ""
    activity = f"host the {_called(hosted)}" if hosted else undated(deed)
    if _PATTERNS["no_deed"].match(activity):
        return
    minutes = GATHERING_MINUTES if gathering else HOUR
    start, end = when.start, when.end or when.start + minutes
    yield Commitment(activity=activity, place=path, start=start, end=end, is_host=bool(hosted))


def _heard(
    memories: Sequence[MemoryItem], where: Surroundings, day: date
) -> Iterator[Commitment]:
    """Yield the gatherings that the agent heard of and may go to."""
    for memory in memories:
        gathering = _PATTERNS["gathering"].search(memory.description)
        when = when_in(memory.description, memory.formed_at.date())
        if memory.origin not in _TOLD or gathering is None:
            continue
        if when.day != day or when.start is None:
            continue
        path = where.named(memory.description)
        if path:
            act = f"go to the {_called(gathering)}"
            end = when.end or when.start + GATHERING_MINUTES
            yield Commitment(activity=act, place=path, start=when.start, end=end, is_sure=False)


def _called(gathering: re.Match[str]) -> str:
    return re.sub(r"^(?:an?|the|her|his|their) ", "", gathering["name"]).strip()
