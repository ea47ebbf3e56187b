"""Checks on a record day, each of which names what is wrong with it; an empty list is good."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from apps.agents.track import Action
from apps.evaluation.quality.day_record import DayRecord, is_in
from apps.planning.models import PlanItemRow
from apps.world.norms import hours_of, keepers_of, may_enter

HOUR = 60
DAY = 1_440
# Who is inside when a place closes has this long to walk out.
LEAVING_MINUTES = 3
EATING = re.compile(
    r"\beating (?!an apple|some fruit|a biscuit|a piece of cake)|\beating\b.*\blunch\b",
    re.IGNORECASE,
)
MEAL_MINUTES_MIN = 4
EATEN_AT = frozenset(
    {
        "table",
        "bed",
        "tables",
        "dining table",
        "desk",
        "desk with a computer",
        "customer seating",
        "benches",
        "behind the counter",
        "behind the bar counter",
        "behind the grocery counter",
        "behind the pharmacy counter",
    }
)


def wrong_hours(record: DayRecord, *, within: int = HOUR) -> list[str]:
    """Return who wakes or goes to bed more than `within` minutes off their hours."""
    found = []
    for agent, person in record.people.items():
        wakes, sleeps = first_waking(record, agent), bedtime(record, agent)
        for what, expected, minute in (
            ("wakes", person.hours.wake, wakes),
            ("goes to bed", person.hours.sleep, sleeps),
        ):
            if minute is None or abs(minute - expected) > within:
                found.append(f"{agent} {what} at minute {minute}, not {expected}")
    return found


def first_waking(record: DayRecord, agent: str) -> int | None:
    """Return the minute at which the person is up for good."""
    actions = record.tracks[agent].actions
    night = [at for at, action in enumerate(actions) if action.asleep]
    up = (action for action in actions[night[0] :] if not action.asleep) if night else ()
    return next((record.minute(action.from_tick) for action in up), None)


def bedtime(record: DayRecord, agent: str) -> int | None:
    """Return the minute at which the person lies in their own bed after the day."""
    waking = first_waking(record, agent)
    bed = record.people[agent].bed
    asleep = (
        record.minute(action.from_tick)
        for action in record.tracks[agent].actions
        if action.asleep and action.object == bed
    )
    return next((minute for minute in asleep if waking is not None and minute > waking), None)


def unfed(record: DayRecord, *, eaten_at: frozenset[str] = EATEN_AT) -> list[str]:
    """Return who misses breakfast, lunch or dinner, by what is done on which object."""
    return [
        f"{agent} has no {meal}"
        for agent in record.people
        for meal, span in mealtimes(record, agent).items()
        if not any(
            is_meal(action, eaten_at) and minutes_of(record, agent, action) >= MEAL_MINUTES_MIN
            for action in begun_in(record, agent, span)
        )
    ]


def mealtimes(record: DayRecord, agent: str) -> dict[str, tuple[int, int]]:
    """Return the minutes between which each meal is begun."""
    hours = record.people[agent].hours
    dinner = hours.dinner or 18 * HOUR
    return {
        "breakfast": (hours.wake, hours.wake + 3 * HOUR),
        "lunch": (11 * HOUR, 15 * HOUR + 30),
        "dinner": (dinner - HOUR, dinner + 3 * HOUR),
    }


def is_meal(action: Action, eaten_at: frozenset[str] = EATEN_AT) -> bool:
    """Say whether the action is eating a meal, by words and by the object used."""
    name = action.object.rpartition(": ")[2]
    return EATING.search(action.description) is not None and name in eaten_at


def minutes_of(record: DayRecord, agent: str, action: Action) -> int:
    """Return for how many minutes the person did it."""
    return round(record.calendar.minutes_of(record.ended(agent, action) - action.from_tick))


def absent(
    record: DayRecord,
    routine: Mapping[str, Sequence[tuple[str, str, str]]],
    *,
    share: float = 0.8,
) -> list[str]:
    """Return who spends less than the share of (from, to, node) where the routine has them."""
    found = []
    for agent, spans in routine.items():
        for start, end, node in spans:
            there = record.share_in(agent, node, (start, end))
            if there < share:
                found.append(f"{agent}: {there:.0%} of {start} to {end} at {node}")
    return found


def customers(record: DayRecord, place: str) -> dict[str, int]:
    """Return who used something at the place without keeping it, and for how many minutes."""
    served: Counter[str] = Counter()
    keepers = keepers_of(record.world.tree, place)
    for agent, person in record.people.items():
        for action in record.actions(agent):
            if person.name not in keepers and is_in(action.object, place):
                served[agent] += minutes_of(record, agent, action)
    return dict(served)


def on_walls(record: DayRecord) -> list[str]:
    """Return who stands, at the end of any tick, where one cannot stand."""
    return [
        f"{agent} at {tile} in tick {tick}"
        for agent, tiles in record.tiles.items()
        for tick, tile in enumerate(tiles)
        if not record.world.map.is_walkable(tile)
    ]


def leaps(record: DayRecord) -> list[str]:
    """Return who gets further than a step up, down, left or right in a tick."""
    return [
        f"{agent} from {before} to {after} in tick {tick}"
        for agent, tiles in record.tiles.items()
        for tick, (before, after) in enumerate(pairwise(tiles), start=1)
        if abs(before[0] - after[0]) + abs(before[1] - after[1]) > 1
    ]


def in_two_places(record: DayRecord) -> list[str]:
    """Return who does two things at once or does something where they are not."""
    found = []
    for agent, track in record.tracks.items():
        starts = [action.from_tick for action in track.actions]
        if any(later <= earlier for earlier, later in pairwise(starts)):
            found.append(f"{agent} begins two things in one tick")
        for action in record.actions(agent):
            if action.from_tick <= record.last_tick:
                area = record.areas[agent][action.from_tick]
                if area != action.area:
                    found.append(f"{agent} does something in {action.area} while in {area}")
    return found


def entered_closed(record: DayRecord) -> list[str]:
    """Return who steps into a place that is closed to them."""
    return [
        f"{agent} enters {area} at {record.time(tick):%H:%M:%S}"
        for agent, areas in record.areas.items()
        for tick, (before, area) in enumerate(pairwise(areas), start=1)
        if area != before and not _same_place(record, before, area)
        if _closed(record, agent, area, tick)
    ]


def stayed_after_closing(record: DayRecord) -> list[str]:
    """Return who is still inside some minutes after a place has closed to them."""
    ticks = record.calendar.ticks_of(minutes=LEAVING_MINUTES)
    found = []
    for agent in record.people:
        for stay in record.stays(agent):
            late = range(stay.from_tick + ticks, stay.to_tick, ticks)
            if hours_of(record.world.tree, stay.area) is None if stay.area else True:
                continue
            shut = [
                tick
                for tick in late
                if _closed(record, agent, stay.area, tick)
                and _closed(record, agent, stay.area, tick - ticks)
            ]
            if shut:
                found.append(f"{agent} is in {stay.area} at {record.time(shut[0]):%H:%M:%S}")
    return found


def shared_rooms(record: DayRecord) -> list[str]:
    """Return where more people are in a room, at the end of any tick, than it holds."""
    held = {
        area.path: area.norms.holds
        for area in record.world.tree.areas
        if area.norms.holds is not None
    }
    found = []
    for tick in range(record.last_tick + 1):
        inside: dict[str, list[str]] = defaultdict(list)
        for agent, areas in record.areas.items():
            if areas[tick] in held:
                inside[areas[tick]].append(agent)
        found += [
            f"{' and '.join(agents)} in {area} at {record.time(tick):%H:%M:%S}"
            for area, agents in inside.items()
            if len(agents) > (held[area] or 0)
        ]
    return found


def untiled_plans(record: DayRecord) -> list[str]:
    """Return where the hours or chunks of a plan-day leave a gap or overlap (P1)."""
    found = []
    for agent in record.people:
        for level in ("outline", "hour"):
            items = _of(record.plans, agent, level)
            found += [
                f"{agent}: {level} {item.number} ends at {item.to_tick}, not {after.from_tick}"
                for item, after in pairwise(items)
                if item.to_tick != after.from_tick
            ]
            if not items or not _reaches_next_waking(record, agent, items[-1]):
                found.append(f"{agent}: the {level}s do not reach to the next waking")
    return found


def often_turned_away(record: DayRecord, *, most: int) -> list[str]:
    """Return who is turned away more than so many times."""
    times = Counter(row.agent for row in record.turned_away)
    return [f"{agent} {count} times" for agent, count in sorted(times.items()) if count > most]


def begun_in(record: DayRecord, agent: str, span: tuple[int, int]) -> list[Action]:
    """Return what the person began between the minutes."""
    return [
        action
        for action in record.actions(agent)
        if span[0] <= record.minute(action.from_tick) < span[1]
    ]


def _closed(record: DayRecord, agent: str, area: str, tick: int) -> bool:
    if not area:
        return False
    return (
        may_enter(
            record.world.tree,
            person=record.people[agent].name,
            area=area,
            minute=record.minute(tick) % DAY,
        )
        is not None
    )


def _same_place(record: DayRecord, one: str, other: str) -> bool:
    if not one or not other:
        return False
    return record.world.tree.place_of(one) == record.world.tree.place_of(other)


def _of(plans: Iterable[PlanItemRow], agent: str, level: str) -> list[PlanItemRow]:
    rows = [row for row in plans if row.agent == agent and row.level == level]
    return sorted(rows, key=lambda row: row.from_tick)


def _reaches_next_waking(record: DayRecord, agent: str, last: PlanItemRow) -> bool:
    return record.minute(last.to_tick) % DAY == record.people[agent].hours.wake % DAY
