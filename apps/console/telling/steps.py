"""What was done, walks put together, hour by hour, and how it compares with the plan."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.console.telling.day import Day, Deed, Planned, Sight

NO_TIME = timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """What was done in one area, one thing after the other, each with how long.

    `set_out` is when the walk there began, None where there was none; `came_from` is the
    area before, None for the first.
    """

    begins: datetime
    area: str
    came_from: str | None
    set_out: datetime | None
    deeds: tuple[tuple[str, timedelta], ...]

    @property
    def has_moved(self) -> bool:
        """Whether the person came here from another area."""
        return self.came_from is not None and self.came_from != self.area


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """A planned hour with what became of it and who was noticed in it."""

    planned: Planned
    stays: tuple[Stay, ...]
    sights: tuple[Sight, ...]


@dataclass(slots=True, kw_only=True)
class Balance:
    """How the time of a chunk was spent, and which of its actions were never begun."""

    as_planned: timedelta = NO_TIME
    walking: timedelta = NO_TIME
    otherwise: timedelta = NO_TIME
    never_begun: list[str] = field(default_factory=list)


def hours_of(day: Day, chunk: Planned) -> Iterator[Hour]:
    """Yield the hours of the chunk that had begun when the story ends."""
    hours = [hour for hour in chunk.parts or (chunk,) if hour.begins < day.told_to]
    starts = [hour.begins for each in day.chunks for hour in each.parts or (each,)]
    stays = list(stays_of(day.deeds, breaks=starts))
    for hour in hours:
        following = bisect_right(starts, hour.begins)
        until = starts[following] if following < len(starts) else day.told_to
        yield Hour(
            planned=hour,
            stays=tuple(stay for stay in stays if hour.begins <= stay.begins < until),
            sights=tuple(sight for sight in day.sights if hour.begins <= sight.time < until),
        )


def stays_of(deeds: Iterable[Deed], *, breaks: Sequence[datetime] = ()) -> Iterator[Stay]:
    """Yield the stays; one is cut where a break lies between the beginnings of its deeds.

    Walks that follow one another are one walk, and a walk within an area is none.
    """
    kept: list[Deed] = []
    set_out: datetime | None = None
    came_from: str | None = None
    walk: datetime | None = None
    for deed in deeds:
        if deed.is_walk:
            walk = walk or deed.begins
            continue
        if kept and (deed.area != kept[0].area or _is_parted(kept[0], deed, breaks)):
            yield _stay(kept, came_from, set_out)
            came_from, kept = kept[0].area, []
        if not kept:
            set_out = walk
        kept.append(deed)
        walk = None
    if kept:
        yield _stay(kept, came_from, set_out)


def last_walk(deeds: Sequence[Deed]) -> Deed | None:
    """Return the walk that was still going on at the end; None if there was none."""
    return deeds[-1] if deeds and deeds[-1].is_walk else None


def balance_of(day: Day, chunk: Planned) -> Balance:
    """Return how the time of the chunk was spent, as far as the story goes."""
    actions = {action.number: action for hour in chunk.parts for action in hour.parts}
    balance, begun = Balance(), set()
    for deed in day.deeds:
        time = min(deed.ends, chunk.ends) - max(deed.begins, chunk.begins)
        action = actions.get(deed.plan_item)
        is_planned = action is not None and action.description == deed.description
        if is_planned:
            begun.add(deed.plan_item)
        if time <= NO_TIME:
            continue
        if deed.is_walk:
            balance.walking += time
        elif is_planned:
            balance.as_planned += time
        else:
            balance.otherwise += time
    balance.never_begun = [
        action.description
        for number, action in actions.items()
        if number not in begun and action.begins < day.told_to
    ]
    return balance


def _is_parted(first: Deed, later: Deed, breaks: Sequence[datetime]) -> bool:
    return bisect_right(breaks, first.begins) != bisect_right(breaks, later.begins)


def _stay(deeds: Sequence[Deed], came_from: str | None, set_out: datetime | None) -> Stay:
    spent: list[tuple[str, timedelta]] = []
    for deed in deeds:
        time = deed.ends - deed.begins
        if spent and spent[-1][0] == deed.description:
            time += spent.pop()[1]
        spent.append((deed.description, time))
    return Stay(
        begins=deeds[0].begins,
        area=deeds[0].area,
        came_from=came_from,
        set_out=set_out,
        deeds=tuple(spent),
    )
