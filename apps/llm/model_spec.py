"""The specification of a simulation's models: plain values for its first event, no key."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import ClassVar, Self

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are
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


SERVER_HINT = (
    "OPENAI_API_KEY, or OPENAI_BASE_URL of another server, in .env or in the environment sets "
    "up the server 'openai', whose models are named as in 'openai:gpt-4o-mini'; MODELS_ALLOWED "
    "says which models are offered"
)


class UnknownModel(DomainError):
    """There is no such model here; name a server of the settings."""

    code: ClassVar[str] = "unknown-model"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """The models of one simulation (L1).

    `server` and `embedding_server` are names in the settings, so that neither addresses nor
    keys enter a simulation's history. `temperature` None is the server's default.
    `prompt_form` is the form of the prompts: "full", or "short" for small models.
    """

    server: str = OFFLINE
    chat_model: str = RULE_MODEL
    embedding_server: str = OFFLINE
    embedding_model: str = HASHING
    embedding_dimensions: int = HASHING_DIMENSIONS
    temperature: float | None = None
    prompt_form: str = PromptForm.FULL

    def to_json(self) -> dict[str, str | int | float | None]:
        """Return the specification as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Return the specification that `to_json` wrote.

        :raises UnknownModel: if a field is unknown or a value has the wrong type.
        """
        return cls(**_checked(data))  # type: ignore[arg-type]  # checked by _checked


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerDefaults:
    """The models of a server for simulations that name none; "" if it has no default."""

    chat_model: str = ""
    embedding_model: str = ""
    embedding_dimensions: int = 0


def spec_of(
    requested: str | Mapping[str, object],
    servers: Mapping[str, ServerDefaults],
    *,
    prompt_form: PromptForm = PromptForm.FULL,
) -> ModelSpec:
    """Return the specification of the requested models; `prompt_form` if they name none.

    A request is "offline", "openai", "openai:gpt-4o-mini", or a mapping with fields of
    ModelSpec. For a server without an embedding model, texts are embedded by hashing.

    :raises UnknownModel: if a server or a field is unknown, or a value is invalid.
    """
    if isinstance(requested, str):
        name, _, chat_model = requested.partition(":")
        requested = {"server": name} | ({"chat_model": chat_model} if chat_model else {})
    values = _checked(requested)
    server = _known(values.get("server", OFFLINE), servers)
    usual = server if servers[server].embedding_model else OFFLINE
    embedding_server = _known(values.get("embedding_server", usual), servers)
    defaults = {
        "chat_model": servers[server].chat_model,
        "embedding_model": servers[embedding_server].embedding_model,
        "embedding_dimensions": servers[embedding_server].embedding_dimensions,
    }
    values |= {"server": server, "embedding_server": embedding_server}
    return ensure_usable(ModelSpec.from_json({"prompt_form": prompt_form} | defaults | values))


def _known(server: object, servers: Mapping[str, ServerDefaults]) -> str:
    if not isinstance(server, str) or server not in servers:
        raise UnknownModel(
            f"there is no model server {server!r} here; "
            f"{names_there_are(sorted(servers), str(server))}. {SERVER_HINT}"
        )
    return server


def ensure_usable(spec: ModelSpec) -> ModelSpec:
    """Return the specification if a server can serve it.

    :raises UnknownModel: if a model is missing, or a number is out of its bounds.
    """
    if not spec.chat_model:
        raise UnknownModel(f"the server {spec.server!r} has no default model: name chat_model")
    if not spec.embedding_model:
        raise UnknownModel(
            f"the server {spec.embedding_server!r} has no default embedding model: "
            "name embedding_model and embedding_dimensions"
        )
    if not 1 <= spec.embedding_dimensions <= DIMENSIONS_MAX:
        raise UnknownModel(f"embedding_dimensions must be from 1 to {DIMENSIONS_MAX}")
    if spec.temperature is not None and not 0 <= spec.temperature <= TEMPERATURE_MAX:
        raise UnknownModel(f"temperature must be from 0 to {TEMPERATURE_MAX:g}")
    return spec


def _checked(data: Mapping[str, object]) -> dict[str, object]:
    """Return the data if its field names and the types of its values are valid.

    :raises UnknownModel: if they are not.
    """
    known = [field.name for field in fields(ModelSpec)]
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise UnknownModel(
            f"a model has no {', '.join(unknown)}; {names_there_are(known, unknown[0])}"
        )
    for name, value in data.items():
        if not _is_valid(name, value):
            hint = f"; use {' or '.join(PromptForm)}" if name == "prompt_form" else ""
            raise UnknownModel(f"{name} cannot be {value!r}{hint}")
    return dict(data)


def _is_valid(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if name == "embedding_dimensions":
        return isinstance(value, int)
    if name == "prompt_form":
        return value in list(PromptForm)
    if name == "temperature":
        return value is None or isinstance(value, int | float)
    return isinstance(value, str) and len(value) <= NAME_CHARACTERS_MAX
