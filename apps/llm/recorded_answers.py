"""Answers the calls of a past turn from the call log, and calls no model (V5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.kernel.errors import SmallvilleError
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.calls.call_log import CallKey, EmbeddingContext, JsonObject
from apps.llm.calls.gateway import Call, Models
from apps.llm.calls.prompt_storage import fetch_messages
from apps.llm.embeddings import StoredVectors
from apps.llm.models import ModelCallRow
from apps.llm.prompts.parts import MessagesJson
from apps.llm.usage import Usage, totals_of


class NotRecorded(SmallvilleError):
    """A turn that is taken again needs an answer or a vector that is not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """The messages of a recorded call, as the call log has them, its answer and its model."""

    request_sha256: str
    messages: MessagesJson
    answer: JsonObject
    server: str
    model: str
    outcome: str
    used: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedCall:
    """A call that a turn makes again, and the record of it; None if the call log has none."""

    call: Call
    recorded: RecordedCall | None

    @property
    def call_id(self) -> str:
        """The id of the call."""
        return self.call.key.call_id

    @property
    def messages(self) -> MessagesJson:
        """The messages of the call as it is made now."""
        return [message.to_json() for message in self.call.request.messages]

    @property
    def is_changed(self) -> bool:
        """Whether the request has other messages, another schema or another template."""
        sha256 = self.call.key.request_sha256
        return self.recorded is None or self.recorded.request_sha256 != sha256


class RecordedGateway:
    """Answers the calls of one agent at one tick by their ids, whatever their messages are."""

    is_deferred = True

    def __init__(self, recorded: Mapping[str, Sequence[RecordedCall]]) -> None:
        """Take the recorded calls by id, those of one id in the order of their records."""
        self._recorded = recorded
        self.repeated: list[RepeatedCall] = []

    def answer(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        """Return the recorded answers by key.

        :raises NotRecorded: if the call log has no call of an id.
        """
        return {call.key: self._answer(call) for call in calls}

    def save(self) -> None:
        """Refuse to write.

        :raises AssertionError: always.
        """
        raise AssertionError("a turn that is taken again writes nothing")

    def _answer(self, call: Call) -> JsonObject:
        of_id = self._recorded.get(call.key.call_id, ())
        same = [one for one in of_id if one.request_sha256 == call.key.request_sha256]
        recorded = (*of_id, *same)[-1] if of_id else None
        self.repeated.append(RepeatedCall(call=call, recorded=recorded))
        if recorded is None:
            raise NotRecorded(f"the call log has no call {call.key.call_id}")
        return recorded.answer


class RecordedVectors(StoredVectors):
    """The stored vectors of a model, and those that a local model computes; stores none."""

    def ensure(self, texts: Sequence[str], *, along: Sequence[str] = ()) -> None:
        """Check that the vectors of the texts are stored; those of a local model need not be.

        :raises NotRecorded: if a vector of a remote model is not stored.
        """
        if self._model.remote:
            super().ensure(texts, along=along)

    def _embed_remotely(self, by_key: Mapping[str, str]) -> None:
        [first, *_] = by_key.values()
        raise NotRecorded(f"the model {self._model.name} has no stored vector of {first!r}")


def open_recorded_llm(
    *, simulation_id: UUID, tick: int, stream: str, models: Models
) -> tuple[AgentLLM, RecordedGateway]:
    """Return the AgentLLM of one agent at one past tick, and the gateway with its calls."""
    recorded: dict[str, list[RecordedCall]] = {}
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id, tick=tick, stream=stream)
    for row in fetch_messages(rows.order_by("id")):
        recorded.setdefault(row.call_id, []).append(
            RecordedCall(
                request_sha256=row.request_sha256,
                messages=row.messages,
                answer=row.answer,
                server=row.server,
                model=row.model,
                outcome=row.outcome,
                used=Usage(calls=1, **totals_of(row)),
            )
        )
    gateway = RecordedGateway(recorded)
    llm = AgentLLM(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        models=models,
        gateway=gateway,
        vectors=RecordedVectors(
            models.embedding,
            EmbeddingContext(simulation_id=simulation_id, tick=tick, stream=stream),
        ),
    )
    return llm, gateway
