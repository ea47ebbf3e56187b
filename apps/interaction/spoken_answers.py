"""What an agent answers in an interview: its words, and the value of a typed question."""

from dataclasses import dataclass
from typing import Any

from apps.interaction.answer_forms import AnswerForm, AnswerKind
from apps.interaction.inputs import InterviewInput, TypedQuestionInput
from apps.interaction.llm_tasks import ANSWER, CHOICE, NUMBER
from apps.llm.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.llm.queries import error_of_fallback
from apps.llm.task import LLMTask


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """The answer in one line, its value, and the error if the fallback stands in for it.

    `value` is the chosen option or the number; None for an open question, and for an answer
    that has none. A number of a scale is whole.
    """

    words: str
    value: str | float | None
    error: str


def task_of(form: AnswerForm) -> LLMTask[Any, Any]:
    """Return the LLM task that answers questions of the form."""
    if form.kind is AnswerKind.OPEN:
        return ANSWER
    return CHOICE if form.kind is AnswerKind.CHOICE else NUMBER


def ask_in_form(llm: AgentLLM, form: AnswerForm, inputs: InterviewInput) -> SpokenAnswer:
    """Ask the model for an answer of the form."""
    value: str | float | None = None
    if form.kind is AnswerKind.OPEN:
        words = llm.ask(ANSWER, inputs).answer
    elif form.kind is AnswerKind.CHOICE:
        chosen = llm.ask(CHOICE, TypedQuestionInput(interview=inputs, form=form))
        words, value = chosen.answer, chosen.choice or None
    else:
        numeric = llm.ask(NUMBER, TypedQuestionInput(interview=inputs, form=form))
        words, value = numeric.answer, _whole_if_possible(numeric.number)
    error = error_of_fallback(llm.simulation_id, llm.calls[-1])
    return SpokenAnswer(in_one_line(words), value, error)


def _whole_if_possible(number: float | None) -> float | None:
    return int(number) if number is not None and number.is_integer() else number
