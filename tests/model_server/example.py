"""A task for tests: how much memories matter to somebody, answered by length."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.port import Request
from apps.llm.prompts.sections import COMMON
from apps.llm.prompts.template import PromptTemplate
from apps.llm.prompts.values import PromptValue, agent_name, data_list
from apps.llm.task import LLMTask
from apps.rule_model.model import Chance

SHARED = {COMMON: "You play one agent."}
TEXT = """
# For tests
## common
## task
Judge how much memories matter to $agent_name.
<quoted source="memories of $agent_name">
$memories
</quoted>
How much does each matter, from 1 to 10?
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemories:
    """What the task is given."""

    agent_name: str = "Isabella Rodriguez"
    descriptions: tuple[str, ...] = ("the stove is burning", "the cup is idle")


class Importances(BaseModel):
    """What it must answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    importances: list[Annotated[int, Field(ge=1, le=10)]]


def fills(inputs: NewMemories) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "memories": data_list(inputs.descriptions),
    }


def as_many_as_memories(inputs: NewMemories, answer: Importances) -> None:
    if len(answer.importances) != len(inputs.descriptions):
        raise ValueError(f"give exactly {len(inputs.descriptions)} numbers")


def middling(inputs: NewMemories) -> Importances:
    return Importances(importances=[3] * len(inputs.descriptions))


TEMPLATE = PromptTemplate.parse(TEXT, trusted={"agent_name"}, shared=SHARED)
IMPORTANCES: LLMTask[NewMemories, Importances] = LLMTask(
    name="memory.importances",
    template=lambda _: TEMPLATE,
    input_type=NewMemories,
    answer_type=Importances,
    variables=fills,
    fallback=middling,
    decision=None,
    check=as_many_as_memories,
)

INPUTS = NewMemories()
GOOD = Importances(importances=[9, 1])
GOOD_TEXT = GOOD.model_dump_json()


def offline_importances(inputs: NewMemories, chance: Chance) -> Importances:
    """Answer from the given and from chance alone."""
    drawn = [chance.between(1, 10, text) for text in inputs.descriptions]
    return Importances(importances=drawn)


TASK_RULES = {IMPORTANCES.name: offline_importances}


def server_answer(_body: dict[str, Any]) -> str:
    """Answer as a model server that does its work."""
    return GOOD_TEXT


def request(call_id: str = "7/isabella-rodriguez/memory.importances/0") -> Request:
    """Return the request that the gateway would make."""
    return Request(
        call_id=call_id,
        task_name=IMPORTANCES.name,
        wording_version=TEMPLATE.version,
        inputs=INPUTS,
        messages=IMPORTANCES.prompt(INPUTS),
        answer_type=Importances,
        json_schema=Importances.model_json_schema(),
        seed=7,
    )
