"""Meals in the outline of a day: time, place and company (P1)."""

from apps.rule_model.content import patterns
from apps.rule_model.language.moments import HOUR, daylight
from apps.rule_model.planning.phrases import Habit
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Day, Timeline

FILLED_MINUTES_MIN = 45
# A free stretch this long ends with an hour elsewhere; on a day of rest a shorter one.
OUTING_AFTER, OUTING_AFTER_AT_REST = 4 * HOUR, 2 * HOUR
OUTING_IN_THE_MORNING = 0.4
EXERCISE_MINUTES_MAX = 90
PIECE = 90
EVENING_FROM, DARK_AFTER = 17 * HOUR, 20 * HOUR
# An evening has an outing so often where a phrase does not say how often.
EVENING_OUT, EVENING_OUT_AT_REST = 0.25, 0.5
DAYS_OF_REST = ("Saturday", "Sunday")
# On a day of rest a pursuit gives way to leisure so often.
REST_SHARE = 0.5
LIKED_WEIGHT, PURSUIT_WEIGHT = 3, 2

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


def fill(day: Day) -> None:
    """Put something into every free stretch; a short one goes to what comes before it."""
    for start, end in list(day.timeline.gaps(LEAST_MINUTES)):
        before = day.timeline.at(start - 1)
        stays = before is not None and day.where.lets_in(before.place, before.start, end)
        if stays and end - start < FILLED_MINUTES_MIN:
            continue
        before_it = (block for block in day.timeline.blocks if block.start < start)
        if start >= EVENING_FROM or any("dinner" in block.text for block in before_it):
            out = _evening_out(day, start, end)
            if out is not None:
                day.timeline.add(out)
            _pass_time(day, start if out is None else out.end, end, "evening")
        elif end - start >= FILLED_MINUTES_MIN:
            _fill_daytime(day, start, end)


def _fill_daytime(day: Day, start: int, end: int) -> None:
    """Work as far as there is work, with an outing at the end of a long stretch."""
    at_rest = day.weekday in DAYS_OF_REST
    glad = start >= 12 * HOUR or day.chance.unit("outing", start) < OUTING_IN_THE_MORNING
    if end - start >= (OUTING_AFTER_AT_REST if at_rest else OUTING_AFTER) and (glad or at_rest):
        outing = _outing(day, end - HOUR, end)
        if outing is not None:
            day.timeline.add(outing)
            end = outing.start
    text = _work(day, start)
    if not text:
        _pass_time(day, start, end, "day")
        return
    until = end if end - start <= 2 * PIECE else start + 2 * PIECE
    if day.where.content.at(day.inputs.home).activity_for(text).role == "exercise":
        until = min(until, start + EXERCISE_MINUTES_MAX)
    place = _work_place(day, text, start, until)
    day.timeline.add(Block(start=start, end=until, text=text, place=place))
    if end - until >= LEAST_MINUTES:
        _pass_time(day, until, end, "day")


def _work(day: Day, start: int) -> str:
    """Return what there is to work on, "" for nothing but a place to keep."""
    described = day.described
    at_rest = day.weekday in DAYS_OF_REST
    if described.pursuits and not (at_rest and day.chance.unit("weekend", start) < REST_SHARE):
        return _pursued(day.chance.choice(described.pursuits, "pursuit", start))
    if day.where.kept is not None or not day.inputs.workplace or at_rest:
        return ""
    occupation = described.occupation
    plain = f"work as {occupation}" if occupation else "go about the work of the day"
    works = [plain, *(one.activity for one in described.habits if _is_of_work(one, day))]
    planned = [block.text for block in day.timeline.blocks]
    return min(works, key=planned.count)


def _is_of_work(habit: Habit, day: Day) -> bool:
    """Whether the habit is work that is not bound to its hours, at the workplace."""
    place = day.where.meant(habit.phrase, habit.activity).partition(": ")[0]
    is_free = not day.where.content.at(place).activity_for(habit.activity).role
    is_there = place == day.inputs.workplace.partition(": ")[0]
    is_long = habit.end is not None and habit.end - (habit.start or 0) >= PIECE
    return is_long and not habit.meal and is_free and is_there


