"""Meals in the outline of a day: time, place and company (P1)."""

from apps.rule_model.language.moments import HOUR
from apps.rule_model.language.words import patterns
from apps.rule_model.planning.phrases import Habit
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Day, Timeline

_PATTERNS = patterns("meals")
BREAKFAST_MINUTES = 45
BREAKFAST_LATEST = 9 * HOUR + 30
LUNCH = (12 * HOUR, 12 * HOUR + 30, 13 * HOUR)
LUNCH_EARLIEST = 11 * HOUR + 30
LUNCH_LATEST = 14 * HOUR + 30
DINNER = 18 * HOUR + 30
# Dinner waits so long for the end of what keeps the agent busy.
DINNER_DELAY_MAX = 120
STEP = 15


def put_breakfast(day: Day, *, earliest: int) -> bool:
    """Put in a breakfast later than `earliest`; return whether there is one.

    There is one where it is usual so late, or where the home has no kitchen.
    """
    habit, home = _habit(day, "breakfast"), day.where.offered(day.inputs.home)
    at = None if habit is None else habit.start
    has_kitchen = home is None or _PATTERNS["kitchen"].search(" ".join(home.areas))
    if habit is None and not has_kitchen and _eating_places(day):
        free = _breaks(day.timeline, earliest, BREAKFAST_LATEST)
        at = next((start for start, _ in free if start <= BREAKFAST_LATEST), None)
    if at is None or at < earliest or day.timeline.at(at) is not None:
        return False
    _eat(day, "breakfast", habit, at, at + BREAKFAST_MINUTES)
    return True


def put_lunch(day: Day) -> None:
    """Put in lunch, at its usual hour or when there is time about noon."""
    if day.inputs.now_minute > LUNCH_LATEST - HOUR:
        return
    habit = _habit(day, "lunch")
    at, minutes = None if habit is None else habit.start, HOUR
    if at is None:
        wished = max(day.chance.choice(LUNCH, "lunch"), day.inputs.now_minute + 2 * HOUR)
        at, minutes = _break(day.timeline, wished)
    _eat(day, "lunch", habit, at, at + minutes)


def put_dinner(day: Day) -> None:
    """Put in dinner, at its hour or when work is over."""
    habit = _habit(day, "dinner")
    wished = day.inputs.dinner_minute or (habit.start if habit else None) or DINNER
    if wished < day.inputs.now_minute or wished > day.inputs.bed_minute - HOUR:
        return
    latest = min(wished + DINNER_DELAY_MAX, day.inputs.bed_minute - HOUR)
    at, minutes = _free_hour(day.timeline, wished, latest), HOUR
    if not _is_left(day.timeline, at):
        earliest = max(wished - HOUR, day.inputs.now_minute)
        breaks = _breaks(day.timeline, earliest, latest)
        # Without a break, dinner comes after the promised hours, or before them.
        beside = (*range(wished, latest + 1, STEP), *range(wished, earliest - 1, -STEP))
        found = [*breaks, *((at, HOUR) for at in beside if _is_left(day.timeline, at))]
        if not found:
            return  # there is something to eat where the agent is expected
        at, minutes = found[0]
    _eat(day, "dinner", habit, at, at + minutes)


def _habit(day: Day, meal: str) -> Habit | None:
    return next((habit for habit in day.described.habits if habit.meal == meal), None)


def _break(timeline: Timeline, wished: int) -> tuple[int, int]:
    """Return when lunch begins and for how long: a free hour, else a shorter break."""
    at = _free_hour(timeline, wished, LUNCH_LATEST)
    if timeline.at(at) is None:
        return at, HOUR
    return next(iter(_breaks(timeline, LUNCH_EARLIEST, LUNCH_LATEST)), (at, HOUR))


def _breaks(timeline: Timeline, earliest: int, latest: int) -> list[tuple[int, int]]:
    """Return when there is time for a meal, and for how many minutes, up to an hour."""
    return [
        (max(start, earliest), min(end - max(start, earliest), HOUR))
        for start, end in timeline.gaps(LEAST_MINUTES)
        if start <= latest and end - earliest >= LEAST_MINUTES
    ]


def _is_left(timeline: Timeline, start: int) -> bool:
    """Whether nothing is promised for the time of a short meal."""
    blocks = map(timeline.at, (start, start + LEAST_MINUTES - 1))
    return not any(block is not None and block.promised for block in blocks)


def _free_hour(timeline: Timeline, wished: int, latest: int) -> int:
    """Return when the first free hour from the wished minute on begins, else the wished one."""
    starts = (max(start, wished) for start, end in timeline.gaps(HOUR) if end >= wished + HOUR)
    return next((start for start in starts if start <= latest), wished)


def _eat(day: Day, meal: str, habit: Habit | None, start: int, end: int) -> None:
    """Put in the meal; a short one where something with hours begins meanwhile."""
    place = _place(day, habit, start, end)
    text = _told(day, meal, "" if habit is None else habit.phrase, place)
    begun = (block.start for block in day.timeline.blocks if block.said)
    end = min((at for at in begun if start + LEAST_MINUTES <= at < end), default=end)
    day.timeline.carve(Block(start=start, end=end, text=text, place=place))


def _place(day: Day, habit: Habit | None, start: int, end: int) -> str:
    """Return where the phrases say, where the agent is busy, where one eats, or the home."""
    where, busy = day.where, day.timeline.at(start)
    wished = [
        where.named(habit.phrase) if habit is not None else "",
        busy.place if busy is not None else "",
        *(where.narrowed(path, "eating a meal") for path in _eating_places(day)),
    ]
    open_then = (one for one in wished if where.lets_in(one, start, end))
    return next(open_then, day.inputs.home)


def _eating_places(day: Day) -> list[str]:
    places = (place.path for place in day.where.places)
    return [path for path in places if _PATTERNS["eating_place"].search(path)]


def _told(day: Day, meal: str, phrase: str, place: str) -> str:
    """Return the meal as a plan, with its company or place if they are known."""
    kept, called = day.where.kept, day.where.in_words(place)
    if kept is not None and place == kept.path:
        named = _PATTERNS["counter"].search(phrase)
        counter = named[1] if named else "counter"
        return f"eat a bite of {meal} behind the {counter} of {called}"
    if place != day.inputs.home:
        return f"have {meal} {'in' if ': ' in place else 'at'} {called}"
    for_others = _PATTERNS["for_others"].search(phrase)
    with_others = _PATTERNS["with_others"].search(phrase)
    if for_others:
        return f"cook {meal} {for_others[1]}"
    return f"have {meal} {with_others[1]}" if with_others else f"have {meal}"
