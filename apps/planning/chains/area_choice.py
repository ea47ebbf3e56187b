"""LLM task: the area of each action of an hour (W2, paper 5.1)."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list
from apps.llm.wording import Wording
from apps.planning.inputs import AreaChoiceInput

OUTDOORS = "outdoors"


class AreaChoice(BaseModel):
    """Where one action is done."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: int = Field(description="the number of the action in the list, from 1")
    area: str = Field(description="one of the known areas, written as it is listed")


class AreaChoices(BaseModel):
    """An area for each action."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    choices: list[AreaChoice]


def default_area(given: AreaChoiceInput) -> AreaChoices:
    """Return the default area for every action: the named fallback."""
    return AreaChoices(
        choices=[
            AreaChoice(action=number, area=given.default)
            for number in range(1, len(given.actions) + 1)
        ]
    )


def _variables(given: AreaChoiceInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "place": data(given.place),
        "current_area": data(given.current_area or OUTDOORS),
        "areas": data_list(area.text for area in given.areas),
        "actions": data_list(given.actions),
    }


AREA_CHOICE = Chain(
    name="planning.area_choice",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "area_choice.md",
        trusted={"agent_name"},
        data={"place", "current_area", "areas", "actions"},
    ),
    given=AreaChoiceInput,
    answer=AreaChoices,
    fills=_variables,
    fallback=default_area,
)
