"""LLM task: the actions of a planned hour, asked when it begins (P1)."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import (
    PromptValue,
    agent_name,
    clock,
    data,
    data_list,
    game_date,
    number,
)
from apps.llm.wording import Wording
from apps.planning.checks import require_progress
from apps.planning.inputs import ActionDetailInput


class DetailedAction(BaseModel):
    """A few minutes of the hour."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = Field(
        description='what follows "is" after the agent\'s name, without the name, such as '
        '"grinding coffee beans"'
    )
    minutes: int = Field(description="how long it lasts")


class ActionDetail(BaseModel):
    """The hour's actions, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    actions: list[DetailedAction] = Field(min_length=1)


def hour_as_planned(given: ActionDetailInput) -> ActionDetail:
    """Return the hour as one action, which tiling divides evenly: the named fallback."""
    return ActionDetail(
        actions=[
            DetailedAction(
                description=f"keeping to the plan: {given.activity}", minutes=given.minutes
            )
        ]
    )


def _variables(given: ActionDetailInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary.text),
        "memories": data_list(memory.description for memory in given.memories),
        "date": game_date(given.date),
        "previous": data(given.previous or "nothing of note"),
        "done": data_list(given.done),
        "activity": data(given.activity),
        "place": data(given.place),
        "from_time": clock(given.from_minute),
        "to_time": clock(given.to_minute),
        "minutes": number(given.minutes),
        "minutes_min": number(given.minutes_min),
        "minutes_max": number(given.minutes_max),
    }


def _check(given: ActionDetailInput, answer: ActionDetail) -> None:
    for action in answer.actions:
        require_progress(action.description, field="description", agent_name=given.agent_name)


ACTION_DETAIL = Chain(
    name="planning.action_detail",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "action_detail.md",
        trusted={
            "agent_name",
            "date",
            "from_time",
            "to_time",
            "minutes",
            "minutes_min",
            "minutes_max",
        },
        data={"summary", "memories", "previous", "done", "activity", "place"},
    ),
    given=ActionDetailInput,
    answer=ActionDetail,
    fills=_variables,
    fallback=hour_as_planned,
    check=_check,
)
