"""LLM tasks: the answer of an agent interviewed, alone or with a value beside it (U1, E1)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import (
    agent_variables,
    day_variables,
    deed_text,
    plan_ahead,
    status_in_brief,
)
from apps.agents.status import Deed
from apps.interaction.answer_forms import AnswerForm, AnswerKind
from apps.interaction.inputs import InterviewInput, TypedQuestionInput
from apps.kernel.language import noted, phrase
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.checks import require_text
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    clock,
    data,
    data_list,
    game_time,
    number,
    sentence,
)
from apps.llm.task import LLMTask
from apps.memory.prompt_lines import memory_texts

ANSWER_CHARACTERS_MAX = 2_000
PLAN_HOURS = 24  # of the plan ahead: the whole rest of the day
# The trusted placeholders of the templates of interviews.
TRUSTED = frozenset({"agent_name", "date", "wake", "bed", "now"})

# Phrases of the task, besides its prompt template.
NO_ANSWER = noted("I'm sorry, I don't know what to say to that.")
NO_WORKPLACE = noted("no place in particular")
NOT_KNOWN = noted("(not known)")
STATUS_LEFT = noted("{name} has left")


class InterviewAnswer(TaskAnswer):
    """The answer of the agent."""

    answer: str = Field(
        min_length=1,
        max_length=ANSWER_CHARACTERS_MAX,
        description="the spoken words and nothing else, in the first person: as a rule one to "
        "five sentences",
    )


def nothing_to_say(_: InterviewInput) -> InterviewAnswer:
    """Return an answer without content: the named fallback."""
    return InterviewAnswer(answer=phrase(NO_ANSWER))


def interview_variables(inputs: InterviewInput) -> Mapping[str, PromptValue]:
    """Return the variables that the templates of all interviews have."""
    known = inputs.summary.lasting
    lasting = (*known.sentences, *known.in_mind, *known.relationships)
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        **day_variables(inputs.now.date(), inputs.agreements),
        "outline": plan_ahead(inputs.plans, inputs.now, hours=PLAN_HOURS),
        "home": data(inputs.home),
        "workplace": data(inputs.workplace or phrase(NO_WORKPLACE)),
        "wake": clock(inputs.wake_minute),
        "bed": clock(inputs.bed_minute),
        "now": game_time(inputs.now),
        "place": data(inputs.place or phrase(NOT_KNOWN)),
        "status": data(_status(inputs)),
        "spent": data_list(_spent(one, inputs.now) for one in inputs.spent),
        "lasting": data_list(lasting),
        "memories": data_list(memory_texts(inputs.memories, besides=lasting)),
        "earlier": data_list(
            (*memory_texts(inputs.earlier), *filter(None, [inputs.question_before]))
        ),
        "persona": data(inputs.persona),
        "question": data(inputs.question),
    }


def _status(inputs: InterviewInput) -> str:
    if inputs.status is None:
        return phrase(NOT_KNOWN)
    if not inputs.place:
        return phrase(STATUS_LEFT, name=inputs.agent_name)
    return status_in_brief(inputs.status)


def _spent(spent: Deed, now: datetime) -> str:
    activity = deed_text(spent)
    if spent.starts.date() == now.date():
        return phrase("today, {activity}", activity=activity)
    return phrase("yesterday, {activity}", activity=activity)


def _check_words(_: object, answer: InterviewAnswer) -> None:
    require_text(answer.answer, field="answer", meaning=phrase("the words that are spoken"))


ANSWER = LLMTask(
    name="interview.answer",
    template=task_templates("interaction/answer", trusted=TRUSTED),
    input_type=InterviewInput,
    answer_type=InterviewAnswer,
    variables=interview_variables,
    fallback=nothing_to_say,
    decision=None,
    check=_check_words,
)


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


def _check_number(inputs: TypedQuestionInput, answer: NumberAnswer) -> None:
    _check_words(inputs, answer)
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
    decision=lambda answer: [("choice", answer.choice)],
    check=_check_words,
    options=_options,
)
NUMBER = LLMTask(
    name="interview.number",
    template=_TEMPLATES,
    input_type=TypedQuestionInput,
    answer_type=NumberAnswer,
    variables=_variables,
    fallback=no_number,
    decision=lambda answer: [("number", answer.number)],
    check=_check_number,
)


LLM_TASKS = (ANSWER, CHOICE, NUMBER)
