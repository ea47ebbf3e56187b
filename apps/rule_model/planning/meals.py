"""Meals in the outline of a day: when, where and with whom (P1)."""

import re
from collections.abc import Sequence

from apps.planning.inputs import DayOutlineInput
from apps.rule_model.model import Chance
from apps.rule_model.planning.phrases import Habit
from apps.rule_model.planning.places import Surroundings
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Timeline

HOUR = 60
BREAKFAST_MINUTES = 45
LUNCH = (12 * HOUR, 12 * HOUR + 30, 13 * HOUR)
LUNCH_EARLIEST = 11 * HOUR + 30
LUNCH_LATEST = 14 * HOUR + 30
DINNER = 18 * HOUR + 30
# Dinner waits so long for the end of what keeps the agent busy.
DINNER_DELAY_MAX = 3 * HOUR
_COUNTER = re.compile(r"\bbehind the (\w+ counter)\b")
_FOR_OTHERS = re.compile(r"\bcooks? \w+ (for (?:his|her|their|the) \w+)")
_WITH_OTHERS = re.compile(r"\b(with (?:his|her|their|the) \w+)")


def put_breakfast(
    timeline: Timeline,
    given: DayOutlineInput,
    where: Surroundings,
    habits: Sequence[Habit],
    *,
    earliest: int,
) -> int | None:
    """Put in a breakfast that is usual later than `earliest`; return its minute, or None."""
    habit = _habit(habits, "breakfast")
    if habit is None or habit.start is None or habit.start <= earliest:
        return None
    if timeline.at(habit.start) is not None:
        return None
    span = (habit.start, habit.start + BREAKFAST_MINUTES)
    place = where.named(habit.phrase) or given.home
    place = place if where.lets_in(place, *span) else given.home
    _eat(timeline, _meal("breakfast", habit, given, where, place), span, place)
    return habit.start


def put_lunch(
    timeline: Timeline,
    given: DayOutlineInput,
    where: Surroundings,
    habits: Sequence[Habit],
    chance: Chance,
) -> None:
    """Put in lunch, at its usual hour or when there is time about noon."""
    if given.now_minute > LUNCH_LATEST - HOUR:
        return
    habit = _habit(habits, "lunch")
    wished = max(chance.choice(LUNCH, "lunch"), given.now_minute + 2 * HOUR)
    if habit is not None and habit.start is not None:
        at, minutes = habit.start, HOUR
    else:
        at, minutes = _break(timeline, wished)
    place = _where(timeline, given, where, habit, at, at + minutes)
    _eat(timeline, _meal("lunch", habit, given, where, place), (at, at + minutes), place)


def put_dinner(
    timeline: Timeline,
    given: DayOutlineInput,
    where: Surroundings,
    habits: Sequence[Habit],
    chance: Chance,  # noqa: ARG001 (as for lunch)
) -> None:
    """Put in dinner, at its hour or when work is over."""
    habit = _habit(habits, "dinner")
    wished = given.dinner_minute or (habit.start if habit else None) or DINNER
    if wished < given.now_minute or wished > given.bed_minute - HOUR:
        return
    at, minutes = _free_hour(timeline, wished, wished + DINNER_DELAY_MAX), HOUR
    if timeline.is_promised(at):
        breaks = _breaks(timeline, wished - HOUR, wished + DINNER_DELAY_MAX)
        if not breaks:
            return  # there is something to eat where the agent is expected
        at, minutes = breaks[0]
    place = _where(timeline, given, where, habit, at, at + minutes)
    _eat(timeline, _meal("dinner", habit, given, where, place), (at, at + minutes), place)


def _habit(habits: Sequence[Habit], meal: str) -> Habit | None:
    return next((habit for habit in habits if habit.meal == meal), None)


def _break(timeline: Timeline, wished: int) -> tuple[int, int]:
    """Return when lunch begins and for how long: a free hour, else a shorter break."""
    at = _free_hour(timeline, wished, LUNCH_LATEST)
    if timeline.at(at) is None:
        return at, HOUR
    breaks = _breaks(timeline, LUNCH_EARLIEST, LUNCH_LATEST)
    return breaks[0] if breaks else (at, HOUR)


def _breaks(timeline: Timeline, earliest: int, latest: int) -> list[tuple[int, int]]:
    """Return when there is time for a meal, and for how many minutes, up to an hour."""
    return [
        (max(start, earliest), min(end - max(start, earliest), HOUR))
        for start, end in timeline.gaps(LEAST_MINUTES)
        if start <= latest and end - earliest >= LEAST_MINUTES
    ]


def _free_hour(timeline: Timeline, wished: int, latest: int) -> int:
    """Return when the first free hour from the wished minute on begins, else the wished one."""
    starts = (max(start, wished) for start, end in timeline.gaps(HOUR) if end >= wished + HOUR)
    return next((start for start in starts if start <= latest), wished)


def _where(
    timeline: Timeline,
    given: DayOutlineInput,
    where: Surroundings,
    habit: Habit | None,
    start: int,
    end: int,
) -> str:
    """Return where the phrases say, where the agent is busy, else the home."""
    wished = [where.named(habit.phrase)] if habit is not None else []
    others = [
        place.path
        for place in where.places
        if re.search(r"\b(?:eating|dining|mess)\b|\brefectory$", place.path.lower())
    ]
    busy = timeline.at(start)
    if busy is not None:
        wished.append(busy.place)
    wished += [where.narrowed(one, "eating a meal") for one in others]
    return next((one for one in wished if one and where.lets_in(one, start, end)), given.home)


def _meal(
    meal: str, habit: Habit | None, given: DayOutlineInput, where: Surroundings, place: str
) -> str:
    """Return the meal as a plan, with whom, for whom or where it is if that is said."""
    phrase = "" if habit is None else habit.phrase
    kept = where.kept
    if kept is not None and place == kept.path:
        counter = _COUNTER.search(phrase)
        at = f"behind the {counter[1] if counter else 'counter'} of {where.in_words(place)}"
        return f"eat a bite of {meal} {at}"
    for_others = _FOR_OTHERS.search(phrase)
    if place != given.home:
        kind = "in" if place.partition(": ")[2] else "at"
        return f"have {meal} {kind} {where.in_words(place)}"
    if for_others:
        return f"cook {meal} {for_others[1]}"
    with_others = _WITH_OTHERS.search(phrase)
    return f"have {meal} {with_others[1]}" if with_others else f"have {meal}"


def _eat(timeline: Timeline, text: str, span: tuple[int, int], place: str) -> None:
    """Put in the meal; a short one where something with hours begins meanwhile."""
    start, end = span
    soonest = start + LEAST_MINUTES
    begun = (block.start for block in timeline.blocks if block.said)
    end = min((at for at in begun if soonest <= at < end), default=end)
    timeline.carve(Block(start=start, end=end, text=text, place=place))
