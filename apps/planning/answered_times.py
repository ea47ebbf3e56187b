"""Times of day in answers, and times and walks that are fitted into a span; pure.

Times are minutes since the midnight of the date of the plan; they may exceed 1,440.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from apps.kernel.game_time import MINUTES_PER_DAY, parse_clock
from apps.llm.answers.differences import Difference
from apps.planning.inputs import HourActionsInput

# Shorter times are neither planned nor divided; they are joined to a neighbour.
SLOT_MINUTES_MIN = 10
SLEEP_MINUTES_MIN = 180
# An agent that wakes up to so long before its usual hour begins the next plan-day.
WAKE_EARLIER_MAX = 120
WAKE_LATER_MAX = 180

NIGHT = "the night lasts 3 hours or more and ends near the usual waking hour"
ORDER = "the parts of a day in the order of their times"
OVER = "this time is over"
AFTER_BEDTIME = "it begins after bedtime"
NO_ROOM = "the time to plan is too short for all of them"
NEIGHBOUR = "times do not overlap, and each is long enough to be planned"
FIRST = "the first begins where the time to plan begins"


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """The minutes of going to bed and of waking after it."""

    bed: int
    wake: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredTime:
    """A time of an answer by its index, from `start` to `end`."""

    index: int
    start: int
    end: int

    @property
    def minutes(self) -> int:
        """The length."""
        return self.end - self.start


def minute_of(clock: str, *, now: int, until: int) -> int:
    """Return a time of day as the first such minute from `now` on.

    A time before `now` is tomorrow's if that is before `until`, else it is returned as it is.
    """
    minute = _minute(clock)
    midnight = now - now % MINUTES_PER_DAY
    minute += midnight if minute < MINUTES_PER_DAY else 0
    return (
        minute + MINUTES_PER_DAY if minute < now < minute + MINUTES_PER_DAY < until else minute
    )


def bounded_night(bedtime: str | None, wakes: str | None, *, usual: Night, now: int) -> Night:
    """Return the answered night within the bounds of a plan-day; None means the usual time.

    The agent wakes within WAKE_EARLIER_MAX and WAKE_LATER_MAX of its usual time and sleeps
    for SLEEP_MINUTES_MIN or more, unless its usual night is shorter.
    """
    wake = usual.wake
    if wakes is not None:
        around = _minute(wakes) % MINUTES_PER_DAY
        days = round((usual.wake - around) / MINUTES_PER_DAY)
        answered = around + days * MINUTES_PER_DAY
        wake = min(max(answered, wake - WAKE_EARLIER_MAX), wake + WAKE_LATER_MAX)
    latest = max(wake - SLEEP_MINUTES_MIN, usual.bed if wake >= usual.wake else 0)
    bed = usual.bed if bedtime is None else minute_of(bedtime, now=now, until=usual.wake)
    return Night(bed=max(min(bed, latest), now + SLOT_MINUTES_MIN), wake=wake)


def minutes_apart(clock: str, minute: int) -> int:
    """Return how far a time of day is from the minute, of any day."""
    apart_by = (_minute(clock) - minute) % MINUTES_PER_DAY
    return min(apart_by, MINUTES_PER_DAY - apart_by)


def moved_time(
    field: str, answered: str, *, asked: int, used: int, begins: int
) -> Iterator[Difference]:
    """Yield the difference of a time that is used at another minute than it was asked for."""
    if used != asked:
        reason = OVER if asked < begins else FIRST if used == begins else NEIGHBOUR
        yield Difference(field=field, answered=answered, used=clock_text(used), reason=reason)


def moved_start(
    path: str,
    answered: tuple[str, str],
    *,
    asked: int,
    used: AnsweredTime | None,
    span: tuple[int, int],
    late: str,
) -> Iterator[Difference]:
    """Yield the difference of what begins at another minute than answered, or is left out.

    :param answered: its start and its activity.
    :param late: the reason why nothing that begins after the span is used.
    """
    starts, activity = answered
    if used is None:
        reason = late if asked >= span[1] else NO_ROOM
        yield Difference(field=path, answered=activity, used="", reason=reason)
    else:
        yield from moved_time(
            f"{path}.starts", starts, asked=asked, used=used.start, begins=span[0]
        )


def moved_night(field: str, answered: str | None, used: int) -> Iterator[Difference]:
    """Yield the difference of an answered bedtime or waking hour, None where none is given."""
    if answered is not None and minutes_apart(answered, used):
        yield Difference(field=field, answered=answered, used=clock_text(used), reason=NIGHT)


def clock_text(minute: int) -> str:
    """Return the minute as answers give it: "13:30"; "25:30" after the next midnight."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _minute(clock: str) -> int:
    minute = parse_clock(clock)
    assert minute is not None, "the form of the field requires a time of day"
    return minute


