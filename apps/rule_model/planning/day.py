"""Outlines a day by rules: appointments, work hours, meals, pursuits, rest.

A stand-in, not a language model: it knows what the chain's typed input says and no more.
"""

import re
from dataclasses import replace

from apps.planning.chains.day_outline import (
    MORNING_MINUTES,
    DayOutline,
    DayToOutline,
    OutlineChunk,
)
from apps.planning.offers import OfferedPlace, clock
from apps.rule_model.model import Chance
from apps.rule_model.planning.activities import activity_for
from apps.rule_model.planning.appointments import HOST, Appointment
from apps.rule_model.planning.filling import fill, visit
from apps.rule_model.planning.finding import in_words, lets_in, narrowed
from apps.rule_model.planning.meals import breakfast, dinner, lunch
from apps.rule_model.planning.routine import Habit, Routine, kept_place, pursued, routine_of
from apps.rule_model.planning.timeline import LEAST_MINUTES, Block, Timeline, joined

HOUR = 60
# A keeper comes so long before the door opens and stays so long after it closes.
OPENING_MARGIN = 30
CLOSING_MARGIN = 15
# Who is expected at an hour sets out so long before it.
ON_THE_WAY = 20
MORNING_MINUTES_MAX = 90
MORNING = "wake up and complete the morning routine"
# Of those who were invited and have not answered, so many come.
UNANSWERED = 0.3
# On the afternoon before a party the place is decorated: from when, for how long.
EVE = (15 * HOUR, HOUR + 30)
SERVE = "serve the customers"
_COUNTER = re.compile(r"\b(\w+ counter) of\b|\bits (\w+ counter)\b")
_EXPECTED = re.compile(r"\b(?:class(?:es)?|lectures?|seminars?|teach\w*)\b", re.IGNORECASE)
_KEEPS = re.compile(r"\b(?:opens?|stands?|counter|keeps?|serves?|minds?|runs?|tends?)\b")
PARTS = {
    "morning": (8 * HOUR, 9 * HOUR + 30),
    "day": (10 * HOUR, 12 * HOUR),
    "afternoon": (14 * HOUR, 16 * HOUR),
    "evening": (19 * HOUR + 30, 21 * HOUR + 30),
    "night": (20 * HOUR, 22 * HOUR),
}


def day_outline(given: DayToOutline, chance: Chance) -> DayOutline:
    """Return the day in broad strokes."""
    routine = routine_of(given)
    timeline = Timeline(given.now_minute, given.bed_minute)
    _work_hours(timeline, given, routine, chance)
    _appointments(timeline, given, routine, chance)
    _morning(timeline, given, routine)
    _bedtime(timeline, given)
    lunch(timeline, given, routine, chance)
    dinner(timeline, given, routine, chance)
    _parts_of_day(timeline, given, routine, chance)
    _hours_a_day(timeline, given, routine)
    fill(timeline, given, routine, chance)
    return DayOutline(chunks=_chunks(timeline, given))


def _chunks(timeline: Timeline, given: DayToOutline) -> list[OutlineChunk]:
    night = Block(
        start=given.now_minute,
        end=given.bed_minute,
        text="get ready for bed",
        place=given.home,
    )

    def may_stay(block: Block) -> bool:
        return lets_in(given, block.place, block.start, block.end)

    def goes_early(block: Block) -> bool:
        return block.place == given.home

    closed = timeline.closed_up(may_stay, goes_early) or [night]
    blocks = _opened_and_closed(closed, kept_place(given))
    return [
        OutlineChunk(
            starts=clock(block.start),
            minutes=block.minutes,
            activity=block.text,
            place=block.place,
        )
        for block in joined(blocks, given.chunks_max, may_stay)
    ]


def _work_hours(
    timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance
) -> None:
    """Put in what the phrases give hours for; a kept place is kept while it is open."""
    kept = kept_place(given)
    for habit in routine.habits:
        if habit.start is None or habit.meal:
            continue
        if chance.unit("habit", habit.text, habit.start) > habit.often:
            continue
        place = habit.place or given.workplace or given.home
        if kept is not None and place == kept.path and _KEEPS.search(habit.sentence):
            _keep(timeline, kept, habit)
        else:
            _attend(timeline, given, habit, place, routine)
    if kept is not None and not any(block.place == kept.path for block in timeline.blocks):
        _keep(timeline, kept, None)


def _keep(timeline: Timeline, kept: OfferedPlace, habit: Habit | None) -> None:
    """Keep the place from a while before it opens to a while after it closes."""
    opens, closes = kept.opens or 9 * HOUR, kept.closes or 17 * HOUR
    where = kept.path
    if habit is not None:
        opens, closes = habit.start or opens, habit.end or closes
        counter = _COUNTER.search(habit.sentence)
        where = f"the {counter[1] or counter[2]} of {kept.path}" if counter else where
    timeline.add(
        Block(
            start=opens - OPENING_MARGIN,
            end=closes + CLOSING_MARGIN,
            text=f"{SERVE} {'at' if where != kept.path else 'of'} {where}",
            place=kept.path,
            said=True,
        )
    )


