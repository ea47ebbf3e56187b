"""Puts lunch and dinner into a day (stand-in, not a language model)."""

from apps.llm.offline import Chance
from apps.planning.chains.day_outline import DayToOutline
from apps.planning.offline.finding import lets_in
from apps.planning.offline.routine import Habit, Routine, kept_place
from apps.planning.offline.timeline import LEAST_MINUTES, Block, Timeline

HOUR = 60
LUNCH = (12 * HOUR, 12 * HOUR + 30, 13 * HOUR)
LUNCH_EARLIEST = 11 * HOUR + 30
LUNCH_LATEST = 14 * HOUR + 30
DINNER = 18 * HOUR + 30
# Dinner waits so long for the end of what keeps the person busy.
DINNER_PATIENCE = 3 * HOUR
# Who often goes somewhere dines there on half as many evenings.
DINNER_OUT = 0.5
SERVES_MEALS = frozenset({"cafe", "pub", "restaurant", "bar", "tavern"})


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
    _eat(timeline, given, "lunch", (at, at + minutes), place)


def dinner(timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance) -> None:
    """Put in dinner, at its hour or when work is over."""
    habit = _habit(routine, "dinner")
    wished = given.dinner_minute or (habit.start if habit else None) or DINNER
    if wished < given.now_minute or wished > given.bed_minute - HOUR:
        return
    at = _free_hour(timeline, wished, wished + DINNER_PATIENCE)
    place = _where(timeline, given, routine, habit, at, chance)
    _eat(timeline, given, "dinner", (at, at + HOUR), place)


def _habit(routine: Routine, meal: str) -> Habit | None:
    return next((habit for habit in routine.habits if habit.meal == meal), None)


def _break(timeline: Timeline, wished: int) -> tuple[int, int]:
    """Return when lunch begins and for how long: a free hour, else a shorter break."""
    at = _free_hour(timeline, wished, LUNCH_LATEST)
    if timeline.at(at) is None:
        return at, HOUR
    breaks = [
        (start, min(end - start, HOUR))
        for start, end in timeline.gaps(LEAST_MINUTES)
        if LUNCH_EARLIEST <= start <= LUNCH_LATEST
    ]
    return breaks[0] if breaks else (at, HOUR)


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


def _eat(
    timeline: Timeline, given: DayToOutline, meal: str, span: tuple[int, int], place: str
) -> None:
    kept = kept_place(given)
    if kept is not None and place == kept.path:
        text = f"eat a bite of {meal} behind the counter of {place}"
    elif place == given.home:
        text = f"have {meal}"
    else:
        text = f"have {meal} at {place}"
    timeline.carve(Block(start=span[0], end=span[1], text=text, place=place))
