"""LLM task: the outline of a day (P1, P3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import deed_text
from apps.kernel.game_time import MINUTES_PER_DAY, format_clock, format_date
from apps.kernel.language import phrase
from apps.llm.answers.answer_options import ClockTime
from apps.llm.answers.answer_reading import CLOCK_FORM
from apps.llm.answers.decisions import Fact
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    Trusted,
    agent_name,
    answer_clock,
    data,
    data_list,
    joined,
    number,
    sentence,
)
from apps.llm.task import LLMTask
from apps.planning.answered_times import (
    AFTER_BEDTIME,
    ORDER,
    SLOT_MINUTES_MIN,
    AnsweredTime,
    Night,
    bounded_night,
    clock_text,
    consecutive,
    minute_of,
    moved_night,
    moved_start,
)
from apps.planning.checks import ACTIVITY_CHARACTERS_MAX, require_activity
from apps.planning.inputs import DayOutlineInput
from apps.planning.llm_tasks.plan_input import (
    KnownPlace,
    hour_of,
    hours_at,
    known_places,
    plan_variables,
)
from apps.planning.surroundings import place_texts

HOUR = 60
NOON = 12 * HOUR
# Within this time after the waking hour the whole day is planned, later the rest of it.
MORNING_MINUTES = 180


class OutlineChunk(TaskAnswer):
    """One chunk of the day."""

    starts: Annotated[str, ClockTime()] = Field(
        description="time of day on a 24-hour clock, after that of the chunk before, which "
        'ends then, such as "13:30"'
    )
    activity: str = Field(
        description='what the agent will do, an infinitive without "to" and name, such as '
        '"have lunch and read the news"',
        json_schema_extra={"maxLength": ACTIVITY_CHARACTERS_MAX},
    )
    place: KnownPlace


class DayOutline(TaskAnswer):
    """The chunks of the day, in order, and the night; None for the usual hours."""

    chunks: list[OutlineChunk] = Field(min_length=1)
    bedtime: Annotated[str, ClockTime()] | None = Field(
        default=None, description='when the agent goes to bed, such as "22:30"'
    )
    wakes: Annotated[str, ClockTime()] | None = Field(
        default=None, description='when the agent gets up the next morning, such as "06:30"'
    )


def ordinary_day(inputs: DayOutlineInput) -> DayOutline:
    """Return a day of work between meals at the usual hours: the named fallback."""
    work = _offered(inputs, inputs.workplace)
    dinner = inputs.dinner_minute or 18 * HOUR
    chunks = (
        (inputs.now_minute, phrase("wake up and complete the morning routine"), inputs.home),
        (inputs.now_minute + HOUR, phrase("go about the work of the day"), work),
        (12 * HOUR, phrase("have lunch"), work),
        (13 * HOUR, phrase("go on with the work of the day"), work),
        (dinner, phrase("have dinner"), inputs.home),
        (dinner + HOUR, phrase("spend a quiet evening at home"), inputs.home),
        (inputs.bed_minute - HOUR // 2, phrase("get ready for bed"), inputs.home),
    )
    ahead = sorted(
        (chunk for chunk in chunks if inputs.now_minute <= chunk[0] < inputs.bed_minute),
        key=lambda chunk: chunk[0],
    )
    day = [
        OutlineChunk(starts=clock_text(minute), activity=activity, place=place)
        for minute, activity, place in ahead or chunks[-1:]
    ]
    return fitted_outline(inputs, DayOutline(chunks=day)).answer


def fitted_outline(inputs: DayOutlineInput, answer: DayOutline) -> Adjusted[DayOutline]:
    """Return the outline with a possible night, and chunks that follow one another.

    The first chunk begins now. Another keeps its start, unless that is past, after bedtime or
    too near to the next. Each change is a difference, also that of the order.
    """
    answer, differences = _of_24_hours(inputs, answer)
    night = night_of(inputs, answer)
    asked = [
        minute_of(one.starts, now=inputs.now_minute, until=night.bed) for one in answer.chunks
    ]
    fitted = {one.index: one for one in times_of(inputs, answer)}
    differences += _put_in_order(asked, answer.chunks)
    for index, (start, chunk) in enumerate(zip(asked, answer.chunks, strict=True)):
        differences += moved_start(
            f"chunks.{index + 1}",
            (chunk.starts, chunk.activity),
            asked=start,
            used=fitted.get(index),
            span=(inputs.now_minute, night.bed),
            late=AFTER_BEDTIME,
        )
    changed: dict[str, object] = {
        "chunks": [
            answer.chunks[one.index].model_copy(update={"starts": clock_text(one.start)})
            for one in fitted.values()
        ]
    }
    for field, text, used in (
        ("bedtime", answer.bedtime, night.bed),
        ("wakes", answer.wakes, night.wake),
    ):
        for difference in moved_night(field, text, used):
            changed[field] = difference.used
            differences.append(difference)
    return Adjusted(answer.model_copy(update=changed), tuple(differences))


def night_of(inputs: DayOutlineInput, answer: DayOutline) -> Night:
    """Return the night of the answer within the bounds, the usual one without an answer."""
    return bounded_night(
        answer.bedtime,
        answer.wakes,
        usual=Night(bed=inputs.bed_minute, wake=inputs.wake_minute + MINUTES_PER_DAY),
        now=inputs.now_minute,
    )


def times_of(inputs: DayOutlineInput, answer: DayOutline) -> list[AnsweredTime]:
    """Return from when to when each chunk is, by its index, until bedtime."""
    now, bed = inputs.now_minute, night_of(inputs, answer).bed
    starts = [minute_of(chunk.starts, now=now, until=bed) for chunk in answer.chunks]
    least = [SLOT_MINUTES_MIN] * len(starts)
    return consecutive(starts, least=least, begins=now, ends=bed)


def _of_24_hours(
    inputs: DayOutlineInput, answer: DayOutline
) -> tuple[DayOutline, list[Difference]]:
    """Return the outline with the times that can only be those after noon as such.

    Some models count the hours from noon again. A chunk that would be over and follows another
    one, and a bedtime before noon and before a chunk, are twelve hours later.
    """
    night = night_of(inputs, answer)
    chunks: list[OutlineChunk] = []
    last, latest = MINUTES_PER_DAY, inputs.now_minute
    for chunk in answer.chunks:
        start = minute_of(chunk.starts, now=inputs.now_minute, until=night.bed)
        starts = chunk.starts
        if start < inputs.now_minute and last <= start + NOON < MINUTES_PER_DAY:
            start += NOON
            starts = clock_text(start)
        chunks.append(chunk.model_copy(update={"starts": starts}))
        last, latest = start, max(start, latest)
    bedtime = answer.bedtime
    if bedtime is not None and inputs.now_minute < night.bed <= min(NOON - 1, latest):
        bedtime = clock_text(night.bed + NOON)
    read = answer.model_copy(update={"chunks": chunks, "bedtime": bedtime})
    times = [
        (f"chunks.{number}.starts", answered.starts, used.starts)
        for number, (answered, used) in enumerate(
            zip(answer.chunks, chunks, strict=True), start=1
        )
    ]
    return read, [
        Difference(field=field, answered=answered or "", used=used or "", reason=CLOCK_FORM)
        for field, answered, used in (*times, ("bedtime", answer.bedtime, bedtime))
        if answered != used
    ]


def _offered(inputs: DayOutlineInput, path: str) -> str:
    """Return the offered place of a path or around it, the home without one."""
    offered = {place.path for place in inputs.places}
    around = (path, path.partition(": ")[0])
    return next((place for place in around if place in offered), inputs.home)


def _variables(inputs: DayOutlineInput) -> Mapping[str, PromptValue]:
    return {
        **plan_variables(inputs, besides=inputs.summary.lasting.of_days),
        "yesterday": data(_yesterday(inputs)),
        "lasting": data_list(inputs.summary.lasting.of_days),
        "now": _now(inputs),
        "bed": answer_clock(inputs.bed_minute),
        "wake": answer_clock(inputs.wake_minute),
        "dinner": _dinner(inputs.dinner_minute),
        "home": data(inputs.home),
        "places": data_list(place_texts(inputs.places, inputs.agent_name)),
        "chunks_min": number(inputs.chunks_min),
        "chunks_max": number(inputs.chunks_max),
    }


def _yesterday(inputs: DayOutlineInput) -> str:
    """Return what was done on the latest planned day and with whom was talked (P3)."""
    yesterday = inputs.yesterday
    if yesterday is None:
        return phrase("(nothing is known of it)")
    if yesterday.kept:
        told = (
            phrase("What {name} keeps of the day:", name=inputs.agent_name),
            *yesterday.kept,
        )
    else:
        told = tuple(
            phrase(
                "{time}, in a conversation with {other}: {gist}",
                time=format_clock(talk.ended),
                other=talk.other,
                gist=talk.gist,
            )
            for talk in yesterday.talks
        )
    done = phrase(
        "What {name} did on {date}:",
        name=inputs.agent_name,
        date=format_date(yesterday.date),
    )
    did = (done, *map(deed_text, yesterday.performed))
    # The text may be cut at its end: what is kept of the day comes first.
    return "\n".join((*told, *did) if yesterday.kept else (*did, *told))


def _dinner(minute: int | None) -> Trusted:
    if minute is None:
        return joined(())
    return sentence(" Dinner is usually at {time}.", time=answer_clock(minute))


def _now(inputs: DayOutlineInput) -> Trusted:
    """Return the time of day, and whether the whole day or the rest of it is planned."""
    time = answer_clock(inputs.now_minute)
    if inputs.now_minute - inputs.wake_minute < MORNING_MINUTES:
        name = agent_name(inputs.agent_name)
        return sentence("It is {time} and {name} has just woken up", time=time, name=name)
    return sentence(
        "It is {time}; what came before is past, and only the rest of the day is planned",
        time=time,
    )


def _check(inputs: DayOutlineInput, answer: DayOutline) -> None:
    for chunk in answer.chunks:
        require_activity(chunk.activity, field="activity", agent_name=inputs.agent_name)
    answer, _ = _of_24_hours(inputs, answer)
    bed = night_of(inputs, answer).bed
    starts = [minute_of(one.starts, now=inputs.now_minute, until=bed) for one in answer.chunks]
    if min(starts) >= bed:
        raise ValueError(
            phrase("all chunks begin after bedtime, {time}", time=format_clock(bed))
        )


def _decision(answer: DayOutline) -> Iterator[Fact]:
    """Yield where each hour is spent, and the night; the activities are free."""
    ends = [*(chunk.starts for chunk in answer.chunks[1:]), answer.bedtime]
    for chunk, end in zip(answer.chunks, ends, strict=True):
        yield from hours_at(chunk.place, chunk.starts, end)
    yield "bedtime", hour_of(answer.bedtime)
    yield "wakes", hour_of(answer.wakes)


def _put_in_order(
    asked: Sequence[int], answered: Sequence[OutlineChunk]
) -> Iterator[Difference]:
    in_order = sorted(range(len(asked)), key=asked.__getitem__)
    if in_order != list(range(len(asked))):
        given = ", ".join(one.starts for one in answered)
        used = ", ".join(answered[index].starts for index in in_order)
        yield Difference(field="chunks", answered=given, used=used, reason=ORDER)


DAY_OUTLINE = LLMTask(
    name="planning.day_outline",
    template=task_templates(
        "planning/day_outline",
        trusted={
            "agent_name",
            "date",
            "now",
            "bed",
            "wake",
            "dinner",
            "chunks_min",
            "chunks_max",
        },
    ),
    input_type=DayOutlineInput,
    answer_type=DayOutline,
    variables=_variables,
    fallback=ordinary_day,
    decision=_decision,
    check=_check,
    adjust=fitted_outline,
    options=known_places,
    lengths=lambda inputs: {"chunks": (inputs.chunks_min, inputs.chunks_max)},
)
