"""Asking until the answer is valid: at once, after being told what is wrong, or never (L2).

Pure but for the model: no database, so that it can run in a thread of its own.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic

from apps.llm.answer_text import AnswerRefused, answer_in
from apps.llm.cleaning import clean_text
from apps.llm.port import (
    ChatModel,
    Completion,
    Message,
    ModelRefusal,
    Request,
)
from apps.llm.quoting import quoted
from apps.llm.task import Answer, Inputs, LLMTask

ANSWER_ATTEMPTS_MAX = 3
CUT_OFF = "; it was cut off at the longest that an answer may be, so answer more briefly"
RAW_TOLD_MAX = 4_000  # characters of a refused answer that are shown to the model again


class AnswerOutcome(StrEnum):
    """How an answer came about."""

    VALID = "valid"
    REPAIRED = "repaired"
    FELL_BACK = "fell_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One completion and what was wrong with it; `error` None when nothing was."""

    completion: Completion
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidAnswer(Generic[Answer]):
    """The answer with everything that led to it. `fallback` names the one that was used."""

    answer: Answer
    outcome: AnswerOutcome
    attempts: tuple[Attempt, ...]
    fallback: str | None = None


class CallFailed(Exception):
    """The model did not answer; `attempts` are the completions that it had given before."""

    def __init__(self, refusal: ModelRefusal, attempts: tuple[Attempt, ...]) -> None:
        """Keep what the caller shall raise and what was already paid for."""
        super().__init__(refusal.message)
        self.refusal = refusal
        self.attempts = attempts


def ask_until_valid(
    chain: LLMTask[Inputs, Answer], inputs: Inputs, request: Request, model: ChatModel
) -> ValidAnswer[Answer]:
    """Return the model's answer, or the chain's fallback after ANSWER_ATTEMPTS_MAX.

    :raises CallFailed: if the model does not answer, or its server refuses for good.
    """
    attempts: list[Attempt] = []
    asked = request
    for _ in range(ANSWER_ATTEMPTS_MAX):
        try:
            completion = model.complete(asked)
        except ModelRefusal as refusal:
            raise CallFailed(refusal, tuple(attempts)) from refusal
        try:
            answer = validated_answer(chain, inputs, completion.text)
        except AnswerRefused as refusal:
            error = f"{refusal}{CUT_OFF if completion.cut_off else ''}"
            attempts.append(Attempt(completion=completion, error=error))
            asked = _asked_again(request, completion.text, error)
            continue
        outcome = AnswerOutcome.REPAIRED if attempts else AnswerOutcome.VALID
        attempts.append(Attempt(completion=completion, error=None))
        return ValidAnswer(answer=answer, outcome=outcome, attempts=tuple(attempts))
    return ValidAnswer(
        answer=chain.fallback(inputs),
        outcome=AnswerOutcome.FELL_BACK,
        attempts=tuple(attempts),
        fallback=getattr(chain.fallback, "__name__", "fallback"),
    )


def validated_answer(chain: LLMTask[Inputs, Answer], inputs: Inputs, text: str) -> Answer:
    """Return the text as the chain's answer.

    :raises AnswerRefused: if it is none, or if the chain's check refuses it.
    """
    answer = answer_in(text, chain.answer_type)
    if chain.check is not None:
        try:
            chain.check(inputs, answer)
        except ValueError as error:
            raise AnswerRefused(str(error)) from error
    return answer


def _asked_again(request: Request, said: str, error: str) -> Request:
    """Return the request with the last refused answer and what was wrong with it."""
    correction = (
        f"That answer cannot be used:\n{quoted(error, source='what is wrong with it')}\n"
        "Answer again, with one JSON object of the form asked for and nothing else."
    )
    again = (
        Message("assistant", clean_text(said[:RAW_TOLD_MAX]) or "(nothing)"),
        Message("user", correction),
    )
    return replace(request, messages=request.messages + again, is_asked_again=True)
