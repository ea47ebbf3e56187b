"""LLM task: the hours of an outlined day, each with a place (P1, W2)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import agent_variables, day_variables, span_text
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data_list
from apps.llm.task import LLMTask
from apps.planning.checks import require_activity
from apps.planning.inputs import HourlyPlanInput, HourSlot, RevisedHoursInput
from apps.planning.llm_tasks.memories import memories_in_plans
from apps.planning.surroundings import place_texts

PLACES = "places"  # the option set of the known places


class HourActivity(TaskAnswer):
    """The activity and the place of one of the listed times."""

    time: int = Field(description="the number of the time in the list, from 1")
    activity: str = Field(
        description='what the agent will do then, an infinitive without "to" and name'
    )
    place: Annotated[str, OneOf(PLACES)] = Field(description="one of the known places")


class HourlyPlan(TaskAnswer):
    """One activity for each listed time."""

    hours: list[HourActivity]


def hours_as_planned(inputs: HourlyPlanInput) -> HourlyPlan:
    """Return the activities and places of the slots: the named fallback."""
    return HourlyPlan(
        hours=[
            HourActivity(time=number, activity=slot.activity, place=slot.place)
            for number, slot in enumerate(inputs.slots, start=1)
        ]
    )


def known_places(inputs: HourlyPlanInput | RevisedHoursInput) -> Options:
    """Return the options of an hour's place."""
    return {PLACES: [place.path for place in inputs.places]}


def slot_text(slot: HourSlot) -> str:
    """Return the slot as a line: "8:00 am to 9:00 am: open the cafe (Hobbs Cafe)"."""
    times = span_text(slot.from_minute, slot.to_minute)
    return f"{times}: {slot.activity} ({slot.place})"


def _check(inputs: HourlyPlanInput, answer: HourlyPlan) -> None:
    for hour in answer.hours:
        require_activity(hour.activity, field="activity", agent_name=inputs.agent_name)


def _variables(inputs: HourlyPlanInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        **day_variables(inputs.date, inputs.outline, inputs.agreements, inputs.promises),
        "memories": memories_in_plans(inputs),
        "times": data_list(map(slot_text, inputs.slots)),
        "places": data_list(place_texts(inputs.places, inputs.agent_name)),
    }


HOURLY_PLAN = LLMTask(
    name="planning.hourly_plan",
    template=task_templates("planning/hourly_plan", trusted={"agent_name", "date"}),
    input_type=HourlyPlanInput,
    answer_type=HourlyPlan,
    variables=_variables,
    fallback=hours_as_planned,
    check=_check,
    options=known_places,
)
