"""LLM task: the actions of a planned hour, at its beginning (P1)."""

from collections.abc import Mapping

from pydantic import Field

from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import (
    PromptValue,
    agent_name,
    clock,
    data,
    data_list,
    game_date,
    number,
)
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.planning.checks import require_progress
from apps.planning.inputs import ActionDetailInput


class DetailedAction(TaskAnswer):
    """An action of a few minutes."""

    description: str = Field(
        description='what follows "is" after the agent\'s name, without the name, such as '
        '"grinding coffee beans"'
    )
    minutes: int = Field(description="how long it lasts")


class ActionDetail(TaskAnswer):
    """The actions of the hour, in order."""

    actions: list[DetailedAction] = Field(min_length=1)


def hour_as_planned(inputs: ActionDetailInput) -> ActionDetail:
    """Return the hour as one action, which tiling divides: the named fallback."""
    return ActionDetail(
        actions=[
            DetailedAction(
                description=f"keeping to the plan: {inputs.activity}", minutes=inputs.minutes
            )
        ]
    )


def _variables(inputs: ActionDetailInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "summary": data(inputs.summary.text),
        "memories": data_list(memory.description for memory in inputs.memories),
        "date": game_date(inputs.date),
        "previous": data(inputs.previous or "nothing of note"),
        "done": data_list(inputs.done),
        "activity": data(inputs.activity),
        "place": data(inputs.place),
        "from_time": clock(inputs.from_minute),
        "to_time": clock(inputs.to_minute),
        "minutes": number(inputs.minutes),
        "minutes_min": number(inputs.minutes_min),
        "minutes_max": number(inputs.minutes_max),
    }


def _check(inputs: ActionDetailInput, answer: ActionDetail) -> None:
    for action in answer.actions:
        require_progress(action.description, field="description", agent_name=inputs.agent_name)


ACTION_DETAIL = LLMTask(
    name="planning.action_detail",
    template=PromptTemplate.load(
        "planning/action_detail",
        trusted={
            "agent_name",
            "date",
            "from_time",
            "to_time",
            "minutes",
            "minutes_min",
            "minutes_max",
        },
    ),
    input_type=ActionDetailInput,
    answer_type=ActionDetail,
    variables=_variables,
    fallback=hour_as_planned,
    check=_check,
)