def apart(times: Sequence[AnsweredTime], *, begins: int, ends: int) -> list[AnsweredTime]:
    """Return the times in order, moved and cut as little as makes each last SLOT_MINUTES_MIN.

    Those that begin at `ends` or later are dropped, and the shortest where the span is too
    short for all.
    """
    early = sorted((one for one in times if one.start < ends), key=lambda one: one.start)
    kept = _fitting(early, begins=begins, ends=ends)
    if not kept:
        return []
    starts: list[int] = []
    for one in kept:
        earliest = starts[-1] + SLOT_MINUTES_MIN if starts else begins
        starts.append(max(one.start, earliest))
    latest = ends
    for at in reversed(range(len(starts))):
        latest = max(begins, latest - SLOT_MINUTES_MIN)
        starts[at] = latest = min(starts[at], latest)
    if starts[0] - begins < SLOT_MINUTES_MIN:
        starts[0] = begins
    return [
        _joined_to_next(replace(one, start=start), until)
        for one, start, until in zip(kept, starts, [*starts[1:], ends], strict=True)
    ]


def _fitting(times: Sequence[AnsweredTime], *, begins: int, ends: int) -> list[AnsweredTime]:
    count = max(1, (ends - begins) // SLOT_MINUTES_MIN)
    longest = sorted(times, key=lambda one: -one.minutes)[:count]
    return [one for one in times if one in longest]


def _joined_to_next(one: AnsweredTime, until: int) -> AnsweredTime:
    """Return the time with its end; it lasts until the next one if little is between them."""
    end = one.end if one.end > one.start else until
    end = min(max(end, one.start + SLOT_MINUTES_MIN), until)
    return replace(one, end=until if until - end < SLOT_MINUTES_MIN else end)


def consecutive(
    starts: Sequence[int], *, least: Sequence[int], begins: int, ends: int
) -> list[AnsweredTime]:
    """Return times in order that last until the next one, moved as little as possible.

    The first begins at `begins`, and the last lasts until `ends`. Those that begin at `ends` or
    later are dropped, but for the first of all, and the last ones where the span is too short
    for the least lengths.

    :param least: minutes that each time lasts at least, where the span allows it.
    """
    in_order = sorted(range(len(starts)), key=starts.__getitem__)
    kept = [index for index in in_order if starts[index] < ends] or in_order[:1]
    while len(kept) > 1 and sum(least[index] for index in kept) > ends - begins:
        kept.pop()
    moved = [begins]
    for before, index in pairwise(kept):
        moved.append(max(starts[index], moved[-1] + least[before]))
    latest = ends
    for at in reversed(range(1, len(kept))):
        latest -= least[kept[at]]
        moved[at] = latest = min(moved[at], latest)
    return [
        AnsweredTime(index=index, start=start, end=end)
        for index, start, end in zip(kept, moved, [*moved[1:], ends], strict=False)
    ]


def walks_before(inputs: HourActionsInput, areas: Sequence[str]) -> tuple[int, ...]:
    """Return the minutes of the walk to each of the areas, from the one before it.

    The walk to the place is over when the hour of the input begins; only what the first area is
    farther away counts.
    """
    return tuple(_walks(inputs, areas))


def _walks(inputs: HourActionsInput, areas: Sequence[str]) -> Iterator[int]:
    before = inputs.surroundings.current_area
    for number, area in enumerate(areas):
        option = inputs.area_of(area)
        path = "" if option is None else option.path
        minutes = inputs.walks.get(before, {}).get(path, 0)
        yield max(0, minutes - inputs.walk_minutes) if number == 0 else minutes
        before = path
