"""LLM task: the object of each action of an hour (W2, paper 5.1)."""

from collections.abc import Mapping

from pydantic import Field

from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import PromptValue, agent_name, data_list, sentence
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.planning.inputs import ObjectChoiceInput

NO_OBJECT = "none"


class ObjectChoice(TaskAnswer):
    """The object of one action."""

    action: int = Field(description="the number of the action in the list, from 1")
    object: str = Field(
        description='an object of the action\'s own area, written as it is listed, or "none"'
    )


class ObjectChoices(TaskAnswer):
    """An object or none for each action."""

    choices: list[ObjectChoice]


def no_objects(inputs: ObjectChoiceInput) -> ObjectChoices:
    """Return no object for any action: the named fallback."""
    return ObjectChoices(
        choices=[
            ObjectChoice(action=number, object=NO_OBJECT)
            for number in range(1, len(inputs.actions) + 1)
        ]
    )


def _variables(inputs: ObjectChoiceInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "areas": data_list(area.text for area in inputs.areas),
        "actions": data_list(
            f"{action.description} (in {action.area})" for action in inputs.actions
        ),
        "no_object": sentence(NO_OBJECT),
    }


OBJECT_CHOICE = LLMTask(
    name="planning.object_choice",
    template=PromptTemplate.load("planning/object_choice", trusted={"agent_name", "no_object"}),
    input_type=ObjectChoiceInput,
    answer_type=ObjectChoices,
    variables=_variables,
    fallback=no_objects,
)
