"""The task of outlining a day: duties and commitments first, then meals, then the rest (P1)."""

import re
from dataclasses import replace
from datetime import timedelta

from apps.planning.answered_times import clock_text
from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.day_outline import DayOutline, OutlineChunk
from apps.rule_model.content import Content, patterns
from apps.rule_model.language.moments import HOUR, MINUTES_OF_DAY
from apps.rule_model.model import Chance
from apps.rule_model.planning import commitments
from apps.rule_model.planning.commitments import Commitment, Intention
from apps.rule_model.planning.meals import fill, put_breakfast, put_dinner, put_lunch
from apps.rule_model.planning.phrases import Habit
from apps.rule_model.planning.rooms import Surroundings
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Day, begin_day, joined
from apps.rule_model.planning.wording import without_place

_PATTERNS, _PHRASES = patterns("outline"), patterns("phrases")
BEDTIME_STEPS, BEDTIME_MINUTES = 2, 15
MORNING_MINUTES = 180
MORNING_MINUTES_MAX = 90
# Keepers come so long before the door opens and stay so long after it closes.
OPENING_MARGIN = 30
CLOSING_MARGIN = 5
# An agent that is expected at an hour sets out so long before it.
TRAVEL_MINUTES = 20
EVE = (15 * HOUR, 16 * HOUR + 30)
MORNING = "wake up and complete the morning routine"
WASH = "wake up, wash and get dressed"
NIGHT = "get ready for bed"
SERVE = "serve the customers"


def day_outline(inputs: DayOutlineInput, chance: Chance, content: Content) -> DayOutline:
    """Return the day in broad strokes, with a bedtime near the usual one."""
    late = chance.between(-BEDTIME_STEPS, BEDTIME_STEPS, "bedtime") * BEDTIME_MINUTES
    bed = max(inputs.bed_minute + late, inputs.now_minute + HOUR)
    inputs = replace(inputs, bed_minute=bed)
    day = begin_day(inputs, chance, content)
    _put_habits(day)
    _put_commitments(day)
    _put_morning(day)
    _put_night(day)
    put_lunch(day)
    put_dinner(day)
    _put_intentions(day)
    fill(day)
    return DayOutline(chunks=_chunks(day), bedtime=clock_text(bed % MINUTES_OF_DAY))


def _chunks(day: Day) -> list[OutlineChunk]:
    inputs = day.inputs
    night = Block(start=inputs.now_minute, end=inputs.bed_minute, text=NIGHT, place=inputs.home)
    closed = day.timeline.closed_up(day.may_stay, lambda block: block.place == inputs.home)
    if not closed or closed[-1].end < night.end:
        closed.append(replace(night, start=closed[-1].end if closed else night.start))
    blocks = joined(_with_opening(closed, day.where), inputs.chunks_max)
    return [
        OutlineChunk(
            starts=clock_text(block.start),
            activity=block.text,
            place=block.place,
        )
        for block in blocks
    ]


def _put_habits(day: Day) -> None:
    """Put in what is usual at a time; a place that the agent keeps is kept while it is open."""
    kept = day.where.kept
    timed = [one for one in day.described.habits if one.start is not None and not one.meal]
    for habit in sorted(timed, key=lambda habit: (habit.end is None, habit.start or 0)):
        if day.chance.unit("habit", habit.activity, habit.start or 0) > habit.often:
            continue
        place = day.where.meant(habit.phrase, habit.activity)
        kind = day.where.content.at(place).activity_for(habit.activity)
        if not kind.days.search(day.weekday) and not _PHRASES["days"].search(habit.phrase):
            continue
        if kept is not None and place == kept.path and _PATTERNS["keeps"].search(habit.phrase):
            _keep(day, habit)
        else:
            _attend(day, habit, place)
    if kept is not None and not any(block.place == kept.path for block in day.timeline.blocks):
        _keep(day, None)


def _keep(day: Day, habit: Habit | None) -> None:
    """Keep the place from a while before it opens to a while after it closes."""
    kept = day.where.kept
    assert kept is not None, "only a keeper keeps"
    opens, closes = kept.opens or 9 * HOUR, kept.closes or 17 * HOUR
    where = f"of {kept.path}"
    if habit is not None:
        opens, closes = habit.start or opens, habit.end or closes
        counter = _PATTERNS["counter"].search(habit.phrase)
        where = f"at the {counter[1] or counter[2]} of {kept.path}" if counter else where
    start, end = opens - OPENING_MARGIN, closes + CLOSING_MARGIN
    text, place = f"{SERVE} {where}", kept.path
    block = Block(start=start, end=end, text=text, place=place, said=True, is_kept=True)
    day.timeline.add(block)


