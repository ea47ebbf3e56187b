"""The port to language models: requests, completions and errors.

Plain Python: adapters implement it, and the gateway uses it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from apps.kernel.errors import Conflict, DomainError

JsonSchema = Mapping[str, object]


class ModelError(DomainError):
    """A model server gave no answer; `setbacks` are the errors of all tries.

    `model` is the name that `manage.py check_model` takes, to which the message then points;
    `setting` is the one of the server that the error is about, or a line for it.
    """

    def __init__(
        self,
        message: str | None = None,
        *,
        model: str = "",
        setting: str = "",
        setbacks: tuple[str, ...] = (),
    ) -> None:
        pointer = f"; `manage.py check_model {model}` shows what works" if model else ""
        super().__init__(f"{message}{pointer}" if message else None)
        self.cause = message or ""
        self.setting = setting
        self.setbacks = setbacks


class ModelUnavailable(ModelError):
    """The language model does not answer; run the simulation again when it is back."""


class ModelMisconfigured(ModelError):
    """The model server refuses the request; correct its settings and run again."""


class BudgetSpent(Conflict):
    """The simulation's budget is spent; raise it and run again."""


class CallPurpose(StrEnum):
    """What a call is made for: only the calls of turns are part of the history."""

    TURN = "turn"
    INTERVIEW = "interview"
    """An interview, a judge of answers or a search for news."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat.

    `sections` are its content in pieces, in order, that repeat in other prompts; without them
    the content is one piece.
    """

    role: Literal["system", "user", "assistant"]
    content: str
    sections: tuple[str, ...] = field(default=(), compare=False)

    def to_json(self) -> dict[str, str]:
        """Return the message in the form of chat servers and of the call log."""
        return {"role": self.role, "content": self.content}


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What a server says of itself and of the model that answered; "" if it says nothing."""

    served_model: str = ""
    """The name of the model that answered: `gpt-4o-mini-2024-07-18` for `gpt-4o-mini`."""
    system_fingerprint: str = ""
    """Changes with the configuration of the server, on which the answers depend."""
    server_version: str = ""
    """The version of the program that serves the model."""


NOTHING_SAID = Served()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request to a chat model.

    `inputs` are the typed inputs of the LLM task, for the rule-based model only; servers get
    the messages. `temperature` None is the server's default. `is_correction` says that the
    last message has the error of the previous answer, `can_wait` that nobody waits for it.
    """

    call_id: str
    task_name: str
    wording_version: str
    inputs: object
    messages: Messages
    answer_type: type[BaseModel]
    json_schema: JsonSchema
    seed: int
    temperature: float | None = None
    is_correction: bool = False
    can_wait: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The raw text of a chat model's answer, which is not validated yet.

    `setbacks` are the errors of the tries before.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    """Those of the thoughts before the answer included."""
    cached_prompt_tokens: int = 0
    """Those of `prompt_tokens` that the server had in its cache."""
    reasoning_tokens: int = 0
    """Those of `completion_tokens` that are thoughts, as far as the server reports them."""
    is_estimated: bool = False
    """Whether the numbers of tokens are estimates, because the server reports none."""
    latency_seconds: float = 0.0
    found_in: str = ""
    """The field of the reply that had the text, if it is not the one for answers."""
    cut_off: bool = False
    """Whether the answer reached the limit of its length."""
    thoughts_cut_off: bool = False
    """Whether thoughts reached that limit, so that there is no answer."""
    refused: str = ""
    """Why the server refuses this prompt or gives no answer to it."""
    served: Served = NOTHING_SAID
    price_share: Decimal = Decimal(1)
    """The share of the price of the model that the tier costs in which it was answered."""
    setbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """The vectors of the texts of one request, in order, what it used, and who answered."""

    vectors: list[list[float]]
    prompt_tokens: int = 0
    latency_seconds: float = 0.0
    served: Served = NOTHING_SAID
    setbacks: tuple[str, ...] = ()


class Model(Protocol):
    """What chat and embedding models have in common. Safe to use from several threads."""

    @property
    def server(self) -> str:
        """The name of the server in the settings."""
        ...

    @property
    def name(self) -> str:
        """The name of the model in the call log, and the key of its vectors."""
        ...

    @property
    def remote(self) -> bool:
        """Whether an answer may take long and cost money."""
        ...


class ChatModel(Model, Protocol):
    """A model that continues a chat."""

    def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        :raises ModelUnavailable: if it does not answer in time, after all retries.
        :raises ModelMisconfigured: if the server refuses the request.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReply:
    """What a line of a batch was answered with: a status of HTTP and a body as JSON."""

    status: int
    body: Any


@runtime_checkable
class BatchChatModel(ChatModel, Protocol):
    """A chat model that may answer calls that can wait in batches of its server."""

    @property
    def takes_batches(self) -> bool:
        """Whether the settings of its server say so."""
        ...

    def batch_body(self, request: Request) -> dict[str, Any]:
        """Return the body of the request, as a line of a batch has it."""
        ...

    def read_batch_reply(self, request: Request, reply: BatchReply) -> Completion:
        """Return the answer that a line of a batch has.

        :raises ModelUnavailable: if it has an error that a request of its own may not have.
        """
        ...


class EmbeddingModel(Model, Protocol):
    """A model that turns texts into vectors of length one."""

    @property
    def dimensions(self) -> int:
        """The number of components of a vector."""
        ...

    @property
    def texts_at_once_max(self) -> int:
        """The maximum number of texts in one request."""
        ...

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        """Embed at most `texts_at_once_max` texts in one request.

        :raises ModelUnavailable: if the model does not answer in time, after all retries.
        :raises ModelMisconfigured: if it refuses, or answers with another dimension.
        """
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, in order, in as many requests as needed.

        :raises ModelUnavailable: if the model does not answer in time, after all retries.
        :raises ModelMisconfigured: if it refuses, or answers with another dimension.
        """
        ...
