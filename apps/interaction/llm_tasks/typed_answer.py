"""LLM tasks: answers with a value beside the spoken words, an option or a number (E1)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from apps.interaction.answer_forms import AnswerForm, AnswerKind
from apps.interaction.inputs import TypedQuestionInput
from apps.interaction.llm_tasks.answer import (
    NO_ANSWER,
    TRUSTED,
    InterviewAnswer,
    interview_variables,
    require_spoken_words,
)
from apps.kernel.language import noted, phrase
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data_list, number, sentence
from apps.llm.task import LLMTask

OPTIONS = "options"  # the option set of the question
NO_OPTION = ""

# Phrases of the tasks, besides their prompt template.
CHOOSE = noted('Give one of the options too, word for word, or "" for none of them.')
ON_THE_SCALE = noted(
    "Give a whole number from {minimum} to {maximum} too, or null where there is no answer."
)
WITH_A_NUMBER = noted("Give a number too, or null where there is no answer.")
AT_LEAST = noted("Give a number of at least {minimum} too, or null where there is no answer.")
AT_MOST = noted("Give a number of at most {maximum} too, or null where there is no answer.")
BETWEEN = noted(
    "Give a number from {minimum} to {maximum} too, or null where there is no answer."
)
_TEMPLATES = task_templates("interaction/typed_answer", trusted=TRUSTED | {"form"})


class ChoiceAnswer(InterviewAnswer):
    """The spoken words, and the option that they mean."""

    choice: Annotated[str, OneOf(OPTIONS)] = Field(
        description='the option that the words mean; "" for none of them'
    )


class NumberAnswer(InterviewAnswer):
    """The spoken words, and the number that they mean."""

    number: float | None = Field(
        description="the number that the words mean, digits alone; null where there is none"
    )


def no_choice(_: TypedQuestionInput) -> ChoiceAnswer:
    """Return an answer without an option: the named fallback."""
    return ChoiceAnswer(answer=phrase(NO_ANSWER), choice=NO_OPTION)


def no_number(_: TypedQuestionInput) -> NumberAnswer:
    """Return an answer without a number: the named fallback."""
    return NumberAnswer(answer=phrase(NO_ANSWER), number=None)


def _options(inputs: TypedQuestionInput) -> Options:
    return {OPTIONS: (NO_OPTION, *inputs.form.options)}


def _variables(inputs: TypedQuestionInput) -> Mapping[str, PromptValue]:
    form = inputs.form
    bounds = {"minimum": form.minimum, "maximum": form.maximum}
    values = {name: number(value) for name, value in bounds.items() if value is not None}
    return {
        **interview_variables(inputs.interview),
        "form": sentence(_instruction(form), **values),
        "notes": data_list(form.notes),
    }


def _instruction(form: AnswerForm) -> str:
    if form.kind is AnswerKind.CHOICE:
        return CHOOSE
    if form.kind is AnswerKind.SCALE:
        return ON_THE_SCALE
    has_bounds = (form.minimum is not None, form.maximum is not None)
    return {
        (False, False): WITH_A_NUMBER,
        (True, False): AT_LEAST,
        (False, True): AT_MOST,
        (True, True): BETWEEN,
    }[has_bounds]


def _check_choice(_: TypedQuestionInput, answer: ChoiceAnswer) -> None:
    require_spoken_words(answer)


def _check_number(inputs: TypedQuestionInput, answer: NumberAnswer) -> None:
    require_spoken_words(answer)
    given, form = answer.number, inputs.form
    if given is None:
        return
    if form.kind is AnswerKind.SCALE and not given.is_integer():
        raise ValueError(phrase("the number must be a whole number"))
    if form.minimum is not None and given < form.minimum:
        raise ValueError(phrase("the number must be at least {minimum}", minimum=form.minimum))
    if form.maximum is not None and given > form.maximum:
        raise ValueError(phrase("the number must be at most {maximum}", maximum=form.maximum))


CHOICE = LLMTask(
    name="interview.choice",
    template=_TEMPLATES,
    input_type=TypedQuestionInput,
    answer_type=ChoiceAnswer,
    variables=_variables,
    fallback=no_choice,
    check=_check_choice,
    options=_options,
)
NUMBER = LLMTask(
    name="interview.number",
    template=_TEMPLATES,
    input_type=TypedQuestionInput,
    answer_type=NumberAnswer,
    variables=_variables,
    fallback=no_number,
    check=_check_number,
)
