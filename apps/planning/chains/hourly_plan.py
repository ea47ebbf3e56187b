"""Chain: from the day in broad strokes to what each hour holds, and where (P1, W2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_time
from apps.llm.wording import Wording
from apps.planning.offers import OfferedPlace, spoken_minute


@dataclass(frozen=True, slots=True, kw_only=True)
class HourSlot:
    """A piece of about an hour of a chunk, to be filled.

    Minutes count from the midnight on which the day began and may pass 1,440; `chunk` and
    `place` are the chunk's.
    """

    from_minute: int
    to_minute: int
    chunk: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursToPlan:
    """What is known when the hours are planned; slot 1 is the first."""

    agent_name: str
    summary: str
    memories: tuple[str, ...]
    date: str
    slots: tuple[HourSlot, ...]
    places: tuple[OfferedPlace, ...]


class HourActivity(BaseModel):
    """What one of the listed times is for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    time: int = Field(description="the number of the time in the list, from 1")
    activity: str = Field(
        description="what the person will do then, an infinitive without their name"
    )
    place: str = Field(description="one of the known places, written as it is listed")


class HourlyPlan(BaseModel):
    """One activity for each listed time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hours: list[HourActivity]


def hours_as_outlined(given: HoursToPlan) -> HourlyPlan:
    """Return every hour as its chunk says: the named fallback."""
    return HourlyPlan(
        hours=[
            HourActivity(time=number, activity=slot.chunk, place=slot.place)
            for number, slot in enumerate(given.slots, start=1)
        ]
    )


def _fills(given: HoursToPlan) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "memories": data_list(given.memories),
        "date": game_time(given.date),
        "times": data_list(
            f"{spoken_minute(slot.from_minute)} to {spoken_minute(slot.to_minute)}: "
            f"{slot.chunk} (at {slot.place})"
            for slot in given.slots
        ),
        "places": data_list(place.in_words(given.agent_name) for place in given.places),
    }


HOURLY_PLAN = Chain(
    name="planning.hourly_plan",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "hourly_plan.md",
        trusted={"agent_name", "date"},
        data={"summary", "memories", "times", "places"},
    ),
    given=HoursToPlan,
    answer=HourlyPlan,
    fills=_fills,
    fallback=hours_as_outlined,
)
