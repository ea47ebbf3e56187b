"""The gateway: a mind that answers from the call log, else from the model, and keeps record.

No Django here: call_log and vectors are ports, so that every decision can be tested dry.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import structlog

from apps.kernel.chance import draw
from apps.kernel.errors import DomainError
from apps.llm.answering import CallFailed, ValidAnswer, ask_until_valid
from apps.llm.call_log import (
    CallKey,
    CallLog,
    CallPlace,
    CompletedCall,
    FailedCall,
    JsonObject,
    Vectors,
)
from apps.llm.call_record import (
    attempt_json,
    attempts_of_failure,
    json_of,
    request_sha256,
    schema_of,
    spent_on,
)
from apps.llm.cleaning import clean_text
from apps.llm.port import ChatModel, EmbeddingModel, Request
from apps.llm.prices import FREE, Price
from apps.llm.task import Answer, Inputs, LLMTask
from apps.llm.tokens import CharacterCounter, TokenCounter, fit_to_budget

THREADS_PER_MIND_MAX = 8
SEED_RANGE = 2**31  # what every server takes for a seed


logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What a simulation thinks with: its models, seed and prices, None where not known."""

    chat: ChatModel
    embedding: EmbeddingModel
    seed: int
    temperature: float | None = None
    price: Price | None = FREE
    embedding_price: Price | None = FREE
    counter: TokenCounter = field(default_factory=CharacterCounter)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One call on its way: where it belongs, what is asked, by which chain."""

    place: CallPlace
    chain: LLMTask[Any, Any]
    request: Request
    key: CallKey


class Gateway:
    """One agent's mind at one tick; see `apps.llm.agent_llm.AgentLLM`. Used by one thread."""

    def __init__(  # noqa: PLR0913 (what a mind is made of, nothing less)
        self,
        *,
        simulation_id: UUID,
        tick: int,
        stream: str,
        models: Models,
        call_log: CallLog,
        vectors: Vectors,
        deferred: bool = False,
        first_ordinal: int = 0,
    ) -> None:
        """Keep what a turn thinks with.

        The calls of each chain are counted from `first_ordinal`, so that what is asked of an
        agent beside its turns has calls of its own.

        `deferred` rows are written by `save`: calls and vectors that cost nothing. A remote
        model's never are.
        """
        self.simulation_id = simulation_id
        self.tick = tick
        self.stream = stream
        self._models = models
        self._call_log = call_log
        self._vectors = vectors
        self._deferred: list[CompletedCall] | None = (
            [] if deferred and not models.chat.remote else None
        )
        self._first_ordinal = first_ordinal
        self._asked: Counter[str] = Counter()
        self._calls: list[str] = []
        self._taken = 0
        self._completed: Mapping[CallKey, JsonObject] | None = None
        self._known_vectors: dict[str, list[float]] = {}
        self._to_embed: list[str] = []

    @property
    def calls(self) -> tuple[str, ...]:
        """The ids of all calls so far, in order."""
        return tuple(self._calls)

    def take_calls(self) -> tuple[str, ...]:
        """Return the ids of the calls since this was last asked."""
        taken = tuple(self._calls[self._taken :])
        self._taken = len(self._calls)
        return taken

    def ask(self, chain: LLMTask[Inputs, Answer], inputs: Inputs) -> Answer:
        """Return the chain's answer; see `AgentLLM`."""
        return self.ask_together([(chain, inputs)])[0]

    def ask_together(
        self, asked: Sequence[tuple[LLMTask[Inputs, Answer], Inputs]]
    ) -> list[Answer]:
        """Return the answers in order; see `AgentLLM`.

        When one call fails the others are still waited for and recorded: they are paid.
        """
        calls = [self._prepared(chain, inputs) for chain, inputs in asked]
        answers = self._answers_on_record(calls)
        missing = [call for call in calls if call.key not in answers]
        if missing:
            self._call_log.refuse_spent(
                [call.spent for call in self._deferred or ()],
                is_priced=self._models.price is not None,
            )
        if self._models.chat.remote:
            answers |= self._ask_remote(missing)
        else:
            answers |= {call.key: self._ask_here(call) for call in missing}
        return [_typed(call.chain, answers[call.key]) for call in calls]

    def embed(self, texts: Sequence[str]) -> None:
        """Make sure that the texts' vectors are kept.

        Also of those whose vector was asked for before: a local model's was not kept then.
        """
        if self._deferred is not None and not self._models.embedding.remote:
            self._to_embed += texts
        elif texts:
            self._vectors.ensure(list(texts))

    def vector(self, text: str) -> list[float]:
        """Return the text's vector as it is kept."""
        return self.vectors([text])[text]

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text."""
        unknown = [text for text in texts if text not in self._known_vectors]
        if unknown:
            self._known_vectors |= self._vectors.vectors(unknown)
        return {text: self._known_vectors[text] for text in texts}

    def fits(self, texts: Sequence[str], tokens_max: int) -> int:
        """Return how many of the first texts fit the budget."""
        return fit_to_budget(texts, tokens_max, counter=self._models.counter)

    def save(self) -> None:
        """Write what was deferred; again, should the transaction have been rolled back."""
        if self._to_embed:
            self._vectors.ensure(self._to_embed)
        if self._deferred:
            self._call_log.record_all(self._deferred)

    def _prepared(self, chain: LLMTask[Inputs, Answer], inputs: Inputs) -> _Call:
        """Return the call with its id, taking the next number of its chain."""
        place = CallPlace(
            simulation_id=self.simulation_id,
            tick=self.tick,
            stream=self.stream,
            chain=chain.name,
            ordinal=self._first_ordinal + self._asked[chain.name],
        )
        self._asked[chain.name] += 1
        self._calls.append(place.call_id)
        request = Request(
            call_id=place.call_id,
            chain=chain.name,
            wording_version=chain.template.version,
            inputs=inputs,
            messages=chain.prompt(inputs),
            answer_type=chain.answer_type,
            json_schema=schema_of(chain.answer_type),
            seed=draw(self._models.seed, "call", place.call_id) % SEED_RANGE,
            temperature=self._models.temperature,
        )
        key = CallKey(place.call_id, request_sha256(request, self._models.chat))
        return _Call(place=place, chain=chain, request=request, key=key)

    def _answers_on_record(self, calls: Iterable[_Call]) -> dict[CallKey, JsonObject]:
        if self._deferred is not None:
            return {}  # what is written with the turn's events is there when they are
        if self._completed is None:
            self._completed = self._call_log.completed(tick=self.tick, stream=self.stream)
        return {
            call.key: self._completed[call.key] for call in calls if call.key in self._completed
        }

    def _ask_here(self, call: _Call) -> JsonObject:
        """Ask a model that answers at once."""
        logger.debug("model asked", call=call.place.call_id)
        try:
            answered = ask_until_valid(
                call.chain, call.request.inputs, call.request, self._models.chat
            )
        except CallFailed as failure:
            raise self._failed(call, failure) from failure
        return self._recorded(call, answered)

    def _ask_remote(self, calls: Sequence[_Call]) -> dict[CallKey, JsonObject]:
        """Ask for all at once; each answer is recorded as soon as it is there."""
        if not calls:
            return {}
        answers: dict[CallKey, JsonObject] = {}
        failures: dict[CallKey, Exception] = {}
        for call in calls:
            logger.debug("model asked", call=call.place.call_id)
        self._call_log.let_go()
        with ThreadPoolExecutor(min(len(calls), THREADS_PER_MIND_MAX)) as threads:
            asked = {
                threads.submit(
                    ask_until_valid,
                    call.chain,
                    call.request.inputs,
                    call.request,
                    self._models.chat,
                ): call
                for call in calls
            }
            for done in as_completed(asked):
                self._settle(asked[done], done, answers, failures)
                self._call_log.let_go()
        for call in calls:
            if call.key in failures:
                raise failures[call.key]
        return answers

    def _settle(
        self,
        call: _Call,
        done: "Future[ValidAnswer[Any]]",
        answers: dict[CallKey, JsonObject],
        failures: dict[CallKey, Exception],
    ) -> None:
        """Keep how the call ended. Whatever it was, the others are still to be recorded."""
        error = done.exception()
        if isinstance(error, CallFailed):
            failures[call.key] = self._failed(call, error)
        elif isinstance(error, Exception):
            failures[call.key] = error
        else:
            answers[call.key] = self._recorded(call, done.result())

    def _recorded(self, call: _Call, answered: ValidAnswer[Any]) -> JsonObject:
        """Keep the call; return the answer that stands."""
        answer = json_of(answered.answer)
        completed = CompletedCall(
            place=call.place,
            request_sha256=call.key.request_sha256,
            wording_version=call.request.wording_version,
            server=self._models.chat.server,
            model=self._models.chat.name,
            messages=call.request.messages,
            answer=answer,
            outcome=answered.outcome.value,
            fallback=answered.fallback or "",
            attempts=tuple(attempt_json(attempt, answer) for attempt in answered.attempts),
            spent=spent_on(answered.attempts, self._models.price),
        )
        if self._deferred is None:
            stands = self._call_log.record(completed)
            logger.debug("model call kept", call=call.place.call_id)
            return stands
        self._deferred.append(completed)
        return answer

    def _failed(self, call: _Call, failure: CallFailed) -> DomainError:
        """Keep that the call failed; return what is to be raised."""
        self._call_log.record_failure(
            FailedCall(
                place=call.place,
                server=self._models.chat.server,
                model=self._models.chat.name,
                code=failure.refusal.code,
                detail=clean_text(failure.refusal.message),
                attempts=attempts_of_failure(failure),
                spent=spent_on(failure.attempts, self._models.price),
            )
        )
        return failure.refusal


def _typed(chain: LLMTask[Any, Answer], answer: JsonObject) -> Answer:
    """Return the answer as it stands on record, so that living and replaying agree."""
    return chain.answer_type.model_validate_json(json.dumps(answer))
