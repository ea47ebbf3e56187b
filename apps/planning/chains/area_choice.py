"""Chain: in which known area each action of an hour is done (W2, paper 5.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list
from apps.llm.wording import Wording
from apps.planning.offers import OfferedArea

OUTDOORS = "the streets of the town"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsToPlace:
    """An hour's actions and the areas that the person knows at the hour's place.

    `current_area` is a path, "" outdoors; `default` is the path of the area that stands
    in for an answer which is none of those offered.
    """

    agent_name: str
    place: str
    current_area: str
    actions: tuple[str, ...]
    areas: tuple[OfferedArea, ...]
    default: str


class AreaChoice(BaseModel):
    """Where one action is done."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: int = Field(description="the number of the action in the list, from 1")
    area: str = Field(description="one of the known areas, written as it is listed")


class AreaChoices(BaseModel):
    """An area for each action."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    choices: list[AreaChoice]


def default_area(given: ActionsToPlace) -> AreaChoices:
    """Return the hour's own area for every action: the named fallback."""
    return AreaChoices(
        choices=[
            AreaChoice(action=number, area=given.default)
            for number in range(1, len(given.actions) + 1)
        ]
    )


def _fills(given: ActionsToPlace) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "place": data(given.place),
        "current_area": data(given.current_area or OUTDOORS),
        "areas": data_list(area.in_words for area in given.areas),
        "actions": data_list(given.actions),
    }


AREA_CHOICE = Chain(
    name="planning.area_choice",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "area_choice.md",
        trusted={"agent_name"},
        data={"place", "current_area", "areas", "actions"},
    ),
    given=ActionsToPlace,
    answer=AreaChoices,
    fills=_fills,
    fallback=default_area,
)
