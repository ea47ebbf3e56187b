"""Groups the activities of a day by area and hour, and compares them with the plan."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tools.stories.day import Activity, Day, PlannedItem, Sighting

NO_TIME = timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """Consecutive activities in one area, each as (description, duration).

    `set_out` is the start of the walk there, None if there was none; `came_from` is the
    previous area, None for the first stay.
    """

    begins: datetime
    area: str
    came_from: str | None
    set_out: datetime | None
    activities: tuple[tuple[str, timedelta], ...]

    @property
    def has_moved(self) -> bool:
        """Whether the agent came from another area."""
        return self.came_from is not None and self.came_from != self.area


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """A planned hour with the stays and the sightings in it."""

    planned: PlannedItem
    stays: tuple[Stay, ...]
    sightings: tuple[Sighting, ...]


@dataclass(slots=True, kw_only=True)
class Balance:
    """The use of the time of a chunk, and the planned actions that were never begun."""

    as_planned: timedelta = NO_TIME
    walking: timedelta = NO_TIME
    otherwise: timedelta = NO_TIME
    never_begun: list[str] = field(default_factory=list)


def hours_of(day: Day, chunk: PlannedItem) -> Iterator[Hour]:
    """Yield the hours of the chunk that had begun at the end of the story."""
    starts = [hour.begins for each in day.chunks for hour in each.parts or (each,)]
    stays = list(stays_of(day.activities, breaks=starts))
    for hour in chunk.parts or (chunk,):
        if hour.begins >= day.until:
            continue
        following = bisect_right(starts, hour.begins)
        ends = starts[following] if following < len(starts) else day.until
        yield Hour(
            planned=hour,
            stays=tuple(stay for stay in stays if hour.begins <= stay.begins < ends),
            sightings=tuple(one for one in day.sightings if hour.begins <= one.time < ends),
        )


def stays_of(
    activities: Iterable[Activity], *, breaks: Sequence[datetime] = ()
) -> Iterator[Stay]:
    """Yield the stays, divided where a break is between the starts of their activities.

    Consecutive walks are one walk, and a walk within an area is omitted.
    """
    kept: list[Activity] = []
    set_out: datetime | None = None
    came_from: str | None = None
    walk: datetime | None = None
    for activity in activities:
        if activity.is_walk:
            walk = walk or activity.begins
            continue
        if kept and (
            activity.area != kept[0].area
            or bisect_right(breaks, kept[0].begins) != bisect_right(breaks, activity.begins)
        ):
            yield _stay(kept, came_from, set_out)
            came_from, kept = kept[0].area, []
        if not kept:
            set_out = walk
        kept.append(activity)
        walk = None
    if kept:
        yield _stay(kept, came_from, set_out)


def balance_of(day: Day, chunk: PlannedItem) -> Balance:
    """Return the use of the time of the chunk, until the end of the story."""
    actions = {action.number: action for hour in chunk.parts for action in hour.parts}
    balance, begun = Balance(), set()
    for activity in day.activities:
        time = min(activity.ends, chunk.ends) - max(activity.begins, chunk.begins)
        action = actions.get(activity.plan_item)
        is_planned = action is not None and action.description == activity.description
        if is_planned:
            begun.add(activity.plan_item)
        if time <= NO_TIME:
            continue
        if activity.is_walk:
            balance.walking += time
        elif is_planned:
            balance.as_planned += time
        else:
            balance.otherwise += time
    balance.never_begun = [
        f"{action.description} (in vain)" if number in day.acts else action.description
        for number, action in actions.items()
        if number not in begun and action.begins < day.until and not day.acts.get(number)
    ]
    return balance


def _stay(
    activities: Sequence[Activity], came_from: str | None, set_out: datetime | None
) -> Stay:
    durations: list[tuple[str, timedelta]] = []
    for activity in activities:
        time = activity.ends - activity.begins
        if durations and durations[-1][0] == activity.description:
            time += durations.pop()[1]
        durations.append((activity.description, time))
    return Stay(
        begins=activities[0].begins,
        area=activities[0].area,
        came_from=came_from,
        set_out=set_out,
        activities=tuple(durations),
    )
