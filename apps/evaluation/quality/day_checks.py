"""Checks on a record day, each of which names what is wrong with it; an empty list is good."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from apps.agents.events import ActionKind
from apps.history import Action, ActKind, DayRecord, PlanItem, is_in
from apps.kernel.language import noted, phrase, use_language
from apps.kernel.words import words_of

HOUR = 60
DAY = 1_440
# Who is inside when a place closes has this long to walk out.
LEAVING_MINUTES = 3
MEALS_MIN = 3
TURNED_AWAY_MAX = 8
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
        if record.is_closed_to(agent, area, tick)
    ]


def stayed_after_closing(record: DayRecord) -> list[str]:
    """Return who is still inside some minutes after a place has closed to them."""
    ticks = record.calendar.ticks_of(minutes=LEAVING_MINUTES)
    found = []
    for agent in record.agents:
        for stay in record.stays(agent):
            late = range(stay.from_tick + ticks, stay.to_tick, ticks)
            if record.opening_hours(stay.area) is None if stay.area else True:
                continue
            shut = [
                tick
                for tick in late
                if record.is_closed_to(agent, stay.area, tick)
                and record.is_closed_to(agent, stay.area, tick - ticks)
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


def often_turned_away(record: DayRecord, *, most: int = TURNED_AWAY_MAX) -> list[str]:
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


def _same_place(record: DayRecord, one: str, other: str) -> bool:
    if not one or not other:
        return False
    return record.world.tree.place_of(one) == record.world.tree.place_of(other)


def _reaches_next_waking(record: DayRecord, agent: str, last: PlanItem) -> bool:
    return record.minute(last.to_tick) % DAY == record.agents[agent].hours.wake % DAY


# A keeper may be so late, and leave so early.
KEEPING_MARGIN = 5
SOUND_ASLEEP_AFTER = HOUR
AWAKE_PIECE = 12 * HOUR
DIFFERENT_IN_A_PIECE = 15
LOOKED_AT_EVERY = 10
MEALS_MOST = 4
SAME_MOST = 9
PEOPLE_IN_A_PLACE_MOST = 17


def unkept(record: DayRecord) -> list[str]:
    """Return which places no keeper is in when they have just opened or are about to close."""
    found = []
    for place in record.world.tree.places:
        hours, keepers = (
            record.opening_hours(place.path),
            record.keepers(place.path),
        )
        if hours is None or not keepers:
            continue
        for minute in (hours[0] + KEEPING_MARGIN, hours[1] - KEEPING_MARGIN):
            tick = record.calendar.ticks_of(minutes=minute)
            if not any(is_in(record.areas[who][tick], place.path) for who in keepers):
                found.append(f"{place.path} has no keeper at {record.time(tick):%H:%M}")
    return found


def sleepless(record: DayRecord) -> list[str]:
    """Return who is up in the middle of their night."""
    found = []
    for agent, person in record.agents.items():
        bed = person.hours.sleep + SOUND_ASLEEP_AFTER
        up = person.hours.wake - SOUND_ASLEEP_AFTER
        for minute in range(0, record.minute(record.last_tick), LOOKED_AT_EVERY):
            at_night = (minute < up and minute >= bed - DAY) or bed <= minute < up + DAY
            action = record.tracks[agent].action_at(record.calendar.ticks_of(minutes=minute))
            if at_night and action is not None and not action.asleep:
                found.append(f"{agent} is {action.description} at minute {minute}")
    return found


def overfed(record: DayRecord) -> list[str]:
    """Return who sits down to more meals than anybody eats in a day."""
    counted = {agent: len(meals(record, agent)) for agent in record.agents}
    return [
        f"{agent} eats {count} times" for agent, count in counted.items() if count > MEALS_MOST
    ]


def repetitive(record: DayRecord) -> list[str]:
    """Return who does the same again and again, or twice in a row.

    Each utterance begins an action of its own, and the interrupted action is resumed after
    the conversation: talking is left out, and consecutive actions of one plan item count once.
    """
    found = []
    for agent in record.agents:
        awake = [
            action
            for action in begun_in(record, agent, (0, DAY))
            if not action.asleep and action.kind is not ActionKind.TALKING
        ]
        # Two waits in a row are no repetition.
        done = [
            "" if _is_waiting(action) else action.description
            for before, action in pairwise([None, *awake])
            if action is not None and not _is_resumed(before, action)
        ]
        times = Counter(filter(None, done))
        found += [f"{agent}: {what}, {n} times" for what, n in times.items() if n > SAME_MOST]
        found += [
            f"{agent}: {one} twice in a row"
            for one, other in pairwise(done)
            if one and one == other
        ]
    return found


def _is_waiting(action: Action) -> bool:
    idle = (ActionKind.WAITING, ActionKind.PASSING_TIME)
    return action.kind in idle or action.act is ActKind.WAIT_FOR


def _is_resumed(before: Action | None, action: Action) -> bool:
    """Return whether the action resumes the one before."""
    return (
        before is not None
        and before.description == action.description
        and before.plan_item == action.plan_item
    )


def crowded(record: DayRecord) -> list[str]:
    """Return which places hold more people at a time than could be talked with."""
    found = []
    for minute in range(0, record.minute(record.last_tick), LOOKED_AT_EVERY):
        tick = record.calendar.ticks_of(minutes=minute)
        areas = (record.areas[agent][tick] for agent in record.agents)
        inside = Counter(area for area in areas if area)
        found += [
            f"{count} people in {area} at {record.time(tick):%H:%M}"
            for area, count in inside.items()
            if count > PEOPLE_IN_A_PLACE_MOST
        ]
    return found


def monotonous(record: DayRecord) -> list[str]:
    """Return who does hardly anything different for twelve waking hours."""
    found = []
    for agent, person in record.agents.items():
        begins = range(person.hours.wake, person.hours.sleep - AWAKE_PIECE + 1, HOUR)
        for start in begins:
            done = {
                a.description for a in begun_in(record, agent, (start, start + AWAKE_PIECE))
            }
            if len(done) < DIFFERENT_IN_A_PIECE:
                found.append(f"{agent} does only {len(done)} things from minute {start}")
    return found


Faults = Callable[[DayRecord], list[str]]


@dataclass(frozen=True, slots=True)
class QualityCheck:
    """A check of the record of a day; `faults` returns what is wrong, in words.

    `why_not` returns why it says nothing of the record, "" if it does.
    """

    name: str
    faults: Faults
    why_not: Callable[[DayRecord], str] = lambda _: ""


# Impossible behaviour, then behaviour that makes no sense.
QUALITY_CHECKS: Sequence[QualityCheck] = (
    QualityCheck("on-walls", on_walls),
    QualityCheck("leaps", leaps),
    QualityCheck("in-two-places", in_two_places),
    QualityCheck("closed-places-entered", entered_closed),
    QualityCheck("stays-after-closing", stayed_after_closing),
    QualityCheck("rooms-over-capacity", shared_rooms),
    QualityCheck("plans-with-gaps", untiled_plans),
    QualityCheck("hours-of-sleep", wrong_hours),
    QualityCheck("awake-at-night", sleepless),
    QualityCheck("often-turned-away", often_turned_away),
    QualityCheck("places-not-kept", unkept),
    QualityCheck("crowded-places", crowded),
    QualityCheck("monotonous-days", monotonous),
    QualityCheck("repeated-actions", repetitive),
    QualityCheck("meals-missed", unfed, why_no_meals),
    QualityCheck("meals-too-often", overfed, why_no_meals),
)
