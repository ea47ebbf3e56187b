"""Asks another model for the answers to recorded calls, and compares them with the recorded.

The answers are kept by who asks for them: neither the call log nor the budget of a simulation
has them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Protocol

from apps.llm.answers.decisions import Decision, DecisionAgreement, agreement
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.calls.call_log import CallKey, CompletedCall, FailedCall, JsonObject
from apps.llm.calls.django_call_log import release_connection
from apps.llm.calls.gateway import (
    BatchAwaited,
    Call,
    CallBatches,
    Gateway,
    Models,
)
from apps.llm.calls.record import request_sha256
from apps.llm.catalogue import price_of
from apps.llm.prices import FREE
from apps.llm.recorded_answers import RecordedCall, RepeatedCall
from apps.llm.task import LLMTask
from apps.llm.usage import Usage, totals_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondAnswer:
    """The answer of another model to a recorded call, beside the recorded one.

    Decisions are None for a task without one, and in place of the fallback of a task, which is
    no answer of a model. Only two decisions can agree.
    """

    completed: CompletedCall
    recorded: RecordedCall
    decision: Decision | None
    recorded_decision: Decision | None
    is_priced: bool

    @property
    def used(self) -> Usage:
        """What the call used."""
        return self.completed.spent

    @property
    def agreement(self) -> DecisionAgreement | None:
        """How far the two decisions agree; None without two of them."""
        if self.decision is None or self.recorded_decision is None:
            return None
        return agreement(self.decision, self.recorded_decision)

    def values(self) -> dict[str, Any]:
        """Return the values of a row of `RecordedChatCall` with those of the recorded call.

        Costs are None where no price is known; that of the recorded call is by the price of
        today.
        """
        call, place, recorded = self.completed, self.completed.place, self.recorded
        price, found = price_of(recorded.model, recorded.server), self.agreement
        return totals_of(self.used) | {
            "simulation_id": place.simulation_id,
            "tick": place.tick,
            "stream": place.stream,
            "task": place.task,
            "call_id": place.call_id,
            "server": call.server,
            "model": call.model,
            "cost": self.used.cost if self.is_priced else None,
            "attempts": list(call.attempts),
            "answer": call.answer,
            "outcome": call.outcome,
            "recorded_model": recorded.model,
            "recorded_outcome": recorded.outcome,
            "recorded_tokens": recorded.used.tokens,
            "recorded_latency_ms": recorded.used.latency_ms,
            "recorded_cost": price and price.cost_of(recorded.used),
            "decision": _facts(self.decision),
            "recorded_decision": _facts(self.recorded_decision),
            "is_equal": None if found is None else found.is_equal,
            "overlap": None if found is None else found.overlap,
        }


class SecondAnswers(Protocol):
    """Keeps the answers of another model."""

    def keep(self, answer: SecondAnswer) -> None:
        """Store an answer as soon as it has arrived, and what it used."""
        ...

    def pay(self, tokens: int, money: Decimal) -> None:
        """Store what a call used that ended without an answer."""
        ...


def ask_again(
    asked: Sequence[RepeatedCall],
    models: Models,
    answers: SecondAnswers,
    batches: CallBatches,
) -> Usage:
    """Ask the default chat model all of the calls at once, with their recorded messages.

    Return what those will use that wait for a batch, by what was recorded.

    The calls have the seeds of the recorded ones, and can wait.

    :raises ModelUnavailable: if the model does not answer; the other answers are kept.
    :raises ModelMisconfigured: if its server refuses the requests.
    """
    calls = [_second(one.call, models) for one in asked]
    recorded = {call.key: one.recorded for call, one in zip(calls, asked, strict=True)}
    tasks = {call.task.name: call.task for call in calls}

    def keep(completed: CompletedCall) -> None:
        task, one = tasks[completed.place.task], recorded[completed.key]
        assert one is not None, "only recorded calls are asked again"
        answer = SecondAnswer(
            completed=completed,
            recorded=one,
            decision=_decided(task, completed.outcome, completed.answer),
            recorded_decision=_decided(task, one.outcome, one.answer),
            is_priced=models.price is not None,
        )
        answers.keep(answer)

    log = _ApartFromHistory(keep, answers.pay)
    gateway = Gateway(
        models,
        log,
        tick=-1,
        stream="",
        deferred=False,
        batches=batches,
    )
    try:
        gateway.answer(calls)
    except BatchAwaited:
        used = sum((one.recorded.used for one in asked if one.recorded), Usage())
        price = price_of(models.chat.name, models.chat.server, can_wait=True) or FREE
        return replace(used, cost=price.cost_of(used))
    return Usage()


def _second(call: Call, models: Models) -> Call:
    """Return the call to the other model."""
    model = replace(call.model, chat=models.chat, price=models.price)
    request = replace(call.request, can_wait=True)
    key = CallKey(call.key.call_id, request_sha256(request, model.chat))
    return replace(call, model=model, request=request, key=key)


def _decided(task: LLMTask[Any, Any], outcome: str, answer: JsonObject) -> Decision | None:
    if outcome == AnswerOutcome.FELL_BACK:
        return None
    # As recorded: JSON knows neither tuples nor members of an enumeration.
    return task.decided(task.answer_type.model_validate(answer, strict=False))


def _facts(decision: Decision | None) -> list[list[Any]] | None:
    """Return the facts in order, as JSON has them."""
    return None if decision is None else sorted(map(list, decision), key=repr)


@dataclass(frozen=True, slots=True)
class _ApartFromHistory:
    """A call log without the calls of a simulation and without its budget."""

    keep: Callable[[CompletedCall], None]
    pay: Callable[[int, Decimal], None]

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:  # noqa: ARG002
        """Return no calls: those that are asked again are not answered yet."""
        return {}

    def reuse(self, *, tick: int, stream: str, keys: Collection[CallKey]) -> int:  # noqa: ARG002
        """Use no answers of other simulations."""
        return 0

    def record(self, call: CompletedCall) -> JsonObject:
        """Keep the answer apart."""
        self.keep(call)
        return call.answer

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Keep the answers apart."""
        for call in calls:
            self.keep(call)

    def record_failure(self, failure: FailedCall) -> None:
        """Keep what the call used."""
        self.pay(failure.spent.tokens, failure.spent.cost)

    def fell_back_only(self, *, server: str, model: str) -> bool:  # noqa: ARG002
        """Return False, so that a model without any usable answer is asked all of the calls."""
        return False

    def ensure_within_budget(self, unrecorded: Sequence[Usage], *, is_priced: bool) -> None:
        """Check nothing: the caller has limits of its own."""

    def release_connection(self) -> None:
        """Release the database connection for the time of a remote call."""
        release_connection()
