"""Test doubles at the model port: a scripted model, and storage without a database."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from pydantic import BaseModel

from apps.kernel.errors import SmallvilleError
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.calls.call_log import CallKey, CompletedCall, FailedCall, JsonObject
from apps.llm.calls.gateway import Gateway, Models
from apps.llm.embeddings import as_halves
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import ChatModel, Completion, EmbeddingModel, Request
from apps.llm.usage import Usage

SOME_SIMULATION = UUID("00000000-0000-4000-8000-000000000001")

Scripted = BaseModel | str | Exception | Callable[[Any], BaseModel | str]


class UnscriptedTask(SmallvilleError):
    """The script of a test has no answer for an LLM task."""

    code: ClassVar[str] = "unscripted-task"


class ScriptedModel:
    """Answers each LLM task from a script.

    The entry of a task is an answer, raw text, an exception to raise, a function of the
    inputs, or a list of those, used in turn. `asked` are the requests. A task without an
    entry is an error. `cached_prompt_tokens` are reported of every prompt.
    """

    server = "scripted"
    name = "scripted"
    cached_prompt_tokens = 0

    def __init__(
        self, script: Mapping[str, Scripted | Sequence[Scripted]], *, remote: bool = False
    ) -> None:
        self.remote = remote
        self.asked: list[Request] = []
        self._lock = threading.Lock()
        self._script = {
            task: entry
            if isinstance(entry, str | BaseModel | Exception) or callable(entry)
            else list(entry)
            for task, entry in script.items()
        }

    def complete(self, request: Request) -> Completion:
        """Return the next answer of the script for the task.

        :raises UnscriptedTask: if there is none.
        """
        with self._lock:
            self.asked.append(request)
            entry = self._script.get(request.task_name)
            if isinstance(entry, list):
                entry = entry.pop(0) if entry else None
        if entry is None:
            raise UnscriptedTask(f"the script has no answer (left) for {request.task_name}")
        if isinstance(entry, Exception):
            raise entry
        answer = entry if isinstance(entry, str | BaseModel) else entry(request.inputs)
        text = answer if isinstance(answer, str) else answer.model_dump_json()
        return Completion(
            text=text,
            prompt_tokens=10,
            completion_tokens=5,
            cached_prompt_tokens=self.cached_prompt_tokens,
        )


class MemoryCallLog:
    """A call log in a dictionary; see `CallLog`."""

    def __init__(self) -> None:
        self.calls: dict[CallKey, CompletedCall] = {}
        self.failures: list[FailedCall] = []

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:
        """Return the answers of a turn's completed calls."""
        return {
            key: call.answer
            for key, call in self.calls.items()
            if (call.place.tick, call.place.stream) == (tick, stream)
        }

    def reuse(self, *, tick: int, stream: str, keys: Collection[CallKey]) -> int:
        """Store nothing: the simulation has no family."""
        return 0

    def record(self, call: CompletedCall) -> JsonObject:
        """Store the call; return the answer that counts."""
        return self.calls.setdefault(call.key, call).answer

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Store the calls; those that are stored already stay as they are."""
        for call in calls:
            self.record(call)

    def record_failure(self, failure: FailedCall) -> None:
        """Store a failed call."""
        self.failures.append(failure)

    def fell_back_only(self, *, server: str, model: str) -> bool:
        """Return whether the fallback of every call was used, of five or more."""
        outcomes = [call.outcome for call in self.calls.values()]
        return len(outcomes) >= 5 and set(outcomes) == {"fell_back"}

    def ensure_within_budget(self, unrecorded: Sequence[Usage], *, is_priced: bool) -> None:
        """Do nothing: there is no budget."""

    def release_connection(self) -> None:
        """Do nothing: there is no connection."""


class MemoryVectors:
    """Vectors in a dictionary, rounded as in the database; see `Vectors`."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._stored: dict[str, list[float]] = {}

    def ensure(self, texts: Sequence[str], *, along: Sequence[str] = ()) -> None:
        """Ensure that the vectors of the texts are stored."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._stored]
        for text, vector in zip(missing, self._model.embed(missing), strict=True):
            self._stored[text] = as_halves(vector)

    def vectors(
        self, texts: Sequence[str], *, along: Sequence[str] = ()
    ) -> dict[str, list[float]]:
        """Return the vectors by text, as they are stored."""
        self.ensure(texts)
        return {text: self._stored[text] for text in texts}


class AgentLLMInMemory(AgentLLM):
    """An AgentLLM without a database; its `call_log` can be read."""

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
    """Return an AgentLLM without a database; pass a call log to repeat a turn."""
    embedding = embedding or HashingEmbedding()
    call_log = call_log or MemoryCallLog()
    models = Models(chat=chat, embedding=embedding, seed=seed)
    llm = AgentLLMInMemory(
        simulation_id=simulation_id,
        tick=tick,
        stream=stream,
        models=models,
        gateway=Gateway(models, call_log, tick=tick, stream=stream, deferred=False),
        vectors=MemoryVectors(embedding),
    )
    llm.call_log = call_log
    return llm
