"""LLM task: what is kept of a day, in a few memories (R2)."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from apps.agents.phrases import agent_variables, deed_text
from apps.kernel.language import phrase
from apps.llm.answers.decisions import Fact, marked
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data, data_list, game_date, number
from apps.llm.task import LLMTask
from apps.memory.llm_tasks.importance import DATED, importance_field
from apps.memory.prompt_lines import memory_texts
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX
from apps.reflection.inputs import ConsolidationInput
from apps.reflection.rules import (
    DAY_MEMORIES_MAX,
    DAY_MEMORIES_MIN,
    INSIGHT_CHARACTERS_MAX,
    normalised,
)


class DayMemory(TaskAnswer):
    """A memory of a day, with the statements that it condenses."""

    statement: str = Field(
        min_length=1,
        max_length=INSIGHT_CHARACTERS_MAX,
        description=f"one sentence in the third person and the past tense; {DATED}",
    )
    because_of: tuple[int, ...] = Field(
        max_length=MEMORIES_PER_PROMPT_MAX,
        description="the numbers of the statements that it condenses, most telling first",
    )
    importance: int = importance_field("of the memory")


class DayMemories(TaskAnswer):
    """What is kept of a day, possibly nothing."""

    memories: tuple[DayMemory, ...] = Field(max_length=DAY_MEMORIES_MAX)


def no_memories(inputs: ConsolidationInput) -> DayMemories:  # noqa: ARG001 (a fallback's signature)
    """Return no memories: the named fallback."""
    return DayMemories(memories=())


def _variables(inputs: ConsolidationInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        "date": game_date(inputs.date),
        "kept": data("; ".join(memory_texts(inputs.kept))),
        "statements": data_list(memory_texts(inputs.memories)),
        "performed": data_list(map(deed_text, inputs.performed)),
        "count_min": number(DAY_MEMORIES_MIN),
        "count_max": number(DAY_MEMORIES_MAX),
    }


def _decision(answer: DayMemories) -> Iterable[Fact]:
    """Return which statements are kept; how they are put is free."""
    return marked("kept", (number for one in answer.memories for number in one.because_of))


def _check(_: ConsolidationInput, answer: DayMemories) -> None:
    if any(not normalised(one.statement) for one in answer.memories):
        raise ValueError(phrase("a memory is blank: say it in one sentence, or leave it out"))


CONSOLIDATION = LLMTask(
    name="reflection.consolidation",
    template=task_templates(
        "reflection/consolidation", trusted={"agent_name", "date", "count_min", "count_max"}
    ),
    input_type=ConsolidationInput,
    answer_type=DayMemories,
    variables=_variables,
    fallback=no_memories,
    decision=_decision,
    check=_check,
)
