"""LLM task: the outline of a day (P1, P3)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import planned_time_text
from apps.kernel.game_time import format_date
from apps.llm.answer_options import ClockTime, OneOf, Options
from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import (
    PromptValue,
    Trusted,
    agent_name,
    clock,
    data,
    data_list,
    game_date,
    number,
    sentence,
)
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.planning.checks import require_activity
from apps.planning.inputs import DayOutlineInput

HOUR = 60
PLACES = "places"  # the option set of the known places
# Within this time after the waking hour the whole day is planned, later the rest of it.
MORNING_MINUTES = 180


class OutlineChunk(TaskAnswer):
    """One chunk of the day."""

    starts: Annotated[str, ClockTime()] = Field(
        description='time of day on a 24-hour clock, such as "13:30"'
    )
    minutes: int = Field(description="how long it lasts")
    activity: str = Field(
        description='what the agent will do, an infinitive without "to" and name, such as '
        '"have lunch and read the news"'
    )
    place: Annotated[str, OneOf(PLACES)] = Field(description="one of the known places")


class DayOutline(TaskAnswer):
    """The chunks of the day, in order."""

    chunks: list[OutlineChunk] = Field(min_length=1)


def ordinary_day(inputs: DayOutlineInput) -> DayOutline:
    """Return a day of work between meals at the usual hours: the named fallback."""
    work = _offered(inputs, inputs.workplace)
    dinner = inputs.dinner_minute or 18 * HOUR
    chunks = (
        (inputs.now_minute, "wake up and complete the morning routine", inputs.home),
        (inputs.now_minute + HOUR, "go about the work of the day", work),
        (12 * HOUR, "have lunch", work),
        (13 * HOUR, "go on with the work of the day", work),
        (dinner, "have dinner", inputs.home),
        (dinner + HOUR, "spend a quiet evening at home", inputs.home),
        (inputs.bed_minute - HOUR // 2, "get ready for bed", inputs.home),
    )
    ahead = [chunk for chunk in chunks if inputs.now_minute <= chunk[0] < inputs.bed_minute]
    return DayOutline(
        chunks=[
            OutlineChunk(
                starts=f"{minute // HOUR:02d}:{minute % HOUR:02d}",
                minutes=HOUR,
                activity=activity,
                place=place,
            )
            for minute, activity, place in ahead or chunks[-1:]
        ]
    )


def _options(inputs: DayOutlineInput) -> Options:
    return {PLACES: [place.path for place in inputs.places]}


def _offered(inputs: DayOutlineInput, path: str) -> str:
    """Return the offered place of a path or around it, the home without one."""
    offered = {place.path for place in inputs.places}
    around = (path, path.partition(": ")[0])
    return next((place for place in around if place in offered), inputs.home)


def _variables(inputs: DayOutlineInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "summary": data(inputs.summary.text),
        "yesterday": data(_yesterday(inputs)),
        "memories": data_list(memory.description for memory in inputs.memories),
        "date": game_date(inputs.date),
        "now": _now(inputs),
        "bed": clock(inputs.bed_minute),
        "dinner": _dinner(inputs.dinner_minute),
        "home": data(inputs.home),
        "places": data_list(place.text(inputs.agent_name) for place in inputs.places),
        "chunks_min": number(inputs.chunks_min),
        "chunks_max": number(inputs.chunks_max),
    }


def _yesterday(inputs: DayOutlineInput) -> str:
    """Return the plan and the memories of the latest planned day, each on a line (P3)."""
    yesterday = inputs.yesterday
    if yesterday is None:
        return "(nothing is known of it)"
    lines = (
        f"On {format_date(yesterday.date)}, {inputs.agent_name} planned:",
        *map(planned_time_text, yesterday.planned),
        *(memory.description for memory in yesterday.memories),
    )
    return "\n".join(lines)


def _dinner(minute: int | None) -> Trusted:
    if minute is None:
        return sentence("")
    return sentence(" Dinner is usually at {time}.", time=clock(minute))


def _now(inputs: DayOutlineInput) -> Trusted:
    """Return the time of day, and whether the whole day or the rest of it is planned."""
    time = clock(inputs.now_minute)
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


DAY_OUTLINE = LLMTask(
    name="planning.day_outline",
    template=PromptTemplate.load(
        "planning/day_outline",
        trusted={"agent_name", "date", "now", "bed", "dinner", "chunks_min", "chunks_max"},
    ),
    input_type=DayOutlineInput,
    answer_type=DayOutline,
    variables=_variables,
    fallback=ordinary_day,
    check=_check,
    options=_options,
)
