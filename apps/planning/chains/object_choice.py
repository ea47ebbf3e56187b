"""Chain: which known object each action of an hour is done with (W2, paper 5.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data_list, sentence
from apps.llm.wording import Wording
from apps.planning.offers import OfferedArea

NO_OBJECT = "none"


@dataclass(frozen=True, slots=True)
class PlacedAction:
    """What is done, and the path of the area in which it is done."""

    description: str
    area: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsWithAreas:
    """An hour's actions and the objects that the person knows in their areas."""

    agent_name: str
    actions: tuple[PlacedAction, ...]
    areas: tuple[OfferedArea, ...]


class ObjectChoice(BaseModel):
    """What one action is done with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: int = Field(description="the number of the action in the list, from 1")
    object: str = Field(
        description='an object of the action\'s own area, written as it is listed, or "none"'
    )


class ObjectChoices(BaseModel):
    """An object or none for each action."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    choices: list[ObjectChoice]


def no_objects(given: ActionsWithAreas) -> ObjectChoices:
    """Return no object for any action: the named fallback."""
    return ObjectChoices(
        choices=[
            ObjectChoice(action=number, object=NO_OBJECT)
            for number in range(1, len(given.actions) + 1)
        ]
    )


def _fills(given: ActionsWithAreas) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "areas": data_list(area.in_words for area in given.areas),
        "actions": data_list(
            f"{action.description} (in {action.area})" for action in given.actions
        ),
        "no_object": sentence(NO_OBJECT),
    }


OBJECT_CHOICE = Chain(
    name="planning.object_choice",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "object_choice.md",
        trusted={"agent_name", "no_object"},
        data={"areas", "actions"},
    ),
    given=ActionsWithAreas,
    answer=ObjectChoices,
    fills=_fills,
    fallback=no_objects,
)
