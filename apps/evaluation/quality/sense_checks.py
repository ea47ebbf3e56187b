"""Checks that a record day makes sense to who reads it; an empty list is good."""

import re
from collections import Counter
from itertools import pairwise

from apps import history
from apps.evaluation.quality.day_checks import DAY, HOUR, begun_in, meals, minutes_of
from apps.history import Action, ActionKind, DayRecord, is_in

# A keeper may be so late, and leave so early.
KEEPING_MARGIN = 5
SOUND_ASLEEP_AFTER = HOUR
AWAKE_PIECE = 12 * HOUR
DIFFERENT_IN_A_PIECE = 15
LOOKED_AT_EVERY = 10
MEALS_MOST = 4
QUICK = re.compile(
    r"^(?:switching off|locking the door|brushing|making the bed|getting dressed)"
)
QUICK_MINUTES = 11
WAITING = re.compile(r"waiting for|passing the time")
SAME_MOST = 9
PEOPLE_IN_A_PLACE_MOST = 17


def unkept(record: DayRecord) -> list[str]:
    """Return which places no keeper is in when they have just opened or are about to close."""
    found = []
    for place in record.world.tree.places:
        hours, keepers = (
            history.hours_of(record.world.tree, place.path),
            _keepers(record, place.path),
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


def dawdling(record: DayRecord) -> list[str]:
    """Return who takes very long for what is done in a moment."""
    return [
        f"{agent} is {action.description} for {minutes} minutes"
        for agent in record.agents
        for action in begun_in(record, agent, (0, DAY))
        if QUICK.search(action.description)
        if (minutes := minutes_of(record, agent, action)) > QUICK_MINUTES
    ]


def repetitive(record: DayRecord) -> list[str]:
    """Return who does the same again and again, or twice in a row.

    A talk begins anew with each utterance, and what it broke off is gone on with after it:
    talks are left out, and what stands for one item of a plan counts once.
    """
    found = []
    for agent in record.agents:
        awake = [
            action
            for action in begun_in(record, agent, (0, DAY))
            if not action.asleep and action.kind is not ActionKind.TALKING
        ]
        done = [
            action.description
            for before, action in pairwise([None, *awake])
            if action is not None and not _goes_on(before, action)
        ]
        times = Counter(what for what in done if not WAITING.match(what))
        found += [f"{agent}: {what}, {n} times" for what, n in times.items() if n > SAME_MOST]
        found += [
            f"{agent}: {one} twice in a row"
            for one, other in pairwise(done)
            if one == other and not WAITING.match(one)
        ]
    return found


def _goes_on(before: Action | None, action: Action) -> bool:
    """Say whether the action is the one before, taken up again."""
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


def _keepers(record: DayRecord, place: str) -> list[str]:
    names = history.keepers_of(record.world.tree, place)
    return [agent for agent, person in record.agents.items() if person.name in names]
