"""The gateway: answers a model call from the call log, else from the model, and records it.

It depends on no database: call log and vectors are ports.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

from apps.llm.calls.answering import CallFailed, ValidAnswer, ask_until_valid
from apps.llm.calls.call_log import (
    CallKey,
    CallLog,
    CallPlace,
    CompletedCall,
    FailedCall,
    JsonObject,
)
from apps.llm.calls.record import attempt_json, json_of, spent_on, tries_json
from apps.llm.cleaning import clean_text
from apps.llm.model_spec import routed
from apps.llm.port import (
    CallPurpose,
    ChatModel,
    EmbeddingModel,
    ModelMisconfigured,
    Request,
)
from apps.llm.prices import FREE, Price
from apps.llm.prompts.sets import PromptForm
from apps.llm.task import LLMTask

THREADS_PER_AGENT_MAX = 8

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PricedChat:
    """A chat model with its price, None if it is not known."""

    chat: ChatModel
    price: Price | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The models of a simulation, its seed, and the form of its prompts.

    Prices are None where they are not known. `chat` answers the calls for which neither
    `agents`, by slug, nor `tasks`, by pattern, name another model.
    """

    chat: ChatModel
    embedding: EmbeddingModel
    seed: int
    temperature: float | None = None
    price: Price | None = FREE
    embedding_price: Price | None = FREE
    prompt_form: PromptForm = PromptForm.FULL
    tasks: Mapping[str, PricedChat] = field(default_factory=dict)
    agents: Mapping[str, PricedChat] = field(default_factory=dict)

    @property
    def chats_are_local(self) -> bool:
        """Whether all calls are answered within this process."""
        others = (*self.tasks.values(), *self.agents.values())
        return not any(chat.remote for chat in (self.chat, *(one.chat for one in others)))

    def of(self, place: CallPlace) -> PricedChat:
        """Return the model that answers a call: an agent's own, else that of the task."""
        default = PricedChat(self.chat, self.price)
        return routed(
            place.stream, place.task, agents=self.agents, tasks=self.tasks, default=default
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that is ready to be sent to a model, with its place in the history."""

    place: CallPlace
    task: LLMTask[Any, Any]
    model: PricedChat
    request: Request
    key: CallKey


class BatchAwaited(Exception):
    """Calls wait for a batch of their server; the work is to be taken again later."""


class CallBatches(Protocol):
    """Sends the calls of work in batches, and has the answers of those that are over."""

    def ensure_wanted(self) -> object:
        """Check before a model is asked that the work wants it; raise an error if not."""
        ...

    def read(self, calls: Sequence[Call]) -> Iterator[tuple[Call, "Future[ValidAnswer[Any]]"]]:
        """Yield the calls that batches answer, and those for which they failed."""
        ...

    def add(self, calls: Sequence[Call]) -> list[Call]:
        """Add calls that no batch answers to the next one; return those that are asked now."""
        ...


class _WithoutBatches:
    """Wants every call, and lets none wait."""

    def ensure_wanted(self) -> None:
        """Want it."""

    def read(
        self,
        calls: Sequence[Call],  # noqa: ARG002
    ) -> Iterator[tuple[Call, "Future[ValidAnswer[Any]]"]]:
        """Yield none."""
        return iter(())

    def add(self, calls: Sequence[Call]) -> list[Call]:
        """Return all."""
        return list(calls)


WITHOUT_BATCHES = _WithoutBatches()


def ask(call: Call) -> ValidAnswer[Any]:
    """Ask the model of the call; see `ask_until_valid`."""
    return ask_until_valid(call.task, call.request.inputs, call.request, call.model.chat)


class CallGateway(Protocol):
    """Answers the calls of one agent at one tick."""

    @property
    def is_deferred(self) -> bool:
        """Whether completed calls are written by `save`."""
        ...

    def answer(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        """Return the answers of the calls by key."""
        ...

    def save(self) -> None:
        """Write the deferred calls; may be repeated after a rollback."""
        ...


class Gateway:
    """Answers the calls of one agent at one tick. Used by one thread.

    With `deferred` completed calls are written by `save`, except those of a remote model:
    they are paid for, so they are always written at once. Without `batches` every call is
    wanted, and none waits for one.
    """

    def __init__(
        self,
        models: Models,
        call_log: CallLog,
        *,
        tick: int,
        stream: str,
        deferred: bool,
        batches: CallBatches = WITHOUT_BATCHES,
    ) -> None:
        self._call_log = call_log
        self._tick = tick
        self._stream = stream
        self._batches = batches
        self._deferred: list[CompletedCall] | None = (
            [] if deferred and models.chats_are_local else None
        )
        self._completed: Mapping[CallKey, JsonObject] | None = None
        self._fell_back: tuple[ChatModel, str] | None = None

    @property
    def is_deferred(self) -> bool:
        """Whether completed calls are written by `save`."""
        return self._deferred is not None

    def answer(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        """Return the answers of the calls by key.

        When one call fails, the others are still awaited and recorded: they are paid for.

        :raises BatchAwaited: if calls wait for a batch.
        """
        answers = self._recorded_answers(calls)
        answers |= self._read_batches([call for call in calls if call.key not in answers])
        missing = [call for call in calls if call.key not in answers]
        if not missing:
            return answers
        self._batches.ensure_wanted()
        self._call_log.ensure_within_budget(
            [call.spent for call in self._deferred or ()],
            is_priced=None not in [call.model.price for call in missing],
        )
        asked = self._batches.add(missing)
        for call in asked:
            logger.debug("model asked", call=call.place.call_id)
        for call in asked:
            if not call.model.chat.remote:
                answers[call.key] = self._answer_locally(call)
        if remote := [call for call in asked if call.model.chat.remote]:
            answers |= self._answer_remotely(remote)
            self._ensure_useful()
        if len(asked) < len(missing):
            raise BatchAwaited
        return answers

    def save(self) -> None:
        """Write the deferred calls; may be repeated after a rollback."""
        if self._deferred:
            self._call_log.record_all(self._deferred)

    def _recorded_answers(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        if self._deferred is not None:
            return {}  # deferred calls are recorded with the events of their turn only
        if self._completed is None:
            self._completed = self._call_log.completed(tick=self._tick, stream=self._stream)
        missing = {call.key for call in calls} - self._completed.keys()
        if missing and self._call_log.reuse(tick=self._tick, stream=self._stream, keys=missing):
            self._completed = self._call_log.completed(tick=self._tick, stream=self._stream)
        completed = self._completed
        return {call.key: completed[call.key] for call in calls if call.key in completed}

    def _read_batches(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        """Record the calls that batches answer, and those that failed; return the answers."""
        answers: dict[CallKey, JsonObject] = {}
        failures: dict[CallKey, Exception] = {}
        for call, done in self._batches.read(calls):
            self._collect(call, done, answers, failures)
        for failure in failures.values():
            raise failure
        return answers

    def _answer_locally(self, call: Call) -> JsonObject:
        try:
            return self._record(call, ask(call))
        except CallFailed as failure:
            raise self._record_failure(call, failure) from failure

    def _answer_remotely(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        """Send all calls at once; each answer is recorded as soon as it arrives.

        After an interruption the calls under way are waited for, since they are paid for, and
        the others are not sent.
        """
        answers: dict[CallKey, JsonObject] = {}
        failures: dict[CallKey, Exception] = {}
        self._call_log.release_connection()
        # Futures of our own: an interruption inside of `submit` loses that of the executor.
        results = {Future[ValidAnswer[Any]](): call for call in calls}

        def collect(expected: Iterable["Future[ValidAnswer[Any]]"]) -> None:
            for done in as_completed(expected):
                self._collect(results[done], done, answers, failures)
                self._call_log.release_connection()

        with ThreadPoolExecutor(min(len(calls), THREADS_PER_AGENT_MAX)) as threads:
            try:
                for result, call in results.items():
                    threads.submit(copy_context().run, self._ask_for, result, call)
                collect(results)
            except KeyboardInterrupt:
                settled = answers.keys() | failures.keys()
                collect(
                    result
                    for result, call in results.items()
                    if not result.cancel() and call.key not in settled
                )
                raise
        for call in calls:
            if call.key in failures:
                raise failures[call.key]
        return answers

    def _collect(
        self,
        call: Call,
        done: "Future[ValidAnswer[Any]]",
        answers: dict[CallKey, JsonObject],
        failures: dict[CallKey, Exception],
    ) -> None:
        """Record the result of a call; an error is raised after the other calls."""
        error = done.exception()
        if isinstance(error, CallFailed):
            failures[call.key] = self._record_failure(call, error)
        elif isinstance(error, Exception):
            failures[call.key] = error
        else:
            answers[call.key] = self._record(call, done.result())

    def _ensure_useful(self) -> None:
        """Check that the model gives answers that can be used, after one that could not.

        :raises ModelMisconfigured: if the fallback of every call was used lately.
        """
        if self._fell_back is None:
            return
        chat, why = self._fell_back
        if not self._call_log.fell_back_only(server=chat.server, model=chat.name):
            return
        raise ModelMisconfigured(
            f"no answer of the model {chat.name!r} at {chat.server!r} can be used, and the "
            f"fallback of every call lately was done in place of one ({why}); take another "
            "model, or check what this one takes, then run the simulation again",
            model=f"{chat.server}:{chat.name}",
        )

    def _ask_for(self, result: "Future[ValidAnswer[Any]]", call: Call) -> None:
        """Ask the call and set the result, unless it was cancelled before."""
        if not result.set_running_or_notify_cancel():
            return
        try:
            result.set_result(ask(call))
        except BaseException as error:
            result.set_exception(error)

    def _record(self, call: Call, answered: ValidAnswer[Any]) -> JsonObject:
        """Record the call; return the answer that counts."""
        answer, chat = json_of(answered.answer), call.model.chat
        if answered.fallback and call.place.purpose is CallPurpose.TURN:
            self._fell_back = chat, answered.attempts[-1].error or ""
        completed = CompletedCall(
            place=call.place,
            request_sha256=call.key.request_sha256,
            wording_version=call.request.wording_version,
            server=chat.server,
            model=chat.name,
            messages=call.request.messages,
            answer=answer,
            outcome=answered.outcome.value,
            fallback=answered.fallback or "",
            differences=tuple(one.to_json() for one in answered.differences),
            attempts=tuple(attempt_json(attempt, answer) for attempt in answered.attempts),
            spent=spent_on(answered.attempts, call.model.price),
            served=answered.attempts[-1].completion.served,
        )
        if self._deferred is not None:
            self._deferred.append(completed)
            return answer
        recorded = self._call_log.record(completed)
        logger.debug("model call kept", call=call.place.call_id)
        return recorded

    def _record_failure(self, call: Call, failure: CallFailed) -> Exception:
        """Record that the call failed; return the error to raise."""
        error, chat = failure.error, call.model.chat
        attempts = (*map(attempt_json, failure.attempts), *tries_json(error))
        self._call_log.record_failure(
            FailedCall(
                place=call.place,
                server=chat.server,
                model=chat.name,
                code=error.code,
                detail=clean_text(error.message),
                attempts=attempts,
                spent=spent_on(failure.attempts, call.model.price),
            )
        )
        return error
