"""What has to hold of a lived day of all of Smallville, whatever the seed: checks by name."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from typing import TypeAlias
from uuid import UUID

from apps.evaluation.quality import day_checks
from apps.evaluation.quality.day_checks import minutes_of
from apps.history import DayRecord, is_in
from apps.simulation import queries
from apps.world.norms import keepers_of
from tests.support.smallville_routines import ROUTINES

UNTIL = "2023-02-14T03:00"
PEOPLE = 25
TURNED_AWAY_AT_MOST = 8
# Of all people, so many use something at the place for so many minutes without keeping it; of
# fewer people, their share.
CUSTOMERS = {
    "Hobbs Cafe": 8,
    "The Rose and Crown Pub": 3,
    "Harvey Oak Supply Store": 4,
    "The Willows Market and Pharmacy": 4,
}
CUSTOMER_MINUTES = 5
ALIKE_MOST = 0.5


def first_tick_of(simulation_id: UUID, day: int) -> int:
    """Return the tick at which the nth day of a simulation begins, counted from 0."""
    calendar = queries.calendar_of(simulation_id)
    return calendar.tick_at(calendar.start + timedelta(days=day))


def absent(
    record: DayRecord,
    routine: Mapping[str, Sequence[tuple[str, str, str]]],
    *,
    share: float = 0.8,
) -> list[str]:
    """Return who spends less than the share of (from, to, node) where the routine has them."""
    found = []
    for agent in sorted(routine.keys() & record.agents.keys()):
        for start, end, node in routine[agent]:
            ticks = range(record.tick(start), record.tick(end))
            there = sum(is_in(record.areas[agent][tick], node) for tick in ticks) / len(ticks)
            if there < share:
                found.append(f"{agent}: {there:.0%} of {start} to {end} at {node}")
    return found


def served_at(record: DayRecord, place: str) -> dict[str, int]:
    """Return who used something at the place without keeping it, and for how many minutes."""
    served: Counter[str] = Counter()
    keepers = keepers_of(record.world.tree, place)
    for agent, person in record.agents.items():
        for action in record.actions(agent):
            if person.name not in keepers and is_in(action.object, place):
                served[agent] += minutes_of(record, agent, action)
    return dict(served)


def alike(record: DayRecord, agents: Iterable[str]) -> list[str]:
    """Return pairs of people whose days consist of largely the same."""
    done = {agent: {action.description for action in record.actions(agent)} for agent in agents}
    return [
        f"{one} and {other}: {likeness:.0%}"
        for one, other in combinations(sorted(done), 2)
        if (likeness := len(done[one] & done[other]) / len(done[one] | done[other]))
        > ALIKE_MOST
    ]


def customers(lived: DayRecord, place: str) -> int:
    """Return how many people were served at the place."""
    served = served_at(lived, place).values()
    return sum(minutes >= CUSTOMER_MINUTES for minutes in served)


# What English words name is done in a moment.
QUICK = re.compile(
    r"^(?:switching off|locking the door|brushing|making the bed|getting dressed)"
)
QUICK_MINUTES = 11


def dawdling(record: DayRecord) -> list[str]:
    """Return who takes very long for what is done in a moment."""
    return [
        f"{agent} is {action.description} for {minutes} minutes"
        for agent in record.agents
        for action in day_checks.begun_in(record, agent, (0, day_checks.DAY))
        if QUICK.search(action.description)
        if (minutes := day_checks.minutes_of(record, agent, action)) > QUICK_MINUTES
    ]


def _missing(lived: DayRecord) -> list[str]:
    return [] if len(lived.agents) == PEOPLE else [f"{len(lived.agents)} people"]


def _without_customers(lived: DayRecord) -> list[str]:
    served = {place: customers(lived, place) for place in CUSTOMERS}
    return [
        f"{place} has {served[place]} customers"
        for place, least in CUSTOMERS.items()
        if served[place] < least * len(lived.agents) // PEOPLE
    ]


def _alike_artists(lived: DayRecord) -> list[str]:
    artists = [who for who, person in lived.agents.items() if "co-living" in person.home]
    return alike(lived, artists)


Check: TypeAlias = Callable[[DayRecord], list[str]]
CHECKS_OF_SOME: Mapping[str, Check] = {
    "wake and go to bed within an hour of their hours": day_checks.wrong_hours,
    "eat three times where one eats": day_checks.unfed,
    "are at work or in class when their routine says so": lambda lived: absent(lived, ROUTINES),
    "plan a day without gap or overlap": day_checks.untiled_plans,
    "are turned away no more than now and then": lambda lived: day_checks.often_turned_away(
        lived, most=TURNED_AWAY_AT_MOST
    ),
    "do something else every now and then": day_checks.monotonous,
    "artists have days of their own": _alike_artists,
    "cafe, pub and shops have customers": _without_customers,
    "open and close what they keep": day_checks.unkept,
    "sleep at night": day_checks.sleepless,
    "eat no more than people do": day_checks.overfed,
    "take a moment for what takes a moment": dawdling,
    "do not do the same again and again": day_checks.repetitive,
    "do not all stand in one place": day_checks.crowded,
    "keep off the walls": day_checks.on_walls,
    "take one step at a time": day_checks.leaps,
    "are in one place at a time": day_checks.in_two_places,
    "enter nothing that is closed": day_checks.entered_closed,
    "leave when a place closes": day_checks.stayed_after_closing,
    "share no room for one": day_checks.shared_rooms,
}
"""Those that some of the people can pass."""
CHECKS: Mapping[str, Check] = {"everybody is there": _missing, **CHECKS_OF_SOME}
