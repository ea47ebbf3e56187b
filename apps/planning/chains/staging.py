"""Chain: how an hour's actions look: an emoji, and what becomes of the object (W4, W7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data_list
from apps.llm.wording import Wording

PLAIN_EMOJI = "💭"
PLAIN_STATE = "in use"


@dataclass(frozen=True, slots=True)
class ActionOnObject:
    """What is done, and the path of the object it is done with, "" for none."""

    description: str
    object: str

    @property
    def object_name(self) -> str:
        """The last part of the object's path."""
        return self.object.rpartition(": ")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsToStage:
    """An hour's actions with their objects."""

    agent_name: str
    actions: tuple[ActionOnObject, ...]


class Staging(BaseModel):
    """How one action looks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: int = Field(description="the number of the action in the list, from 1")
    emoji: str = Field(description="one or two emoji that show the action")
    object_state: str = Field(
        description="the state of the object meanwhile in a few words, without its name, such "
        'as "brewing coffee"; empty when there is no object'
    )


class Stagings(BaseModel):
    """How each action looks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    stagings: list[Staging]


def plain_staging(given: ActionsToStage) -> Stagings:
    """Return one emoji for every action and every object in use: the named fallback."""
    return Stagings(
        stagings=[
            Staging(
                action=number,
                emoji=PLAIN_EMOJI,
                object_state=PLAIN_STATE if action.object else "",
            )
            for number, action in enumerate(given.actions, start=1)
        ]
    )


def _fills(given: ActionsToStage) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "actions": data_list(
            f"{action.description} ({action.object or 'no object'})" for action in given.actions
        ),
    }


STAGING = Chain(
    name="planning.staging",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "staging.md",
        trusted={"agent_name"},
        data={"actions"},
    ),
    given=ActionsToStage,
    answer=Stagings,
    fills=_fills,
    fallback=plain_staging,
)
