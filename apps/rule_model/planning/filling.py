"""Fills what a day leaves free: work before dinner, with an outing; rest after it.

A stand-in, not a language model.
"""

from apps.planning.chains.day_outline import DayToOutline
from apps.rule_model.model import Chance
from apps.rule_model.planning.activities import activity_for
from apps.rule_model.planning.finding import in_words, lets_in, narrowed, place_named
from apps.rule_model.planning.outings import EXERCISES
from apps.rule_model.planning.routine import Routine, keeps, pursued
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Timeline

HOUR = 60
FILLED_MINUTES_MIN = 45
# A free stretch this long before dinner ends with an hour elsewhere, once a day.
OUTING_AFTER = 4 * HOUR
OUTING_IN_THE_MORNING = 0.4
EXERCISE_MINUTES_MAX = 90
EVENING_PIECE = 90
EVENING_FROM = 17 * HOUR
AT_HOME = (
    "spend a quiet evening",
    "read a book",
    "listen to music and relax",
    "do some chores",
)
# What the day is passed with by those of whom no work is known.
LEISURE = ("do some chores", "check the news", "take some free time", "pass an easy hour")
# What one does elsewhere for an hour, by a word in the place's name, and how gladly.
OUTINGS = (
    ("park", "take a walk in", 3),
    ("cafe", "have a coffee at", 3),
    ("pub", "have a drink at", 2),
    ("market", "buy groceries at", 2),
    ("store", "buy supplies at", 1),
    ("library", "read in", 1),
)


def fill(timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance) -> None:
    """Put something into every free stretch; a short one goes to what comes before it."""
    for free in list(timeline.gaps(LEAST_MINUTES)):
        before = timeline.at(free[0] - 1)
        stays = before is not None and lets_in(given, before.place, before.start, free[1])
        if stays and free[1] - free[0] < FILLED_MINUTES_MIN:
            continue
        if free[0] >= EVENING_FROM or _is_after_dinner(timeline, free[0]):
            _fill_evening(timeline, given, routine, chance, free)
        elif free[1] - free[0] >= FILLED_MINUTES_MIN:
            _fill_day(timeline, given, routine, chance, free)


def visit(place: str) -> str:
    """Return what one does at a place of the path when nothing else is said."""
    words = [what for word, what, _ in OUTINGS if word in place.lower().split(" ")]
    return f"{(words or ['spend time at'])[0]} {in_words(place)}"


def _is_after_dinner(timeline: Timeline, minute: int) -> bool:
    return any(b.start < minute and "dinner" in b.text for b in timeline.blocks)


def _fill_day(
    timeline: Timeline,
    given: DayToOutline,
    routine: Routine,
    chance: Chance,
    free: tuple[int, int],
) -> None:
    start, end = free
    morning = start < 12 * HOUR
    glad = not morning or chance.unit("outing", start) < OUTING_IN_THE_MORNING
    been_out = any(_is_outing(block) for block in timeline.blocks)
    if end - start >= OUTING_AFTER and glad and not been_out:
        outing = _outing(given, routine, chance, (end - HOUR, end))
        if outing is not None:
            timeline.add(outing)
            end = outing.start
    text = _work(routine, chance, start, end)
    if not text:
        _pass_time(timeline, given, chance, (start, end))
        return
    if activity_for(text) in EXERCISES and end - start > EXERCISE_MINUTES_MAX:
        end = start + EXERCISE_MINUTES_MAX
    place = _work_place(timeline, given, routine, chance, text, (start, end))
    timeline.add(Block(start=start, end=end, text=text, place=place))
    if free[1] - end >= HOUR and not been_out:
        timeline.add(Block(start=end, end=free[1], text=AT_HOME[1], place=given.home))


def _pass_time(
    timeline: Timeline, given: DayToOutline, chance: Chance, free: tuple[int, int]
) -> None:
    """Fill the stretch with one pastime after the other, at home."""
    start, end = free
    used = [block.text for block in timeline.blocks]
    while end - start >= LEAST_MINUTES:
        until = end if end - start < EVENING_PIECE * 3 // 2 else start + EVENING_PIECE
        left = [text for text in LEISURE if text not in used]
        fresh = [text for text in left if text not in given.yesterday]
        text = chance.choice(fresh or left or LEISURE, "leisure", start)
        timeline.add(Block(start=start, end=until, text=text, place=given.home))
        used.append(text)
        start = until


