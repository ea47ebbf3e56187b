"""LLM task: the three summaries of memories in a summary description (S1, appendix A)."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from apps.kernel.language import phrase
from apps.kernel.text import clip, one_line
from apps.llm.answers.checks import require_text
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, agent_name, data_list, game_time
from apps.llm.task import LLMTask
from apps.memory.items import SummaryInput
from apps.memory.prompt_lines import memory_texts

SUMMARY_CHARACTERS_MAX = 800
FALLBACK_MEMORIES_MAX = 2


class Summaries(TaskAnswer):
    """The three summaries, each in plain sentences in the third person."""

    core: str = Field(
        min_length=1,
        max_length=SUMMARY_CHARACTERS_MAX,
        description="the core characteristics, in two or three sentences that begin with the "
        "name",
    )
    occupation: str = Field(
        min_length=1,
        max_length=SUMMARY_CHARACTERS_MAX,
        description="the current daily occupation, in one or two sentences that begin with "
        "the name",
    )
    feeling: str = Field(
        max_length=SUMMARY_CHARACTERS_MAX,
        description="the feeling about the recent progress in life, in one or two sentences "
        'that begin with the name; "" if the statements show none',
    )


def first_statements(inputs: SummaryInput) -> Summaries:
    """Return the best memories as all three, and the occupation that lasts: the fallback."""
    best = _text(memory.description for memory in inputs.memories[:FALLBACK_MEMORIES_MAX])
    occupation = inputs.lasting.occupation
    return Summaries(
        core=best, occupation=_text(occupation) if occupation else best, feeling=best
    )


def _text(statements: Iterable[str]) -> str:
    sentences = ". ".join(one_line(text).rstrip(". ") for text in statements)
    return f"{clip(sentences, SUMMARY_CHARACTERS_MAX - 1)}."


def _variables(inputs: SummaryInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "now": game_time(inputs.now),
        "lasting": data_list(inputs.lasting.sentences),
        "statements": data_list(
            memory_texts(inputs.memories, besides=inputs.lasting.sentences)
        ),
    }


def _check(inputs: SummaryInput, answer: Summaries) -> None:
    for field in ("core", "occupation"):
        require_text(
            getattr(answer, field),
            field=field,
            meaning=phrase("what is known of {name}", name=inputs.agent_name),
        )


SUMMARIES = LLMTask(
    name="self_summary.summaries",
    template=task_templates("memory/summaries", trusted={"agent_name", "now"}),
    input_type=SummaryInput,
    answer_type=Summaries,
    variables=_variables,
    fallback=first_statements,
    decision=None,
    check=_check,
)
