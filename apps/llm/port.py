"""The port to language models: what is asked of one, what it answers, and how it can fail.

Plain Python: adapters implement it, the gateway uses it, nobody else needs it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from pydantic import BaseModel

from apps.kernel.errors import DomainError

JsonSchema = Mapping[str, object]


class ModelRefusal(DomainError):
    """A model server gave no answer; `setbacks` are what every try came to."""

    def __init__(self, message: str | None = None, *, setbacks: tuple[str, ...] = ()) -> None:
        """Keep the tries for the record."""
        super().__init__(message)
        self.setbacks = setbacks


class ModelUnavailable(ModelRefusal):
    """The language model does not answer; run the simulation again when it is back."""

    code: ClassVar[str] = "model-unavailable"


class ModelMisconfigured(ModelRefusal):
    """The model server refuses what it was asked; mend its settings and run again."""

    code: ClassVar[str] = "model-misconfigured"


class BudgetSpent(DomainError):
    """The simulation's budget is spent; raise it and run again."""

    code: ClassVar[str] = "budget-spent"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str

    def to_json(self) -> dict[str, str]:
        """Return the message as chat servers and the call log write it."""
        return {"role": self.role, "content": self.content}


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request to a chat model.

    `given` is the chain's typed input: the stand-in answers from it alone, servers never
    see it. `temperature` None leaves it to the server. `is_asked_again` says that the last
    message tells what was wrong with the answer before.
    """

    call_id: str
    chain: str
    wording_version: str
    inputs: object
    messages: Messages
    answer_type: type[BaseModel]
    json_schema: JsonSchema
    seed: int
    temperature: float | None = None
    is_asked_again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a chat model answered: raw text, not yet validated_answer.

    `cached_prompt_tokens` are those of `prompt_tokens` that the server had in its cache;
    `cut_off` says that the limit of an answer's length ended it; `setbacks` are the tries
    before, that brought nothing.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    cached_prompt_tokens: int = 0
    latency_seconds: float = 0.0
    cached: bool = False
    cut_off: bool = False
    setbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """The vectors of the texts of one request, in order, and what they used."""

    vectors: list[list[float]]
    prompt_tokens: int = 0
    latency_seconds: float = 0.0
    setbacks: tuple[str, ...] = ()


class ChatModel(Protocol):
    """A model that continues a chat. Safe to use from several threads."""

    @property
    def server(self) -> str:
        """The name of the server, as the settings have it."""
        ...

    @property
    def name(self) -> str:
        """The name of the model, as the call log shows it."""
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
    def server(self) -> str:
        """The name of the server, as the settings have it."""
        ...

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

    @property
    def texts_at_once_max(self) -> int:
        """How many texts one request takes."""
        ...

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        """Return what one request brings for at most `texts_at_once_max` texts.

        :raises ModelUnavailable: if the model does not answer in time, after all retries.
        :raises ModelMisconfigured: if it refuses, or answers with another dimension.
        """
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, in order, in as many requests as it takes.

        :raises ModelUnavailable: if the model does not answer in time, after all retries.
        :raises ModelMisconfigured: if it refuses, or answers with another dimension.
        """
        ...
