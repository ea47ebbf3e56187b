"""The port to language models: what is asked of one, what it answers, and how it can fail.

Plain Python: adapters implement it, the gateway uses it, nobody else needs it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from pydantic import BaseModel

from apps.kernel.errors import Refusal

JsonSchema = Mapping[str, object]


class ModelUnavailable(Refusal):
    """The language model does not answer; run the simulation again when it is back."""

    code: ClassVar[str] = "model-unavailable"


class ModelMisconfigured(Refusal):
    """The model server refuses what it was asked; mend its settings and run again."""

    code: ClassVar[str] = "model-misconfigured"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str

    def to_json(self) -> dict[str, str]:
        """Return the message as chat servers and the journal write it."""
        return {"role": self.role, "content": self.content}


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request to a chat model.

    `given` is the chain's typed input: the stand-in answers from it alone, servers never
    see it. `temperature` None leaves it to the server.
    """

    call_id: str
    chain: str
    wording_version: str
    given: object
    messages: Messages
    answer_type: type[BaseModel]
    json_schema: JsonSchema
    seed: int
    temperature: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a chat model answered: raw text, not yet believed."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    latency_seconds: float = 0.0
    cached: bool = False


class ChatModel(Protocol):
    """A model that continues a chat. Safe to use from several threads."""

    @property
    def server(self) -> str:
        """The name of the server, as the settings have it."""
        ...

    @property
    def name(self) -> str:
        """The name of the model, as the journal shows it."""
        ...

    @property
    def remote(self) -> bool:
        """Whether an answer may take long and cost money."""
        ...

    def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        :raises ModelUnavailable: if it does not answer in time, after all retries.
        :raises ModelMisconfigured: if the server refuses the request for good.
        """
        ...


class EmbeddingModel(Protocol):
    """A model that turns texts into vectors of length one. Safe from several threads."""

    @property
    def name(self) -> str:
        """The name that its vectors are kept under."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def remote(self) -> bool:
        """Whether an answer may take long and cost money."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, in order.

        :raises ModelUnavailable: if the model does not answer in time, after all retries.
        :raises ModelMisconfigured: if it refuses, or answers with another dimension.
        """
        ...
