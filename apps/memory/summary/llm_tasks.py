"""LLM tasks: the three summaries of memories in a summary description (S1, appendix A)."""

from collections.abc import Mapping

from pydantic import Field

from apps.kernel.text import clip, one_line
from apps.llm.answer_checks import require_text
from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import PromptValue, agent_name, data_list, game_time
from apps.llm.task import LLMTask
from apps.llm.task_answer import TaskAnswer
from apps.memory.inputs import SummaryInput

SUMMARY_CHARACTERS_MAX = 800
FALLBACK_MEMORIES_MAX = 2


class Summary(TaskAnswer):
    """A summary of one aspect of an agent."""

    summary: str = Field(
        min_length=1,
        max_length=SUMMARY_CHARACTERS_MAX,
        description="a few plain sentences in the third person",
    )


def first_statements(inputs: SummaryInput) -> Summary:
    """Return the descriptions of the best memories: the named fallback."""
    best = inputs.memories[:FALLBACK_MEMORIES_MAX]
    sentences = ". ".join(one_line(memory.description).rstrip(". ") for memory in best)
    return Summary(summary=f"{clip(sentences, SUMMARY_CHARACTERS_MAX - 1)}.")


def _variables(inputs: SummaryInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "now": game_time(inputs.now),
        "statements": data_list(memory.description for memory in inputs.memories),
    }


def _check(inputs: SummaryInput, answer: Summary) -> None:
    require_text(
        answer.summary, field="summary", meaning=f"what is known of {inputs.agent_name}"
    )


def _task(noun: str) -> LLMTask[SummaryInput, Summary]:
    return LLMTask(
        name=f"self_summary.{noun}",
        template=PromptTemplate.load(f"memory/{noun}", trusted={"agent_name", "now"}),
        input_type=SummaryInput,
        answer_type=Summary,
        variables=_variables,
        fallback=first_statements,
        check=_check,
    )


CORE_CHARACTERISTICS = _task("core_characteristics")
DAILY_OCCUPATION = _task("daily_occupation")
RECENT_PROGRESS = _task("recent_progress")
LLM_TASKS = (CORE_CHARACTERISTICS, DAILY_OCCUPATION, RECENT_PROGRESS)
