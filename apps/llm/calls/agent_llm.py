"""The language model as one agent uses it during one turn."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from apps.kernel.chance import draw
from apps.kernel.language import active_language
from apps.llm.answers.answer_options import NO_OPTIONS, call_schema
from apps.llm.answers.json_schema import (
    described_in,
    schema_of,
    with_bounds,
    with_variants,
)
from apps.llm.calls.call_log import CallKey, CallPlace, JsonObject, Vectors
from apps.llm.calls.gateway import WITHOUT_BATCHES, Call, CallBatches, CallGateway, Models
from apps.llm.calls.record import request_sha256
from apps.llm.models import ModelCallRow
from apps.llm.port import CallPurpose, JsonSchema, Request
from apps.llm.prompts.sets import PromptSet
from apps.llm.task import Answer, Inputs, LLMTask
from apps.llm.tokens import count_fitting

SEED_RANGE = 2**31  # every server accepts these as a seed


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSeries:
    """The purpose of calls, and the ordinals from which they are numbered.

    Those are the ones of `of_tasks` by name, else `others`. Interviews that number a call
    alike share it, if its request is the same. With `can_wait` nobody waits for the answers,
    and with `batches` the calls wait for one where the server takes them.
    """

    purpose: CallPurpose = CallPurpose.TURN
    others: int = 0
    of_tasks: Mapping[str, int] = field(default_factory=dict)
    can_wait: bool = False
    batches: CallBatches = WITHOUT_BATCHES

    def of(self, task: str) -> int:
        """Return the ordinal of the first call of the LLM task."""
        return self.of_tasks.get(task, self.others)


OF_TURNS = CallSeries()


class AgentLLM:
    """The model for one agent at one tick: answers LLM tasks, embeds texts. Used by one thread.

    Every call has the id "tick/stream/task/n"; the calls of each task are counted from its
    first ordinal. A call that was completed before is answered from the call log (L6). Calls
    and embeddings may raise ModelUnavailable, ModelMisconfigured and BudgetSpent; for an answer
    that stays invalid the fallback of the task is used (L2).

    With a deferred gateway, calls and vectors that cost nothing are written by `save`.
    """

    def __init__(
        self,
        *,
        simulation_id: UUID,
        tick: int,
        stream: str,
        models: Models,
        gateway: CallGateway,
        vectors: Vectors,
        series: CallSeries = OF_TURNS,
    ) -> None:
        self.simulation_id = simulation_id
        self.tick = tick
        self.stream = stream
        self._models = models
        self._gateway = gateway
        self._vectors = vectors
        self._series = series
        self._counts: Counter[str] = Counter()
        self._calls: list[str] = []
        self._untaken: list[str] = []
        self._known_vectors: dict[str, list[float]] = {}
        self._to_embed: list[str] = []
        self._expected: list[str] = []

    @property
    def calls(self) -> tuple[str, ...]:
        """The ids of all calls so far, in order."""
        return tuple(self._calls)

    def error_of_last(self) -> str:
        """Return the last error of the last call if its fallback was used, "" otherwise."""
        rows = ModelCallRow.objects.filter(
            simulation_id=self.simulation_id, call_id=self._calls[-1]
        )
        row = rows.order_by("-pk").first()
        if row is None or not row.fallback or not row.attempts:
            return ""
        return str(row.attempts[-1].get("error", ""))

    def take_calls(self) -> tuple[str, ...]:
        """Return the ids of the calls since the last `take_calls`: an event's model_calls."""
        taken, self._untaken = tuple(self._untaken), []
        return taken

    def take_calls_of(self, task: LLMTask[Any, Any]) -> tuple[str, ...]:
        """Return the ids of the calls of one task since they were last taken."""
        taken = tuple(one for one in self._untaken if f"/{task.name}/" in one)
        self._untaken = [one for one in self._untaken if one not in taken]
        return taken

    def ask(self, task: LLMTask[Inputs, Answer], inputs: Inputs) -> Answer:
        """Return the answer to the task."""
        return self.ask_together([(task, inputs)])[0]

    def ask_together(
        self, asked: Sequence[tuple[LLMTask[Inputs, Answer], Inputs]]
    ) -> list[Answer]:
        """Return the answers in order; a remote model gets all calls at once."""
        calls = [self._prepare(task, inputs) for task, inputs in asked]
        answers = self._gateway.answer(calls)
        return [_typed(call.task, answers[call.key]) for call in calls]

    def expect(self, texts: Iterable[str]) -> None:
        """Embed texts that will be needed along with the next request of a remote model.

        They make no request of their own. A local model embeds them when they are needed.
        """
        if self._models.embedding.remote:
            self._expected = list(dict.fromkeys([*self._expected, *texts]))

    def embed(self, texts: Sequence[str]) -> None:
        """Ensure that the vectors of the texts are stored when `save` is done.

        Vectors that were read before are no exception: those of a local model are not stored
        when they are read.
        """
        if self._gateway.is_deferred and not self._models.embedding.remote:
            self._to_embed += texts
        elif texts:
            self._vectors.ensure(list(texts), along=self._expected)

    def vector(self, text: str) -> list[float]:
        """Return the vector of the text as it is stored."""
        return self.vectors([text])[text]

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text."""
        unknown = [text for text in texts if text not in self._known_vectors]
        if unknown:
            self._known_vectors |= self._vectors.vectors(unknown, along=self._expected)
        return {text: self._known_vectors[text] for text in texts}

    def fits(self, texts: Sequence[str], tokens_max: int) -> int:
        """Return how many of the first texts fit the token budget together (M5)."""
        return count_fitting(texts, tokens_max)

    def save(self) -> None:
        """Write what was deferred, in the transaction of the turn's events.

        It may be called again if that transaction is rolled back.
        """
        if self._to_embed:
            self._vectors.ensure(self._to_embed)
        self._gateway.save()

    def _prepare(self, task: LLMTask[Inputs, Answer], inputs: Inputs) -> Call:
        """Return the call with its id, counting the calls of its task."""
        place = CallPlace(
            simulation_id=self.simulation_id,
            tick=self.tick,
            stream=self.stream,
            task=task.name,
            ordinal=self._series.of(task.name) + self._counts[task.name],
            purpose=self._series.purpose,
        )
        self._counts[task.name] += 1
        self._calls.append(place.call_id)
        self._untaken.append(place.call_id)
        prompt_set = PromptSet(active_language(), self._models.prompt_form)
        request = Request(
            call_id=place.call_id,
            task_name=task.name,
            wording_version=task.template(prompt_set).version,
            inputs=inputs,
            messages=task.prompt(inputs, prompt_set),
            answer_type=task.answer_type,
            json_schema=_schema_of_call(task, inputs),
            seed=draw(self._models.seed, "call", place.call_id) % SEED_RANGE,
            temperature=self._models.temperature,
            can_wait=self._series.can_wait,
        )
        model = self._models.of(place)
        key = CallKey(place.call_id, request_sha256(request, model.chat))
        return Call(place=place, task=task, model=model, request=request, key=key)


def _schema_of_call(task: LLMTask[Inputs, Answer], inputs: Inputs) -> JsonSchema:
    language = active_language()
    if task.options is None:
        schema = _schema_without_options(task.answer_type, language)
    else:
        described = _described_schema(task.answer_type, language)
        schema = call_schema(described, task.offered(inputs))
    if task.lengths is not None or task.numbers is not None:
        lengths = {} if task.lengths is None else task.lengths(inputs)
        numbers = {} if task.numbers is None else task.numbers(inputs)
        schema = with_bounds(schema, lengths=lengths, numbers=numbers)
    return schema if task.variants is None else with_variants(schema, task.variants(inputs))


@lru_cache(maxsize=256)
def _schema_without_options(answer_type: type[BaseModel], language: str) -> JsonSchema:
    return call_schema(_described_schema(answer_type, language), NO_OPTIONS)


@lru_cache(maxsize=256)
def _described_schema(answer_type: type[BaseModel], language: str) -> JsonSchema:
    return described_in(language, schema_of(answer_type))


def _typed(task: LLMTask[Any, Answer], answer: JsonObject) -> Answer:
    """Return the answer as recorded, so that a live run and its replay agree."""
    return task.answer_type.model_validate_json(json.dumps(answer))
