"""Doubles for tests and for trying things out: scripted, slow, and without a database.

Part of the package on purpose: who writes a faculty or a front-end may use them. The
adapters' contract suite holds for them too.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from pydantic import BaseModel

from apps.kernel.chance import unit
from apps.kernel.errors import SmallvilleError
from apps.llm.call_log import CallKey, CompletedCall, FailedCall, JsonObject, Spent
from apps.llm.embeddings import as_halves
from apps.llm.gateway import Gateway, Models
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import ChatModel, Completion, EmbeddingModel, Request

SOME_SIMULATION = UUID("00000000-0000-4000-8000-000000000001")
DELAY_SECONDS_MAX = 0.05

Scripted = BaseModel | str | Exception | Callable[[Any], BaseModel | str]


class UnscriptedTask(SmallvilleError):
    """A test asked for what its script does not have."""

    code: ClassVar[str] = "unscripted-chain"


class ScriptedModel:
    """Answers each chain as the script says.

    A chain's entry is an answer, raw text, an exception to raise, a function of the given,
    or a list of those, taken in turn. `asked` keeps the requests. What is not scripted
    fails.
    """

    server = "scripted"
    name = "scripted"

    def __init__(
        self, script: Mapping[str, Scripted | Sequence[Scripted]], *, remote: bool = False
    ) -> None:
        """Keep the script; lists are used up."""
        self.remote = remote
        self.asked: list[Request] = []
        self._lock = threading.Lock()
        self._script = {
            chain: entry
            if isinstance(entry, str | BaseModel) or callable(entry)
            else _queue(entry)
            for chain, entry in script.items()
        }

    def complete(self, request: Request) -> Completion:
        """Return what the script has for the chain.

        :raises UnscriptedChain: if it has nothing, or nothing more.
        """
        with self._lock:
            self.asked.append(request)
            entry = self._script.get(request.chain)
            if isinstance(entry, list):
                entry = entry.pop(0) if entry else None
        if entry is None:
            raise UnscriptedTask(f"the script has no answer (left) for {request.chain}")
        if isinstance(entry, Exception):
            raise entry
        said = entry if isinstance(entry, str | BaseModel) else entry(request.inputs)
        text = said if isinstance(said, str) else said.model_dump_json()
        return Completion(text=text, prompt_tokens=10, completion_tokens=5)


class DelayedModel:
    """Waits a moment before it passes a request on: brings answers out of order.

    The delay belongs to seed and call, so that an order can be had again; `remote`, so
    that the gateway treats it as a server.
    """

    remote = True

    def __init__(
        self, inner: ChatModel, *, seed: int, delay_seconds_max: float = DELAY_SECONDS_MAX
    ) -> None:
        """Keep the model to ask."""
        self._inner = inner
        self._seed = seed
        self._delay_seconds_max = delay_seconds_max
        self.server = inner.server
        self.name = inner.name

    def complete(self, request: Request) -> Completion:
        """Wait, then ask."""
        delay = unit(self._seed, "delay", request.call_id) * self._delay_seconds_max
        threading.Event().wait(delay)
        return self._inner.complete(request)


class MemoryCallLog:
    """A call log in a dictionary; see `ledger.CallLog`."""

    def __init__(self) -> None:
        """Begin empty."""
        self.calls: dict[CallKey, CompletedCall] = {}
        self.failures: list[FailedCall] = []

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:
        """Return the answers that a turn already has."""
        return {
            key: call.answer
            for key, call in self.calls.items()
            if (call.place.tick, call.place.stream) == (tick, stream)
        }

    def record(self, call: CompletedCall) -> JsonObject:
        """Keep the call and return the answer that stands."""
        return self.calls.setdefault(call.key, call).answer

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Keep the calls; those already kept stay as they are."""
        for call in calls:
            self.record(call)

    def record_failure(self, failure: FailedCall) -> None:
        """Keep that the call failed."""
        self.failures.append(failure)

    def refuse_spent(self, besides: Sequence[Spent] = (), *, is_priced: bool = True) -> None:
        """Go on: there is no budget."""

    def let_go(self) -> None:
        """Hold nothing: there is nothing to hold."""


class MemoryVectors:
    """Vectors in a dictionary, rounded as the database rounds them; see `ledger.Vectors`."""

    def __init__(self, model: EmbeddingModel) -> None:
        """Begin empty."""
        self._model = model
        self._kept: dict[str, list[float]] = {}

    def ensure(self, texts: Sequence[str]) -> None:
        """Make sure that the texts' vectors are kept."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        for text, vector in zip(missing, self._model.embed(missing), strict=True):
            self._kept[text] = as_halves(vector)

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text, as they are kept."""
        self.ensure(texts)
        return {text: self._kept[text] for text in texts}


class AgentLLMInMemory(Gateway):
    """A mind that needs no database; its `call_log` can be read."""

    call_log: MemoryCallLog


def agent_llm_in_memory(
    chat: ChatModel,
    *,
    tick: int = 0,
    stream: str = "isabella-rodriguez",
    simulation_id: UUID = SOME_SIMULATION,
    embedding: EmbeddingModel | None = None,
    call_log: MemoryCallLog | None = None,
    seed: int = 0,
) -> AgentLLMInMemory:
    """Return a mind that needs no database. Pass a call log on to take a turn again."""
    model = embedding or HashingEmbedding()
    kept = call_log or MemoryCallLog()
    llm = AgentLLMInMemory(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        models=Models(chat=chat, embedding=model, seed=seed),
        call_log=kept,
        vectors=MemoryVectors(model),
    )
    llm.call_log = kept
    return llm


def _queue(entry: Scripted | Sequence[Scripted]) -> Exception | list[Scripted]:
    return entry if isinstance(entry, Exception) else list(entry)  # type: ignore[arg-type]
