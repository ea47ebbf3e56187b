"""LLM task: the emoji of each action of an hour, and the state of its object (W4, W7)."""

from collections.abc import Mapping

from pydantic import Field

from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import PromptValue, agent_name, data_list
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.planning.checks import require_emoji, require_state
from apps.planning.inputs import StagingInput

PLAIN_EMOJI = "💭"
PLAIN_STATE = "in use"


class Staging(TaskAnswer):
    """The emoji and the object state of one action."""

    action: int = Field(description="the number of the action in the list, from 1")
    emoji: str = Field(description="one or two emoji that show the action")
    object_state: str = Field(
        description="the state of the object meanwhile in a few words, without its name, such "
        'as "brewing coffee"; empty when there is no object'
    )


class Stagings(TaskAnswer):
    """The emoji and object state of each action."""

    stagings: list[Staging]


def plain_staging(inputs: StagingInput) -> Stagings:
    """Return the same emoji and object state for all actions: the named fallback."""
    return Stagings(
        stagings=[
            Staging(
                action=number,
                emoji=PLAIN_EMOJI,
                object_state=PLAIN_STATE if action.object else "",
            )
            for number, action in enumerate(inputs.actions, start=1)
        ]
    )


def _variables(inputs: StagingInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "actions": data_list(
            f"{action.description} ({action.object or 'no object'})"
            for action in inputs.actions
        ),
    }


def _check(inputs: StagingInput, answer: Stagings) -> None:
    objects = dict(enumerate((action.object for action in inputs.actions), start=1))
    for staging in answer.stagings:
        require_emoji(staging.emoji, field="emoji")
        if objects.get(staging.action):
            require_state(staging.object_state, field="object_state")


STAGING = LLMTask(
    name="planning.staging",
    template=PromptTemplate.load("planning/staging", trusted={"agent_name"}),
    input_type=StagingInput,
    answer_type=Stagings,
    variables=_variables,
    fallback=plain_staging,
    check=_check,
)
