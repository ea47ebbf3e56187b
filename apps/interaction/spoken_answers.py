"""What an agent answers in an interview: its words, and the value of a typed question."""

from dataclasses import dataclass
from typing import Any

from apps.interaction.answer_forms import AnswerForm, AnswerKind, NoValue
from apps.interaction.inputs import InterviewInput, TypedQuestionInput
from apps.interaction.llm_tasks import ANSWER, CHOICE, NUMBER
from apps.interaction.supported_values import supported_value
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.calls.queries import error_of_fallback
from apps.llm.cleaning import in_one_line
from apps.llm.task import LLMTask


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """The answer in one line, its value, and the error if the fallback stands in for it.

    `value` is the chosen option or the number; None for an open question, and for an answer
    that has none, `no_value` is then the reason. A number of a scale is whole.
    """

    words: str
    value: str | float | None
    no_value: NoValue | None
    error: str


def task_of(form: AnswerForm) -> LLMTask[Any, Any]:
    """Return the LLM task that answers questions of the form."""
    if form.kind is AnswerKind.OPEN:
        return ANSWER
    return CHOICE if form.kind is AnswerKind.CHOICE else NUMBER


def ask_in_form(
    llm: AgentLLM, form: AnswerForm, inputs: InterviewInput, *, by_rules: bool
) -> SpokenAnswer:
    """Ask the model for an answer of the form; `by_rules` if it is the rule-based one."""
    value: str | float | None = None
    no_value: NoValue | None = None
    typed = TypedQuestionInput(interview=inputs, form=form)
    if form.kind is AnswerKind.OPEN:
        words = llm.ask(ANSWER, inputs).answer
    elif form.kind is AnswerKind.CHOICE:
        chosen = llm.ask(CHOICE, typed)
        words, value = chosen.answer, chosen.choice or None
    else:
        numeric = llm.ask(NUMBER, typed)
        words, value = numeric.answer, _whole_if_possible(numeric.number)
    error = error_of_fallback(llm.simulation_id, llm.calls[-1])
    if value is None and form.kind is not AnswerKind.OPEN:
        no_value = NoValue.UNREADABLE if error else _reason(typed, by_rules=by_rules)
    return SpokenAnswer(in_one_line(words), value, no_value, error)


def _reason(typed: TypedQuestionInput, *, by_rules: bool) -> NoValue:
    """Return why a valid answer has no value."""
    supported = supported_value(typed) if by_rules else None
    return supported if isinstance(supported, NoValue) else NoValue.NOT_GIVEN


def _whole_if_possible(number: float | None) -> float | None:
    return int(number) if number is not None and number.is_integer() else number
