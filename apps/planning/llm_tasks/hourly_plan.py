"""LLM task: the hours of an outlined day, each with a place (P1, W2)."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from apps.agents.phrases import span_text
from apps.kernel.language import phrase
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data_list
from apps.llm.task import LLMTask
from apps.planning.checks import ACTIVITY_CHARACTERS_MAX, require_activity
from apps.planning.inputs import HourlyPlanInput, HourSlot
from apps.planning.llm_tasks.plan_input import KnownPlace, known_places, plan_variables
from apps.planning.surroundings import place_texts


class HourActivity(TaskAnswer):
    """The activity and the place of one of the listed times."""

    time: int = Field(description="the number of the time in the list, from 1")
    activity: str = Field(
        description='what the agent will do then, an infinitive without "to" and name',
        json_schema_extra={"maxLength": ACTIVITY_CHARACTERS_MAX},
    )
    place: KnownPlace


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


def slot_text(slot: HourSlot) -> str:
    """Return the slot as a line: "8:00 am to 9:00 am: open the cafe (Hobbs Cafe)"."""
    times = span_text(slot.from_minute, slot.to_minute)
    return f"{times}: {slot.activity} ({slot.place})"


def _slot_texts(slots: Sequence[HourSlot]) -> Iterator[str]:
    """Yield the slots as lines; what goes on for several of them is told once."""
    before: HourSlot | None = None
    for slot in slots:
        if before and (before.activity, before.place) == (slot.activity, slot.place):
            times = span_text(slot.from_minute, slot.to_minute)
            yield phrase("{times}: the same", times=times)
        else:
            yield slot_text(slot)
        before = slot


def _check(inputs: HourlyPlanInput, answer: HourlyPlan) -> None:
    for hour in answer.hours:
        require_activity(hour.activity, field="activity", agent_name=inputs.agent_name)


def _variables(inputs: HourlyPlanInput) -> Mapping[str, PromptValue]:
    return {
        **plan_variables(inputs),
        "times": data_list(_slot_texts(inputs.slots)),
        "places": data_list(place_texts(inputs.places, inputs.agent_name)),
    }


HOURLY_PLAN = LLMTask(
    name="planning.hourly_plan",
    template=task_templates("planning/hourly_plan", trusted={"agent_name", "date"}),
    input_type=HourlyPlanInput,
    answer_type=HourlyPlan,
    variables=_variables,
    fallback=hours_as_planned,
    # The activities are free.
    decision=lambda answer: {("at", one.time, one.place) for one in answer.hours},
    check=_check,
    options=known_places,
    lengths=lambda inputs: {"hours": (1, len(inputs.slots))},
    numbers=lambda inputs: {"time": (1, len(inputs.slots))},
)