def _pursued(pursuit: str) -> str:
    """Return a pursuit ("writing the book") as something to plan."""
    return f"go on {pursuit}".replace("go on working on ", "work on ")


def _work_place(day: Day, text: str, start: int, end: int) -> str:
    """Return where such work is done today already, else the workplace, else the home."""
    vocabulary = day.where.content.at(day.inputs.home)
    kind = vocabulary.activity_for(text)
    said = (block for block in day.timeline.blocks if block.said)
    elsewhere = (b.place for b in said if vocabulary.activity_for(b.text) is kind)
    kept = "" if day.where.kept is None else day.where.kept.path
    wished = [day.where.named(text), *elsewhere, day.inputs.workplace]
    may = (place for place in wished if place != kept and day.where.lets_in(place, start, end))
    return day.where.narrowed(next(may, day.inputs.home), text)


def _evening_out(day: Day, start: int, end: int) -> Block | None:
    """Return up to two hours where the agent often is, or now and then an outing, or None."""
    end = min(end, start + 2 * HOUR)
    if end - start < LEAST_MINUTES:
        return None
    been = {day.inputs.home, *(block.place for block in day.timeline.blocks)}
    for habit in day.described.habits:
        if habit.start is not None or habit.meal:
            continue
        place = day.where.named(habit.phrase)
        likely = place not in been and day.chance.unit("evening", place) < habit.often
        if likely and day.where.lets_in(place, start, end):
            return Block(start=start, end=end, text=habit.activity, place=place)
    often = EVENING_OUT_AT_REST if day.weekday in DAYS_OF_REST else EVENING_OUT
    if start < DARK_AFTER and day.chance.unit("evening out") < often:
        return _outing(day, start, min(end, start + HOUR))
    return None


def _outing(day: Day, start: int, end: int) -> Block | None:
    """Return an hour somewhere else, rather not what is planned today or was yesterday."""
    inputs, where = day.inputs, day.where
    sunrise, sunset = daylight(inputs.date)
    done = {block.place for block in day.timeline.blocks}
    choices = [
        Block(
            start=start,
            end=end,
            text=entry.values[0].format(place=where.in_words(place.path)),
            place=place.path,
        )
        for place in inputs.places
        if not place.residents and inputs.agent_name not in place.keepers
        if place.path not in done and place.path != inputs.workplace
        if where.lets_in(place.path, start, end)
        for entry in where.content.at(place.path).outings
        if entry.place.search(place.name) and entry.days.search(day.weekday)
        if not entry.outdoors or (sunrise <= start and end <= sunset)
        if place.path == place.root or not entry.place.search(place.root)
        for _ in range(entry.weight)
    ]
    fresh = [block for block in choices if block.text not in day.done_yesterday]
    return day.chance.choice(fresh or choices, "outing", start) if choices else None


def _pass_time(day: Day, start: int, end: int, part: str) -> None:
    """Fill the stretch with pastimes at home that suit the agent, none twice a day."""
    while end - start >= LEAST_MINUTES:
        until = end if end - start < PIECE * 3 // 2 else start + PIECE
        text = _pastime(day, start, part)
        day.timeline.add(Block(start=start, end=until, text=text, place=day.inputs.home))
        start = until


def _pastime(day: Day, start: int, part: str) -> str:
    table = day.where.content.at(day.inputs.home).leisure
    fitting = [e for e in table if e.days.search(day.weekday) and e.place.pattern in ("", part)]
    weighted: list[str] = []
    for entry in fitting:
        # What suits the traits or pursuits is done more gladly.
        is_liked = entry.words.pattern and entry.words.search(day.likings)
        weighted += [entry.values[0]] * (entry.weight + (LIKED_WEIGHT if is_liked else 0))
    if part == "evening":
        weighted += [_pursued(one) for one in day.described.pursuits] * PURSUIT_WEIGHT
    used = {block.text for block in day.timeline.blocks}
    unused = [text for text in weighted if text not in used]
    fresh = [text for text in unused if text not in day.done_yesterday]
    return day.chance.choice(fresh or unused or weighted, "pastime", start)