def _attend(day: Day, habit: Habit, place: str) -> None:
    start = habit.start or 0
    is_short = day.where.content.at(place).activity_for(habit.activity).role == "urgent"
    end = habit.end or start + (LEAST_MINUTES if is_short else HOUR)
    place = day.where.narrowed(place, habit.activity)
    if not day.where.lets_in(place, start, end):
        return
    # A place that the phrase names and the agent does not know is not gone to.
    known = day.where.named(habit.phrase)
    activity = habit.activity if known else without_place(habit.activity)
    if _PATTERNS["expected"].search(habit.activity) and place != day.inputs.home:
        soonest = min(start, day.inputs.now_minute + LEAST_MINUTES)
        start = max(start - TRAVEL_MINUTES, soonest)
    day.timeline.add(Block(start=start, end=end, text=activity, place=place, said=True))


def _with_opening(blocks: list[Block], where: Surroundings) -> list[Block]:
    """Return the blocks; the first stretch of a keeper opens the place, the last closes it."""
    if where.kept is None:
        return blocks
    serving = [at for at, block in enumerate(blocks) if block.text.startswith(SERVE)]
    for at in serving[:1]:
        whole = " until it closes" if len(serving) == 1 else ""
        name = re.sub(rf"^{SERVE} (?:at|of) ", "", blocks[at].text)
        blocks[at] = replace(blocks[at], text=f"open {name} and serve its customers{whole}")
    for at in serving[1:][-1:]:
        blocks[at] = replace(blocks[at], text=f"{blocks[at].text} and close it")
    return blocks


def _put_commitments(day: Day) -> None:
    """Put in what was promised; what was only heard of, perhaps, if nothing is on."""
    inputs = day.inputs
    today = commitments.commitments_of(inputs, day.described.dated, day.where, inputs.date)
    for one in today:
        drawn = day.chance.unit("invitation", one.activity, one.start)
        perhaps = drawn < commitments.UNANSWERED_SHARE
        said = (block for block in day.timeline.blocks if block.said)
        is_taken = any(block.start < one.end and one.start < block.end for block in said)
        if not one.is_sure and (is_taken or not perhaps):
            continue
        if day.where.lets_in(one.place, one.start, one.end):
            start = _begins(day, one)
            block = Block(start=start, end=one.end, text=one.activity, place=one.place)
            day.timeline.carve(replace(block, said=True, promised=True))
        if one.is_host:
            _prepare(day, one, "decorate {place} for {name}", one.start - HOUR, one.start)
    tomorrow = inputs.date + timedelta(days=1)
    for one in commitments.commitments_of(inputs, day.described.dated, day.where, tomorrow):
        if one.is_host:
            _prepare(day, one, "decorate {place} and invite guests to {name}", *EVE)


def _begins(day: Day, one: Commitment) -> int:
    """Return the start of the way, which waits for the end of the hours of a kept place."""
    early = one.start if one.is_host else one.start - TRAVEL_MINUTES
    start = early if day.where.lets_in(one.place, early, one.end) else one.start
    blocks = (at for at in day.timeline.blocks if at.start < one.end and start < at.end)
    kept = (at.end for at in blocks if at.is_kept and not one.place.startswith(at.place))
    return one.begins(start, one.end, kept)


def _prepare(day: Day, hosted: Commitment, text: str, start: int, end: int) -> None:
    name = hosted.activity.partition(" ")[2]
    told = text.format(place=day.where.in_words(hosted.place), name=name)
    if day.where.lets_in(hosted.place, start, end):
        block = Block(start=start, end=end, text=told, place=hosted.place, said=True)
        day.timeline.carve(block)


def _put_intentions(day: Day) -> None:
    """Put errands of the day, and the latest of the other decisions, into free hours."""
    usual = [
        Intention(one.activity, day.where.meant(one.phrase, one.activity), is_errand=True)
        for one in day.described.habits
        if one.start is None and _PHRASES["on_days"].search(one.phrase)
    ]
    memories, today = day.inputs.memories, day.inputs.date
    found = [*usual, *commitments.intentions_of(memories, day.where, today)]
    lasting = [one for one in found if not one.is_errand][:1]
    for one in [*(one for one in found if one.is_errand), *lasting]:
        place = one.place or day.inputs.home
        for start, end in day.timeline.gaps(LEAST_MINUTES):
            until = min(end, start + HOUR)
            if day.where.lets_in(place, start, until):
                block = Block(start=start, end=until, text=one.activity, place=place, said=True)
                day.timeline.add(block)
                break


def _put_morning(day: Day) -> None:
    """Put in the morning routine; breakfast apart where it is said to come later."""
    inputs, timeline = day.inputs, day.timeline
    now = inputs.now_minute
    if now - inputs.wake_minute >= MORNING_MINUTES:
        return
    first = min((block.start for block in timeline.blocks), default=inputs.bed_minute)
    free = first - now
    minutes = free if free <= MORNING_MINUTES_MAX else HOUR
    end = now + max(minutes, LEAST_MINUTES)
    text = WASH if put_breakfast(day, earliest=end) else MORNING
    timeline.add(Block(start=now, end=end, text=text, place=inputs.home, said=free < HOUR))


def _put_night(day: Day) -> None:
    inputs = day.inputs
    start = max(inputs.bed_minute - LEAST_MINUTES, inputs.now_minute)
    day.timeline.add(Block(start=start, end=inputs.bed_minute, text=NIGHT, place=inputs.home))
