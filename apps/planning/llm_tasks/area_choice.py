"""LLM task: the area of each action of an hour (W2, paper 5.1)."""

from collections.abc import Mapping

from pydantic import Field

from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.planning.inputs import AreaChoiceInput

OUTDOORS = "outdoors"


class AreaChoice(TaskAnswer):
    """The area of one action."""

    action: int = Field(description="the number of the action in the list, from 1")
    area: str = Field(description="one of the known areas, written as it is listed")


class AreaChoices(TaskAnswer):
    """An area for each action."""

    choices: list[AreaChoice]


def default_area(inputs: AreaChoiceInput) -> AreaChoices:
    """Return the default area for every action: the named fallback."""
    return AreaChoices(
        choices=[
            AreaChoice(action=number, area=inputs.default)
            for number in range(1, len(inputs.actions) + 1)
        ]
    )


def _variables(inputs: AreaChoiceInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "place": data(inputs.place),
        "current_area": data(inputs.current_area or OUTDOORS),
        "areas": data_list(area.text for area in inputs.areas),
        "actions": data_list(inputs.actions),
    }


AREA_CHOICE = LLMTask(
    name="planning.area_choice",
    template=PromptTemplate.load("planning/area_choice", trusted={"agent_name"}),
    input_type=AreaChoiceInput,
    answer_type=AreaChoices,
    variables=_variables,
    fallback=default_area,
)
