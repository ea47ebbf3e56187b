"""LLM task: the hours of an outlined day, each with a place (P1, W2)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.kernel.game_time import format_clock
from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_date
from apps.llm.wording import Wording
from apps.planning.checks import require_activity
from apps.planning.inputs import HourlyPlanInput, HourSlot, RevisedHoursInput


class HourActivity(BaseModel):
    """What one of the listed times is for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    time: int = Field(description="the number of the time in the list, from 1")
    activity: str = Field(
        description='what the agent will do then, an infinitive without "to" and name'
    )
    place: str = Field(description="one of the known places, written as it is listed")


class HourlyPlan(BaseModel):
    """One activity for each listed time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hours: list[HourActivity]


def hours_as_outlined(given: HourlyPlanInput) -> HourlyPlan:
    """Return every hour as its chunk says: the named fallback."""
    return hours_of_slots(given.slots)


def hours_of_slots(slots: Sequence[HourSlot]) -> HourlyPlan:
    """Return the plan that leaves every slot as it is."""
    return HourlyPlan(
        hours=[
            HourActivity(time=number, activity=slot.activity, place=slot.place)
            for number, slot in enumerate(slots, start=1)
        ]
    )


def slot_text(slot: HourSlot) -> str:
    """Return the slot as a line: "8:00 am to 9:00 am: open the cafe (Hobbs Cafe)"."""
    times = f"{format_clock(slot.from_minute)} to {format_clock(slot.to_minute)}"
    return f"{times}: {slot.activity} ({slot.place})"


def check_hours(given: HourlyPlanInput | RevisedHoursInput, answer: HourlyPlan) -> None:
    """Check the activities.

    :raises ValueError: if one of them cannot be used.
    """
    for hour in answer.hours:
        require_activity(hour.activity, field="activity", agent_name=given.agent_name)


def _variables(given: HourlyPlanInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary.text),
        "memories": data_list(memory.description for memory in given.memories),
        "date": game_date(given.date),
        "times": data_list(map(slot_text, given.slots)),
        "places": data_list(place.text(given.agent_name) for place in given.places),
    }


HOURLY_PLAN = Chain(
    name="planning.hourly_plan",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "hourly_plan.md",
        trusted={"agent_name", "date"},
        data={"summary", "memories", "times", "places"},
    ),
    given=HourlyPlanInput,
    answer=HourlyPlan,
    fills=_variables,
    fallback=hours_as_outlined,
    check=check_hours,
)
