"""Asks a model until its answer is valid: invalid answers are returned with their error (L2).

It uses no database, so that it can run in a thread of its own.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic

from apps.kernel.language import noted, phrase
from apps.llm.answers.answer_reading import answer_in
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.task_answer import InvalidAnswer
from apps.llm.cleaning import clean_text
from apps.llm.port import ChatModel, Completion, Message, ModelError, Request
from apps.llm.prompts.quoting import NOTHING, quoted
from apps.llm.task import Answer, Inputs, LLMTask

ANSWER_ATTEMPTS_MAX = 3
CUT_OFF = noted("; it was cut off at the longest that an answer may be, so answer more briefly")
THOUGHTS_CUT_OFF = "the thoughts of the model used up the limit of the answer"
RAW_CHARACTERS_MAX = 4_000  # of an invalid answer that the model is shown again


class AnswerOutcome(StrEnum):
    """The result of a call.

    - VALID: the first answer is done as given;
    - ADJUSTED: the first answer is done with recorded differences;
    - REPAIRED: an answer was invalid, and one after it is done;
    - FELL_BACK: no answer was valid, and the fallback of the task is done.
    """

    VALID = "valid"
    ADJUSTED = "adjusted"
    REPAIRED = "repaired"
    FELL_BACK = "fell_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One completion and its error, None if it was valid."""

    completion: Completion
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidAnswer(Generic[Answer]):
    """The answer with all attempts; `fallback` is the name of the fallback, if it was used.

    `differences` are those between the last answer of the model and `answer`.
    """

    answer: Answer
    outcome: AnswerOutcome
    attempts: tuple[Attempt, ...]
    fallback: str | None = None
    differences: tuple[Difference, ...] = ()


class CallFailed(Exception):
    """The model did not answer; `attempts` are the completions before, which are paid for."""

    def __init__(self, error: ModelError, attempts: tuple[Attempt, ...]) -> None:
        super().__init__(error.message)
        self.error = error
        self.attempts = attempts


def ask_until_valid(
    task: LLMTask[Inputs, Answer], inputs: Inputs, request: Request, model: ChatModel
) -> ValidAnswer[Answer]:
    """Return the model's answer, or the fallback of the task after ANSWER_ATTEMPTS_MAX.

    A model that repeats its answer is not asked a third time, and a prompt that its server
    refuses is not sent again. A request whose answer had no room after the thoughts is sent
    again unchanged: the model has raised its limit.

    :raises CallFailed: if the model does not answer, or its server refuses the request.
    """
    attempts: list[Attempt] = []
    current = request
    for _ in range(ANSWER_ATTEMPTS_MAX):
        try:
            completion = model.complete(current)
        except ModelError as error:
            raise CallFailed(error, tuple(attempts)) from error
        try:
            adjusted = validated_answer(
                task, inputs, completion.text, cut_off=completion.cut_off
            )
        except InvalidAnswer as invalid:
            why = _problem(completion, invalid)
            is_repeated = bool(attempts) and attempts[-1].completion.text == completion.text
            attempts.append(Attempt(completion=completion, error=why))
            if completion.thoughts_cut_off:
                continue
            if completion.refused or is_repeated:
                break
            current = _corrected(request, completion.text, why)
            continue
        outcome = _outcome(adjusted, is_first=not attempts)
        attempts.append(Attempt(completion=completion, error=None))
        return ValidAnswer(
            answer=adjusted.answer,
            outcome=outcome,
            attempts=tuple(attempts),
            differences=adjusted.differences,
        )
    return ValidAnswer(
        answer=task.fallback(inputs),
        outcome=AnswerOutcome.FELL_BACK,
        attempts=tuple(attempts),
        fallback=getattr(task.fallback, "__name__", "fallback"),
    )


def _problem(completion: Completion, invalid: InvalidAnswer) -> str:
    """Return why the completion is no answer."""
    if completion.refused:
        return completion.refused
    if completion.thoughts_cut_off:
        return THOUGHTS_CUT_OFF
    return f"{invalid}{phrase(CUT_OFF) if completion.cut_off else ''}"


def validated_answer(
    task: LLMTask[Inputs, Answer], inputs: Inputs, text: str, *, cut_off: bool = False
) -> Adjusted[Answer]:
    """Return the text as the answer of the task, as it can be done.

    :param cut_off: whether the text reached the limit of answers.
    :raises InvalidAnswer: if it has the wrong form, names no option, or fails the check of
        the task.
    """
    read = answer_in(text, task.answer_type, task.offered(inputs), cut_off=cut_off)
    if task.check is not None:
        try:
            task.check(inputs, read.answer)
        except ValueError as error:
            raise InvalidAnswer(str(error)) from error
    if task.adjust is None:
        return read
    adjusted = task.adjust(inputs, read.answer)
    return replace(adjusted, differences=read.differences + adjusted.differences)


def _outcome(adjusted: Adjusted[Answer], *, is_first: bool) -> AnswerOutcome:
    if not is_first:
        return AnswerOutcome.REPAIRED
    return AnswerOutcome.ADJUSTED if adjusted.differences else AnswerOutcome.VALID


def _corrected(request: Request, text: str, error: str) -> Request:
    """Return the request with the last answer and its error."""
    source = phrase("what is wrong with it")
    correction = phrase(
        "That answer cannot be used:\n{error}\n"
        "Answer again, with one JSON object of the form asked for and nothing else.",
        error=quoted(error, source=source),
    )
    again = (
        Message("assistant", clean_text(text[:RAW_CHARACTERS_MAX]) or phrase(NOTHING)),
        Message("user", correction),
    )
    return replace(request, messages=request.messages + again, is_correction=True)
