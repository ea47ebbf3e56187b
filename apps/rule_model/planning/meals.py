"""Puts lunch and dinner into a day (stand-in, not a language model)."""

import re

from apps.planning.chains.day_outline import DayToOutline
from apps.rule_model.model import Chance
from apps.rule_model.planning.finding import in_words, lets_in
from apps.rule_model.planning.routine import Habit, Routine, kept_place
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Timeline

HOUR = 60
BREAKFAST_MINUTES = 45
LUNCH = (12 * HOUR, 12 * HOUR + 30, 13 * HOUR)
LUNCH_EARLIEST = 11 * HOUR + 30
LUNCH_LATEST = 14 * HOUR + 30
DINNER = 18 * HOUR + 30
# Dinner waits so long for the end of what keeps the person busy.
DINNER_PATIENCE = 3 * HOUR
# Who often goes somewhere dines there on half as many evenings.
DINNER_OUT = 0.5
_COUNTER = re.compile(r"\bbehind the (\w+ counter)\b")
_FOR_OTHERS = re.compile(r"\bcooks? \w+ (for (?:his|her|their|the) \w+)")
_WITH_OTHERS = re.compile(r"\b(with (?:his|her|their|the) \w+)")
SERVES_MEALS = frozenset(
    {"cafe", "pub", "restaurant", "bar", "tavern", "inn", "bistro", "diner", "bakery"}
)


def breakfast(timeline: Timeline, given: DayToOutline, routine: Routine, *, after: int) -> bool:
    """Put in a breakfast that is had only after something else; say whether there is one."""
    habit = _habit(routine, "breakfast")
    if habit is None or habit.start is None or habit.start <= after:
        return False
    span = (habit.start, habit.start + BREAKFAST_MINUTES)
    if timeline.at(habit.start) is not None:
        return False
    place = habit.place or given.home
    place = place if lets_in(given, place, *span) else given.home
    _eat(timeline, _meal("breakfast", habit, given, place), span, place)
    return True


def lunch(timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance) -> None:
    """Put in lunch, at the hour of habit or when there is time about noon."""
    if given.now_minute > LUNCH_LATEST - HOUR:
        return
    habit = _habit(routine, "lunch")
    wished = max(chance.choice(LUNCH, "lunch"), given.now_minute + 2 * HOUR)
    if habit is not None and habit.start is not None:
        at, minutes = habit.start, HOUR
    else:
        at, minutes = _break(timeline, wished)
    place = _where(timeline, given, routine, habit, at, chance)
    _eat(timeline, _meal("lunch", habit, given, place), (at, at + minutes), place)


def dinner(timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance) -> None:
    """Put in dinner, at its hour or when work is over."""
    habit = _habit(routine, "dinner")
    wished = given.dinner_minute or (habit.start if habit else None) or DINNER
    if wished < given.now_minute or wished > given.bed_minute - HOUR:
        return
    at, minutes = _free_hour(timeline, wished, wished + DINNER_PATIENCE), HOUR
    if timeline.is_promised(at):
        breaks = _breaks(timeline, wished - HOUR, wished + DINNER_PATIENCE)
        if not breaks:
            return  # there will be something to eat where one is expected
        at, minutes = breaks[0]
    place = _where(timeline, given, routine, habit, at, chance)
    _eat(timeline, _meal("dinner", habit, given, place), (at, at + minutes), place)


def _habit(routine: Routine, meal: str) -> Habit | None:
    return next((habit for habit in routine.habits if habit.meal == meal), None)


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
    given: DayToOutline,
    routine: Routine,
    habit: Habit | None,
    at: int,
    chance: Chance,
) -> str:
    """Return where the phrases say, where one is busy, a haunt that cooks, else the home."""
    wished = [habit.place] if habit is not None and habit.place else []
    busy = timeline.at(at)
    if busy is not None:
        wished.append(busy.place)
    for place, often in routine.haunts:
        likely = often if at < DINNER - 2 * HOUR else often * DINNER_OUT
        if _serves_meals(place) and chance.unit("meal", place, at) < likely:
            wished.append(place)
    return next((p for p in wished if lets_in(given, p, at, at + HOUR)), given.home)


def _serves_meals(path: str) -> bool:
    return not SERVES_MEALS.isdisjoint(path.lower().split(" "))


def _meal(meal: str, habit: Habit | None, given: DayToOutline, place: str) -> str:
    """Return the meal as a plan, with whom, for whom or where it is if that is said."""
    sentence = "" if habit is None else habit.sentence
    kept = kept_place(given)
    if kept is not None and place == kept.path:
        counter = _COUNTER.search(sentence)
        where = f"behind the {counter[1] if counter else 'counter'} of {in_words(place)}"
        return f"eat a bite of {meal} {where}"
    if place != given.home:
        kind = "in" if place.partition(": ")[2] else "at"
        return f"have {meal} {kind} {in_words(place)}"
    for_others = _FOR_OTHERS.search(sentence)
    if for_others:
        return f"cook {meal} {for_others[1]}"
    with_others = _WITH_OTHERS.search(sentence)
    return f"have {meal} {with_others[1]}" if with_others else f"have {meal}"


def _eat(timeline: Timeline, text: str, span: tuple[int, int], place: str) -> None:
    """Put in the meal; it is a short one where something with hours begins meanwhile."""
    start, end = span
    soonest = start + LEAST_MINUTES
    begun = (block.start for block in timeline.blocks if block.said)
    end = min((at for at in begun if soonest <= at < end), default=end)
    timeline.carve(Block(start=start, end=end, text=text, place=place))