def _work(routine: Routine, chance: Chance, start: int, end: int) -> str:
    """Return what is worked on, "" for whoever has no work, or none but a place to keep."""
    long = end - start > EXERCISE_MINUTES_MAX
    pursuits = [p for p in routine.pursuits if not (long and activity_for(p) in EXERCISES)]
    if pursuits or routine.pursuits:
        return pursued([chance.choice(pursuits or routine.pursuits, "pursuit", start)])
    if routine.occupation and "retired" not in routine.occupation:
        return f"work as a {routine.occupation}"
    return ""


def _work_place(
    timeline: Timeline,
    given: DayToOutline,
    routine: Routine,
    chance: Chance,
    text: str,
    free: tuple[int, int],
) -> str:
    """Return where the words say, where else it is done, a haunt, the workplace or the home.

    Only what is open then counts; a place with several areas narrows to the fitting one.
    """
    kind = activity_for(text)
    elsewhere = [b.place for b in timeline.blocks if kind and activity_for(b.text) is kind]
    haunts = [p for p, often in routine.haunts if chance.unit("at", p, free[0]) < often / 2]
    kept = {place.path for place in given.places if keeps(place, given)}
    named = place_named(text, given.places, home=given.home, person=given.agent_name)
    wished = [*elsewhere, named, *haunts, given.workplace]
    open_then = (
        place
        for place in wished
        if place and place not in kept and lets_in(given, place, *free)
    )
    return narrowed(given, next(open_then, given.home), text)


def _is_outing(block: Block) -> bool:
    return any(block.text.startswith(what) for _, what, _ in OUTINGS)


def _outing(
    given: DayToOutline, routine: Routine, chance: Chance, hour: tuple[int, int]
) -> Block | None:
    """Return an hour somewhere else; what was done yesterday is likely left for today."""
    haunts = {place for place, _ in routine.haunts}
    choices = [
        Block(
            start=hour[0], end=hour[1], text=f"{what} {in_words(place.path)}", place=place.path
        )
        for place in given.places
        for word, what, gladly in OUTINGS
        for _ in range(gladly * (2 if place.path in haunts else 1))
        if word in place.path.lower().split(" ")
        and lets_in(given, place.path, *hour)
        and not keeps(place, given)
    ]
    fresh = [block for block in choices if block.text not in given.yesterday]
    return chance.choice(fresh or choices, "outing", hour[0]) if choices else None


def _fill_evening(
    timeline: Timeline,
    given: DayToOutline,
    routine: Routine,
    chance: Chance,
    free: tuple[int, int],
) -> None:
    start, end = free
    out = _evening_out(timeline, given, routine, chance, free)
    if out is not None:
        timeline.add(out)
        start = out.end
    used = [block.text for block in timeline.blocks]
    while end - start >= LEAST_MINUTES:
        until = end if end - start < EVENING_PIECE * 3 // 2 else start + EVENING_PIECE
        text = _evening(given, routine, chance, used)
        timeline.add(Block(start=start, end=until, text=text, place=given.home))
        used.append(text)
        start = until


def _evening_out(
    timeline: Timeline,
    given: DayToOutline,
    routine: Routine,
    chance: Chance,
    free: tuple[int, int],
) -> Block | None:
    """Return up to two hours at a haunt that one has not been to today, or None."""
    start, end = free[0], min(free[1], free[0] + 2 * HOUR)
    been = {block.place for block in timeline.blocks}
    for place, often in routine.haunts:
        likely = place not in been and chance.unit("evening", place) < often
        if likely and lets_in(given, place, start, end) and end - start >= LEAST_MINUTES:
            return Block(start=start, end=end, text=visit(place), place=place)
    return None


def _evening(given: DayToOutline, routine: Routine, chance: Chance, used: list[str]) -> str:
    """Return something for the evening at home, other than yesterday's and what was said."""
    pursuits = [pursued([pursuit]) for pursuit in routine.pursuits]
    choices = [*AT_HOME, *pursuits, *pursuits]
    fresh = [text for text in choices if text not in given.yesterday and text not in used]
    return chance.choice(fresh or choices, "evening", len(used))
