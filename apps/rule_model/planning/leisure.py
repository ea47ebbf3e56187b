"""What fills the free hours of a day: work, outings, and evenings that suit the agent."""

from apps.rule_model.language.moments import HOUR, daylight
from apps.rule_model.planning.phrases import Habit
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Day

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
