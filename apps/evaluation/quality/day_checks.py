"""Checks on a record day, each of which names what is wrong with it; an empty list is good."""

from collections import Counter, defaultdict
from itertools import pairwise

from apps import history
from apps.history import Action, DayRecord, PlanItem
from apps.kernel.language import noted, phrase, use_language
from apps.llm.hashing_embedding import words_of

HOUR = 60
DAY = 1_440
# Who is inside when a place closes has this long to walk out.
LEAVING_MINUTES = 3
MEALS_MIN = 3
MEAL_MINUTES_MIN = 4
# Meals whose beginnings are no further apart are one.
MEAL_APART_MINUTES = 75
# Words of actions, in the language of the world. A bite is no meal, unless a meal is named.
EATING = noted("eating dining")
HAVING = noted("having sharing taking")
MEALS = noted("breakfast lunch dinner supper meal")
BITES = noted("apple fruit biscuit cake snack")


def wrong_hours(record: DayRecord, *, within: int = HOUR) -> list[str]:
    """Return who wakes or goes to bed more than `within` minutes off their hours."""
    found = []
    for agent, person in record.agents.items():
        wakes, sleeps = first_waking(record, agent), bedtime(record, agent)
        for what, expected, minute in (
            ("wakes", person.hours.wake, wakes),
            ("goes to bed", person.hours.sleep, sleeps),
        ):
            if minute is None and expected + within > record.minute(record.last_tick):
                continue  # the record ends before
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
    bed = record.agents[agent].bed
    asleep = (
        record.minute(action.from_tick)
        for action in record.tracks[agent].actions
        if action.asleep and action.object == bed
    )
    return next((minute for minute in asleep if waking is not None and minute > waking), None)


def unfed(record: DayRecord) -> list[str]:
    """Return who has fewer than MEALS_MIN meals, whenever and wherever they are eaten."""
    counted = {agent: len(meals(record, agent)) for agent in record.agents}
    return [
        f"{agent} eats {count} times" for agent, count in counted.items() if count < MEALS_MIN
    ]


def why_no_meals(record: DayRecord) -> str:
    """Return why meals cannot be counted, "" if they can."""
    if any(meals(record, agent) for agent in record.agents):
        return ""
    return "no action of the day has words of eating in the language of the world"


def meals(record: DayRecord, agent: str) -> list[int]:
    """Return the minutes at which the person begins to eat a meal."""
    with use_language(record.world.language):
        eaten = [
            record.minute(action.from_tick)
            for action in begun_in(record, agent, (0, DAY))
            if _is_meal(action) and minutes_of(record, agent, action) >= MEAL_MINUTES_MIN
        ]
    return [
        minute
        for before, minute in pairwise([-DAY, *eaten])
        if minute - before > MEAL_APART_MINUTES
    ]


def _is_meal(action: Action) -> bool:
    """Say whether the action is eating a meal, by the words of the world's language."""
    words = frozenset(words_of(action.description))
    eats, has, meal, bite = (
        not words.isdisjoint(words_of(phrase(one))) for one in (EATING, HAVING, MEALS, BITES)
    )
    return (eats and (meal or not bite)) or (has and meal)


def minutes_of(record: DayRecord, agent: str, action: Action) -> int:
    """Return for how many minutes the person did it."""
    return round(record.calendar.minutes_of(record.ended(agent, action) - action.from_tick))


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
    for agent in record.agents:
        for stay in record.stays(agent):
            late = range(stay.from_tick + ticks, stay.to_tick, ticks)
            if history.hours_of(record.world.tree, stay.area) is None if stay.area else True:
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
    for agent in record.agents:
        for level in ("outline", "hour"):
            items = [item for item in record.plans.get(agent, ()) if item.level == level]
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
    times = Counter(record.turned_away)
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
        history.may_enter(
            record.world.tree,
            person=record.agents[agent].name,
            area=area,
            minute=record.minute(tick) % DAY,
        )
        is not None
    )


def _same_place(record: DayRecord, one: str, other: str) -> bool:
    if not one or not other:
        return False
    return record.world.tree.place_of(one) == record.world.tree.place_of(other)


def _reaches_next_waking(record: DayRecord, agent: str, last: PlanItem) -> bool:
    return record.minute(last.to_tick) % DAY == record.agents[agent].hours.wake % DAY
