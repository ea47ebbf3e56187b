"""The model servers that the operator has set up, read from the settings.

`settings.MODEL_SERVERS` maps names to dictionaries with the fields of `Server`;
"offline", the stand-in with hashing embeddings, is always there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.llm.model_spec import (
    HASHING,
    HASHING_DIMENSIONS,
    OFFLINE,
    OFFLINE_MODEL,
    ModelSpec,
    ServerDefaults,
    spec_of,
)
from apps.llm.retry import RetryPolicy

KINDS = ("openai", OFFLINE)
SCHEMA_WAYS = ("json_schema", "prompt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that speaks the OpenAI protocol (L1, L2).

    `schema` says whether it takes a JSON schema or needs it in the prompt; one that
    refuses a schema with 400 is asked by prompt from then on. `answer_tokens_max` bounds
    an answer, `calls_at_once_max` the calls that one process has under way.

    A try may take `timeout_seconds`, a call with all its tries `deadline_seconds`, counted
    from when it has its place. In between there are growing waits, or what the server asks
    for, as long as that is not more than `wait_seconds_max`.
    """

    name: str
    base_url: str
    api_key: str = field(default="none", repr=False)
    kind: str = "openai"
    chat_model: str = ""
    embedding_model: str = ""
    embedding_dimensions: int = 0
    schema: Literal["json_schema", "prompt"] = "json_schema"
    sends_dimensions: bool = True
    sends_seed: bool = True
    connect_seconds: float = 5.0
    timeout_seconds: float = 60.0
    deadline_seconds: float = 180.0
    retries: int = 4
    wait_seconds_first: float = 0.5
    wait_seconds_max: float = 30.0
    calls_at_once_max: int = 16
    answer_tokens_max: int = 2_048

    @property
    def retry_policy(self) -> RetryPolicy:
        """How long a call to it is worth waiting for."""
        return RetryPolicy(
            retries=self.retries,
            deadline_seconds=self.deadline_seconds,
            wait_seconds_first=self.wait_seconds_first,
            wait_seconds_max=self.wait_seconds_max,
        )


def configured_servers() -> dict[str, Server]:
    """Return the servers of the settings by name, without the stand-in.

    :raises ImproperlyConfigured: if one has a field that there is not, or lacks one.
    """
    entries: Mapping[str, Mapping[str, Any]] = getattr(settings, "MODEL_SERVERS", {})
    return {
        name: _server(name, entry)
        for name, entry in entries.items()
        if name != OFFLINE and entry.get("kind") != OFFLINE
    }


def parse_model(asked: str | Mapping[str, object] | None) -> ModelSpec:
    """Return the models that were asked for; None asks for the operator's default.

    "offline", "openai", "openai:gpt-4o-mini", or a mapping with fields of ModelSpec.

    :raises UnknownModel: if there is no such server or field; names those there are.
    """
    servers = configured_servers()
    defaults = {name: _defaults(server) for name, server in servers.items()}
    defaults[OFFLINE] = ServerDefaults(
        chat_model=OFFLINE_MODEL,
        embedding_model=HASHING,
        embedding_dimensions=HASHING_DIMENSIONS,
    )
    default = str(getattr(settings, "DEFAULT_MODEL_SERVER", OFFLINE))
    return spec_of(default if asked is None else asked, defaults)


def _defaults(server: Server) -> ServerDefaults:
    return ServerDefaults(
        chat_model=server.chat_model,
        embedding_model=server.embedding_model,
        embedding_dimensions=server.embedding_dimensions,
    )


def _server(name: str, entry: Mapping[str, Any]) -> Server:
    known = {known.name for known in fields(Server)} - {"name"}
    unknown = sorted(set(entry) - known)
    if unknown:
        raise ImproperlyConfigured(
            f"MODEL_SERVERS[{name!r}] has no setting {', '.join(unknown)}; "
            f"it has: {', '.join(sorted(known))}"
        )
    if not entry.get("base_url"):
        raise ImproperlyConfigured(f"MODEL_SERVERS[{name!r}] needs a base_url")
    server = Server(name=name, **entry)
    if server.schema not in SCHEMA_WAYS or server.kind not in KINDS:
        raise ImproperlyConfigured(
            f"MODEL_SERVERS[{name!r}]: schema is one of {', '.join(SCHEMA_WAYS)}, "
            f"kind one of {', '.join(KINDS)}"
        )
    return server
