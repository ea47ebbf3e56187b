"""Chain: from the rest of a planned day, and what came between, to a new rest (X2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from apps.llm.chain import Chain
from apps.llm.quoting import quoted, quoted_list
from apps.llm.wording import Wording
from apps.planning.chains.hourly_plan import HourActivity, HourlyPlan, HourSlot
from apps.planning.offers import OfferedPlace, offered_in_words, spoken_minute


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


def _fills(given: HoursToRevise) -> Mapping[str, str]:
    name = given.agent_name
    times = [
        f"{spoken_minute(slot.from_minute)} to {spoken_minute(slot.to_minute)}: {slot.chunk} "
        f"({slot.place})"
        for slot in given.slots
    ]
    return {
        "agent_name": name,
        "summary": quoted(given.summary, source=f"who {name} is"),
        "memories": quoted_list(given.memories, source=f"memories of {name}"),
        "places": offered_in_words(given.places, name),
        "date": given.date,
        "now": spoken_minute(given.now_minute),
        "happened": quoted(given.happened, source=f"what {name} has just lived"),
        "times": quoted_list(times, source=f"plan of {name}"),
    }


REVISED_HOURS = Chain(
    name="planning.revised_hours",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "revised_hours.md",
        fills={
            "agent_name",
            "summary",
            "memories",
            "places",
            "date",
            "now",
            "happened",
            "times",
        },
    ),
    given=HoursToRevise,
    answer=HourlyPlan,
    fills=_fills,
    fallback=as_planned,
)
