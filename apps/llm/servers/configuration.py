"""The model servers of the settings.

`settings.MODEL_SERVERS` maps names to dictionaries with the fields of `Server`. The server
"offline", the rule-based model with hashing embeddings, always exists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.llm.model_spec import (
    HASHING,
    HASHING_DIMENSIONS,
    OFFLINE,
    RULE_MODEL,
    ModelSpec,
    RequestedModels,
    ServerDefaults,
    spec_of,
)
from apps.llm.prompts.sets import PromptForm
from apps.llm.servers.retry import RetryPolicy

KINDS = ("openai", OFFLINE)
SCHEMA_WAYS = ("json_schema", "prompt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server(ServerDefaults):
    """A server that speaks the OpenAI protocol (L1, L2).

    `schema` says whether the server takes a JSON schema or needs it in the prompt; after it
    refuses a schema with 400, prompts have it. `answer_tokens_max` limits an answer,
    `calls_at_once_max` the concurrent calls of one process.

    One try may take `timeout_seconds`, a call with all its tries `deadline_seconds`. The waits
    between tries grow, or are those that the server requests, up to `wait_seconds_max`.
    """

    name: str
    base_url: str
    api_key: str = field(default="none", repr=False)
    kind: str = "openai"
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
        """The number of tries of a call, and the waits between them."""
        return RetryPolicy(
            retries=self.retries,
            deadline_seconds=self.deadline_seconds,
            wait_seconds_first=self.wait_seconds_first,
            wait_seconds_max=self.wait_seconds_max,
        )


def configured_servers() -> dict[str, Server]:
    """Return the servers of the settings by name, without "offline".

    :raises ImproperlyConfigured: if one has an unknown setting, or lacks one.
    """
    entries: Mapping[str, Mapping[str, Any]] = getattr(settings, "MODEL_SERVERS", {})
    return {
        name: _server(name, entry)
        for name, entry in entries.items()
        if name != OFFLINE and entry.get("kind") != OFFLINE
    }


def models_allowed() -> Sequence[str] | None:
    """Return the entries of MODELS_ALLOWED but "offline"; None if all models are allowed."""
    entries = list(filter(None, (str(entry).strip() for entry in settings.MODELS_ALLOWED)))
    return [entry for entry in entries if entry != OFFLINE] if entries else None


def offered_servers() -> dict[str, Server]:
    """Return the configured servers of which a model at least is allowed, by name."""
    allowed = models_allowed()
    servers = configured_servers()
    if allowed is None:
        return servers
    named = {entry.partition(":")[0] for entry in allowed}
    return {name: server for name, server in servers.items() if name in named}


def parse_model(
    requested: RequestedModels,
    *,
    prompt_form: PromptForm = PromptForm.FULL,
) -> ModelSpec:
    """Return the specification of the requested models, or of the operator's default for None.

    See `spec_of` for the forms of a request. `prompt_form` is that of models that name none.

    :raises UnknownModel: if no such server is offered, or there is no such field; it names
        those that are.
    """
    offline = ServerDefaults(
        chat_model=RULE_MODEL,
        embedding_model=HASHING,
        embedding_dimensions=HASHING_DIMENSIONS,
    )
    default = str(getattr(settings, "DEFAULT_MODEL_SERVER", OFFLINE))
    if requested is None:
        servers = {**configured_servers(), OFFLINE: offline}
        return spec_of(default, servers, prompt_form=prompt_form)
    return spec_of(requested, {**offered_servers(), OFFLINE: offline}, prompt_form=prompt_form)


def _server(name: str, entry: Mapping[str, Any]) -> Server:
    known = {field.name for field in fields(Server)} - {"name"}
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
