"""Chain: from the rest of a planned day, and what came between, to a new rest (X2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_time
from apps.llm.wording import Wording
from apps.planning.chains.hourly_plan import HourActivity, HourlyPlan, HourSlot
from apps.planning.offers import OfferedPlace, spoken_minute


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursToRevise:
    """What is known when the rest of a day is planned anew; slot 1 is the first.

    `happened` is a sentence on what came between; `slots` are the times that are left, each
    with what was planned for it; minutes count from the midnight on which `date` began.
    """

    agent_name: str
    summary: str
    memories: tuple[str, ...]
    date: str
    now_minute: int
    happened: str
    slots: tuple[HourSlot, ...]
    places: tuple[OfferedPlace, ...]


def as_planned(given: HoursToRevise) -> HourlyPlan:
    """Leave everything as it was planned: the named fallback."""
    return HourlyPlan(
        hours=[
            HourActivity(time=number, activity=slot.chunk, place=slot.place)
            for number, slot in enumerate(given.slots, start=1)
        ]
    )


def _fills(given: HoursToRevise) -> Mapping[str, PromptValue]:
    times = [
        f"{spoken_minute(slot.from_minute)} to {spoken_minute(slot.to_minute)}: {slot.chunk} "
        f"({slot.place})"
        for slot in given.slots
    ]
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "memories": data_list(given.memories),
        "places": data_list(place.in_words(given.agent_name) for place in given.places),
        "date": game_time(given.date),
        "now": game_time(spoken_minute(given.now_minute)),
        "happened": data(given.happened),
        "times": data_list(times),
    }


REVISED_HOURS = Chain(
    name="planning.revised_hours",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "revised_hours.md",
        trusted={"agent_name", "date", "now"},
        data={"summary", "memories", "places", "happened", "times"},
    ),
    given=HoursToRevise,
    answer=HourlyPlan,
    fills=_fills,
    fallback=as_planned,
)
