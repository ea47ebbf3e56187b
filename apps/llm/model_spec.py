"""Which models a simulation thinks with: plain values for its first event, never a key."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import ClassVar, Self

from apps.kernel.errors import DomainError

OFFLINE = "offline"
OFFLINE_MODEL = "offline stand-in (rules, not a language model)"
HASHING = "hashing-v1"
HASHING_DIMENSIONS = 384
DIMENSIONS_MAX = 3_584  # 2 bytes each: a row with its vector must fit a page of 8 kB
TEMPERATURE_MAX = 2.0
NAME_CHARACTERS_MAX = 200


class UnknownModel(DomainError):
    """There is no such model here; name a server that the operator has set up."""

    code: ClassVar[str] = "unknown-model"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """The models of one simulation (L1).

    `server` and `embedding_server` are names of the operator's settings, so that neither
    addresses nor keys enter a simulation's history. `temperature` None leaves it to the
    server.
    """

    server: str = OFFLINE
    chat_model: str = OFFLINE_MODEL
    embedding_server: str = OFFLINE
    embedding_model: str = HASHING
    embedding_dimensions: int = HASHING_DIMENSIONS
    temperature: float | None = None

    def to_json(self) -> dict[str, str | int | float | None]:
        """Return the specification as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Return the specification that `to_json` wrote.

        :raises UnknownModel: if a value is of the wrong kind or unknown.
        """
        return cls(**_checked(data))  # type: ignore[arg-type]  # _checked looked at each


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerDefaults:
    """What a server is asked for when a simulation names no model of its own."""

    chat_model: str
    embedding_model: str
    embedding_dimensions: int


def spec_of(
    asked: str | Mapping[str, object], servers: Mapping[str, ServerDefaults]
) -> ModelSpec:
    """Return the specification of what was asked for.

    "offline", "openai", "openai:gpt-4o-mini", or a mapping with the fields of ModelSpec,
    each optional. A server without an embedding model leaves embeddings to hashing.

    :raises UnknownModel: if a server or a field is unknown, or a value cannot be.
    """
    if isinstance(asked, str):
        server, _, chat_model = asked.partition(":")
        asked = (
            {"server": server, "chat_model": chat_model} if chat_model else {"server": server}
        )
    inputs = _checked(asked)
    server = _known(inputs.get("server", OFFLINE), servers)
    embedding_server = _known(
        inputs.get("embedding_server", server if servers[server].embedding_model else OFFLINE),
        servers,
    )
    defaults = {
        "chat_model": servers[server].chat_model,
        "embedding_model": servers[embedding_server].embedding_model,
        "embedding_dimensions": servers[embedding_server].embedding_dimensions,
    }
    inputs |= {"server": server, "embedding_server": embedding_server}
    return _complete(ModelSpec.from_json(defaults | inputs))


def _known(server: object, servers: Mapping[str, ServerDefaults]) -> str:
    if not isinstance(server, str) or server not in servers:
        there_are = ", ".join(sorted(servers))
        raise UnknownModel(f"there is no model server {server!r} here; there are: {there_are}")
    return server


def _complete(spec: ModelSpec) -> ModelSpec:
    """Refuse what no server could serve."""
    if not spec.chat_model:
        raise UnknownModel(
            f"the server {spec.server!r} has no model by default: name chat_model"
        )
    if not spec.embedding_model:
        raise UnknownModel(
            f"the server {spec.embedding_server!r} has no embedding model by default: "
            "name embedding_model and embedding_dimensions"
        )
    if not 1 <= spec.embedding_dimensions <= DIMENSIONS_MAX:
        raise UnknownModel(f"embedding_dimensions must lie between 1 and {DIMENSIONS_MAX}")
    if spec.temperature is not None and not 0 <= spec.temperature <= TEMPERATURE_MAX:
        raise UnknownModel(f"temperature must lie between 0 and {TEMPERATURE_MAX:g}")
    return spec


def _checked(data: Mapping[str, object]) -> dict[str, object]:
    """Return the data, its field names and kinds of value looked at.

    :raises UnknownModel: if one is unknown or of the wrong kind.
    """
    known = [field.name for field in fields(ModelSpec)]
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise UnknownModel(f"a model has no {', '.join(unknown)}; it has: {', '.join(known)}")
    for name, value in data.items():
        if not _right_kind(name, value):
            raise UnknownModel(f"{name} cannot be {value!r}")
    return dict(data)


def _right_kind(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if name == "embedding_dimensions":
        return isinstance(value, int)
    if name == "temperature":
        return value is None or isinstance(value, int | float)
    return isinstance(value, str) and len(value) <= NAME_CHARACTERS_MAX
