"""The specification of a simulation's models: plain values for its first event, no key."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Self, TypeVar

from pydantic import Discriminator, Field, PlainSerializer, Tag, field_validator

from apps.kernel.errors import DomainError
from apps.kernel.names import slug_of
from apps.kernel.request_models import RequestModel, read_values
from apps.llm.prompts.sets import PromptForm

OFFLINE = "offline"
RULE_MODEL = "rule model (no language model)"
HASHING = "hashing-v1"
HASHING_STEMS = "hashing-v2"  # stems of words, without the possessive
BUILT_IN_EMBEDDINGS = (HASHING, HASHING_STEMS)
HASHING_DIMENSIONS = 384
DIMENSIONS_MAX = 3_584  # 2 bytes each: a row with its vector must fit a page of 8 kB
TEMPERATURE_MAX = 2.0
NAME_CHARACTERS_MAX = 200
MODEL_CHARACTERS_MAX = 300
ROUTES_MAX = 100
ANY = "*"
"""The wildcard for any characters in a key of `tasks` or `agents`."""


SERVER_HINT = (
    "OPENAI_API_KEY, or OPENAI_BASE_URL of another server, in .env or in the environment sets "
    "up the server 'openai', whose models are named as in 'openai:gpt-4o-mini'; MODELS_FILE "
    "sets up several; MODELS_ALLOWED says which models are offered"
)


class UnknownModel(DomainError):
    """There is no such model here; name a server of the settings."""


_Chosen = TypeVar("_Chosen")
_ModelName = Annotated[str, Field(max_length=NAME_CHARACTERS_MAX)]
_Route = Annotated[str, Field(max_length=MODEL_CHARACTERS_MAX)]


class ModelSpec(RequestModel):
    """The models of one simulation (L1).

    `server` and `embedding_server` are names in the settings, so that neither addresses nor
    keys enter a simulation's history.
    """

    server: _ModelName = OFFLINE
    """A server of the settings."""
    chat_model: _ModelName = RULE_MODEL
    """By default that of the server."""
    embedding_server: _ModelName = OFFLINE
    """A server of the settings."""
    embedding_model: _ModelName = HASHING
    """By default that of the server; without one, texts are embedded by hashing."""
    embedding_dimensions: Annotated[int, Field(ge=1, le=DIMENSIONS_MAX)] = HASHING_DIMENSIONS
    """The length of the vectors."""
    temperature: Annotated[float, Field(ge=0, le=TEMPERATURE_MAX)] | None = None
    """Null is the default of the server."""
    prompt_form: Annotated[PromptForm, Field(strict=False)] = PromptForm.FULL
    """The form of the prompts: `short` for small models."""
    tasks: Mapping[str, _Route] = Field(default={}, max_length=ROUTES_MAX)
    """Other chat models by LLM task, as `server:model`, `server` or `offline`; a key may have
    `*`, as in `dialogue.*`. The first that fits counts."""
    agents: Mapping[str, _Route] = Field(default={}, max_length=ROUTES_MAX)
    """Other chat models by agent, by name or slug, which precede those of its tasks. A key with
    `*` is for agents that join later as well; the first that fits counts, after names."""

    @field_validator("agents", mode="after")
    @classmethod
    def _by_slug(cls, agents: Mapping[str, str]) -> Mapping[str, str]:
        return {
            ANY.join(map(slug_of, name.split(ANY))): model for name, model in agents.items()
        }

    def with_agent(self, slug: str, model: str) -> Self:
        """Return the specification with a chat model of its own for an agent."""
        return self.model_copy(update={"agents": {**self.agents, slug: model}})

    @property
    def chats(self) -> Mapping[str, tuple[str, str]]:
        """Server and chat model of each model that answers, by name; the default one first."""
        names = dict.fromkeys([self.chat, *self.tasks.values(), *self.agents.values()])
        return {name: split_model(name) for name in names}

    def chat_of(self, agent: str, task: str) -> str:
        """Return the name of the chat model that answers the LLM task of an agent, by slug."""
        return routed(agent, task, agents=self.agents, tasks=self.tasks, default=self.chat)

    @property
    def chat(self) -> str:
        """The name of the default chat model: `server:model`, or `offline`."""
        return OFFLINE if self.server == OFFLINE else f"{self.server}:{self.chat_model}"

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Return the specification that `to_json` wrote.

        :raises UnknownModel: if a field is unknown, or a value cannot be used.
        """
        return read_values(cls, dict(data), error=UnknownModel)


def routed(
    agent: str,
    task: str,
    *,
    agents: Mapping[str, _Chosen],
    tasks: Mapping[str, _Chosen],
    default: _Chosen,
) -> _Chosen:
    """Return what answers a call: an agent's own, else the first that fits agent or task."""
    if agent in agents:
        return agents[agent]
    fitting = (
        chosen
        for name, named in ((agent, agents), (task, tasks))
        for pattern, chosen in named.items()
        if fnmatchcase(name, pattern)
    )
    return next(fitting, default)


def split_model(name: str) -> tuple[str, str]:
    """Return server and chat model of `server:model`; the model is "" if it has none."""
    server, _, model = name.partition(":")
    return server, RULE_MODEL if server == OFFLINE else model


ChosenModel = Annotated[
    Annotated[str, Field(max_length=MODEL_CHARACTERS_MAX), Tag("name")]
    | Annotated[ModelSpec, Tag("ModelSpec")],
    Discriminator(lambda value: "name" if isinstance(value, str) else "ModelSpec"),
    PlainSerializer(
        lambda one: one if isinstance(one, str) else one.model_dump(exclude_unset=True)
    ),
]
"""A server and model that are set up here: "offline", "openai", "openai:gpt-4o-mini", or an
object; null for the default. GET /models lists them."""


RequestedModels = str | ModelSpec | Mapping[str, object] | None
"""Models by name, or an object; None for the default of the operator."""