def _attend(
    timeline: Timeline, given: DayToOutline, habit: Habit, place: str, routine: Routine
) -> None:
    assert habit.start is not None, "only what has hours is put in"
    end = habit.end if habit.end is not None else habit.start + HOUR
    vague = activity_for(habit.text) is None
    works = place in {given.home, given.workplace}
    text = (vague and works and pursued(routine.pursuits)) or habit.text or visit(place)
    if lets_in(given, place, habit.start, end):
        place = narrowed(given, place, text)
        early = ON_THE_WAY if _EXPECTED.search(text) and place != given.home else 0
        timeline.add(
            Block(start=habit.start - early, end=end, text=text, place=place, said=True)
        )


def _opened_and_closed(blocks: list[Block], kept: OfferedPlace | None) -> list[Block]:
    """Say that a keeper's first stretch opens the place and the last closes it."""
    if kept is None:
        return blocks
    serving = [at for at, block in enumerate(blocks) if block.text.startswith(SERVE)]
    for at in serving[:1]:
        whole = " until it closes" if len(serving) == 1 else ""
        where = re.sub(rf"^{SERVE} (?:at|of) ", "", blocks[at].text)
        text = f"open {where} and serve its customers{whole}"
        blocks[at] = replace(blocks[at], text=text)
    for at in serving[1:][-1:]:
        blocks[at] = replace(blocks[at], text=f"{blocks[at].text} and close it")
    return blocks


def _appointments(
    timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance
) -> None:
    """Put in what is agreed to; what one was only invited to, perhaps, if nothing is on."""
    for told in routine.appointments:
        perhaps = chance.unit("invitation", told.text, told.start) < UNANSWERED
        if not told.sure and (timeline.is_taken(told.start, told.end) or not perhaps):
            continue
        start = told.start if told.is_host else told.start - ON_THE_WAY
        if lets_in(given, told.place, start, told.end):
            block = Block(start=start, end=told.end, text=told.text, place=told.place)
            timeline.carve(replace(block, said=True, promised=True))
        if told.is_host:
            _prepare(timeline, told, "decorate {place} for {party}", told.start - HOUR, HOUR)
    for told in routine.eve:
        if told.is_host:
            _prepare(timeline, told, "decorate {place} and invite guests to {party}", *EVE)


def _prepare(
    timeline: Timeline, party: Appointment, text: str, start: int, minutes: int
) -> None:
    told = text.format(place=in_words(party.place), party=party.text.removeprefix(HOST))
    block = Block(start=start, end=start + minutes, text=told, place=party.place, said=True)
    timeline.carve(block)


def _morning(timeline: Timeline, given: DayToOutline, routine: Routine) -> None:
    """Put in the morning routine; breakfast apart where it is said to come later."""
    if given.now_minute - given.wake_minute >= MORNING_MINUTES:
        return
    first = min((block.start for block in timeline.blocks), default=given.bed_minute)
    free = first - given.now_minute
    minutes = free if free <= MORNING_MINUTES_MAX else HOUR
    end = given.now_minute + max(minutes, LEAST_MINUTES)
    eats_later = breakfast(timeline, given, routine, after=end)
    text = "wake up, wash and get dressed" if eats_later else MORNING
    timeline.add(Block(start=given.now_minute, end=end, text=text, place=given.home))


def _bedtime(timeline: Timeline, given: DayToOutline) -> None:
    start = max(given.bed_minute - LEAST_MINUTES, given.now_minute)
    timeline.add(
        Block(start=start, end=given.bed_minute, text="get ready for bed", place=given.home)
    )


def _parts_of_day(
    timeline: Timeline, given: DayToOutline, routine: Routine, chance: Chance
) -> None:
    """Put in what is done "in the morning" or "at night", as often as the phrases say."""
    for habit in routine.habits:
        if not habit.part or chance.unit("habit", habit.text, habit.part) > habit.often:
            continue
        start, end = PARTS[habit.part]
        if habit.part == "morning":
            start = given.wake_minute + HOUR
            end = start + HOUR + LEAST_MINUTES
        studies = "stud" in habit.text and given.workplace
        place = habit.place or (given.workplace if studies else given.home)
        end = min(end, given.bed_minute - LEAST_MINUTES)
        text = habit.text or visit(place)
        if lets_in(given, place, start, end):
            place = narrowed(given, place, text)
            timeline.add(Block(start=start, end=end, text=text, place=place))


def _hours_a_day(timeline: Timeline, given: DayToOutline, routine: Routine) -> None:
    """Put in what takes hours a day wherever it fits, from the evening backwards."""
    for habit in routine.habits:
        kind = activity_for(habit.text)
        done = [b.minutes for b in timeline.blocks if kind and activity_for(b.text) is kind]
        left = habit.hours * HOUR - sum(done)
        for start, end in reversed(list(timeline.gaps(HOUR))):
            begin = max(start, end - left)
            if left >= LEAST_MINUTES:
                place = habit.place or given.home
                timeline.add(Block(start=begin, end=end, text=habit.text, place=place))
                left -= end - begin
