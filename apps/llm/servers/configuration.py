"""Model servers as data: the file MODELS_FILE, the variables OPENAI_* and the presets.

All three are read by `Server`. `settings.MODEL_SERVERS` has what was read at the start; the
server "offline", the rule-based model with hashing embeddings, always exists beside it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, model_validator

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are
from apps.kernel.request_models import (
    Fault,
    RequestModel,
    UnusableValues,
    fault,
    read_value,
    read_values,
)
from apps.kernel.strict_yaml import line_of, load_yaml, load_yaml_file
from apps.llm.model_spec import DIMENSIONS_MAX, OFFLINE
from apps.llm.prices import Price
from apps.llm.servers.retry import RetryPolicy

PRESETS_FILE = Path(__file__).with_name("presets.yaml")
MODELS_FILE, MODEL_PRICES = "MODELS_FILE", "MODEL_PRICES"
VARIABLES = "OPENAI_"
KEYLESS = "none"
"""The key that is sent to servers that need none."""

_HEADER_TEXT = re.compile(r"[\x20-\x7e]+")
_SERVER_NAME = re.compile(r"[A-Za-z0-9._-]{1,60}")
_ENDPOINTS = ("/chat/completions", "/completions", "/responses", "/embeddings", "/models")


class UnusableModels(DomainError):
    """The settings of the model servers cannot be used."""


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise fault(f"must begin with http:// or https://, not be {url!r}")
    if parts.query:
        raise fault(f"has a query: leave ?{parts.query} out and name it in query")
    for endpoint in _ENDPOINTS:
        if parts.path.rstrip("/").endswith(endpoint):
            raise fault(f"must end before {endpoint}, which is added to it")
    return url.rstrip("/")


def _secret(value: object, info: ValidationInfo) -> object:
    """Return the text of {variable: NAME} or {file: PATH}; other values as they are."""
    if not isinstance(value, Mapping):
        return value
    match dict(value):
        case {"variable": str(name), **rest} if not rest:
            text = (info.context or {}).get("environment", {}).get(name, "")
            if not text.strip():
                raise fault(f"needs the variable {name}, which is not set: set it")
        case {"file": str(path), **rest} if not rest:
            try:
                text = Path(path).read_text(encoding="utf-8-sig")
            except (OSError, ValueError) as error:
                raise fault(f"needs the file {path}, which cannot be read ({error})") from None
        case _:
            raise fault("must be {variable: NAME} or {file: PATH}")
    return text.strip()


def _header(text: str) -> str:
    if not _HEADER_TEXT.fullmatch(text):
        raise fault("has a letter or a line break that no header takes: copy it again")
    return text


def _no_plain_text(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str) and (info.context or {}).get("is_file"):
        raise fault("must be {variable: NAME} or {file: PATH}: a key is not written here")
    return _secret(value, info)


def _known_preset(name: str) -> str:
    if name not in presets():
        raise fault(f"there is no {name!r}; {names_there_are(sorted(presets()), name)}")
    return name


_Key = Annotated[str, AfterValidator(_header), BeforeValidator(_no_plain_text)]
_HeaderText = Annotated[str, AfterValidator(_header), BeforeValidator(_secret)]
_Seconds = Annotated[float, Field(gt=0, le=86_400)]
Body = Mapping[str, Any]
TokenLimit = Literal["max_tokens", "max_completion_tokens", "none"]
Reasoning = Literal["default", "off", "minimal", "low", "medium", "high"]
REASONING_LEVELS: tuple[Reasoning, ...] = ("high", "medium", "low", "minimal", "off")


class ModelOptions(RequestModel):
    """How a model is asked; those of a server hold for its models that name no others."""

    noun: ClassVar[str] = "setting"

    schema_by: Literal["json_schema", "json_object", "tool", "prompt"] = Field(
        default="json_schema", alias="schema"
    )
    """How the form of an answer is asked for: as a JSON schema that the server enforces, as
    any JSON object with the schema in the prompt, as the call of a tool, or in the prompt only.
    After a server has refused a schema, the prompt has it."""
    names_fields: bool = False
    """Whether prompts name the fields of the answer with their meaning: a model sees nothing of
    a schema that its server enforces by a grammar only."""
    token_limit: TokenLimit = "max_tokens"  # noqa: S105 - no secret
    """The name of the limit of an answer; `none` sends none."""
    answer_tokens_max: int = Field(default=2_048, ge=16, le=1_000_000)
    """The limit of an answer, with what a model thinks before it. Unit: tokens."""
    context_tokens: int | None = Field(default=None, ge=512, le=100_000_000)
    """The length of prompt and answer together; null is not known. Unit: tokens."""
    seed: Literal["seed", "random_seed", "none"] = "seed"
    """The name of the seed of an answer; `none` sends none."""
    sends_temperature: bool = True
    """Whether requests have the temperature of the simulation."""
    reasoning: Reasoning = "default"
    """How much a model thinks before it answers; `default` is the server's own choice."""
    reasoning_bodies: Mapping[Reasoning, Body] = Field(default={})
    """By `reasoning` what a request has in addition, in the spelling of the server."""
    reasoning_excludes: Sequence[Literal["temperature", "tool"]] = ()
    """What requests do not have while a model is told to think: the temperature, or the call of
    a tool, in place of which the prompt has the schema."""
    extra_body: Body = Field(default={})
    """What each request has in addition."""
    service_tier: str = ""
    """The tier of calls that can wait, such as `flex`, where the server has a cheaper one."""
    service_tier_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """The share of `price` that calls of this tier cost, and those of batches."""
    price: Price | None = None
    """The price of a million tokens."""

    @property
    def nearest_reasoning(self) -> Reasoning:
        """The reasoning itself, or the nearest that there is a spelling for."""
        levels: Sequence[Reasoning] = [
            one for one in REASONING_LEVELS if one in self.reasoning_bodies
        ]
        if self.reasoning == "default" or self.reasoning in levels or not levels:
            return self.reasoning
        at = REASONING_LEVELS.index
        return min(levels, key=lambda one: abs(at(one) - at(self.reasoning)))


class Server(ModelOptions):
    """A server that speaks the OpenAI protocol (L1, L2), and its models.

    One try may take `timeout_seconds`, a call with all its tries `deadline_seconds`. The waits
    between tries grow, or are those that the server requests, up to `wait_seconds_max`.
    """

    preset: Annotated[str, AfterValidator(_known_preset)] = ""
    """The kind of server, whose values hold for settings that are not given; that of the
    address if none is named."""
    name: str = ""
    """The name in the file, as models are called by: `openai` in `openai:gpt-4o-mini`."""
    base_url: Annotated[str, AfterValidator(_address)]
    """The address, up to `/v1` with most servers."""
    api_key: _Key = Field(default=KEYLESS, repr=False)
    """The key: `{variable: NAME}` or `{file: PATH}`."""
    headers: Mapping[str, _HeaderText] = Field(default={}, repr=False)
    """Further headers, as texts or as secrets like `api_key`."""
    query: Mapping[str, str] = Field(default={})
    """Parameters of the query, such as Azure's `api-version`."""
    version_path: str = ""
    """The path of the server's version, a JSON object with `version`; empty without one."""
    chat_model: str = ""
    """The model of simulations that name none; by default the first of `models`."""
    models: Mapping[str, ModelOptions] = Field(default={})
    """The models by name, with settings of their own."""
    embedding_server: str = ""
    """The server that embeds texts, by default this one if it has an `embedding_model`;
    `offline` is the built-in embedding."""
    embedding_model: str = ""
    """The model that embeds texts."""
    embedding_dimensions: int = Field(default=0, ge=1, le=DIMENSIONS_MAX)
    """The length of the vectors."""
    sends_dimensions: bool = True
    """Whether requests for vectors name their length."""
    texts_at_once_max: int = Field(default=128, ge=1, le=2_048)
    """How many texts one request embeds at most."""
    connect_seconds: _Seconds = 5.0
    """How long it may take to connect. Unit: seconds."""
    timeout_seconds: _Seconds = 60.0
    """How long one try may take. Unit: seconds."""
    deadline_seconds: _Seconds = 180.0
    """How long all tries of a call may take together. Unit: seconds."""
    retries: int = Field(default=4, ge=0, le=1_000)
    """How often a call is tried again."""
    wait_seconds_first: _Seconds = 0.5
    """The first wait between two tries. Unit: seconds."""
    wait_seconds_max: _Seconds = 30.0
    """The longest wait between two tries. Unit: seconds."""
    calls_at_once_max: int = Field(default=16, ge=1, le=10_000)
    """The calls of one process that are under way at once."""
    batches: bool = False
    """Whether calls of background work are sent as batch files, at `service_tier_share`."""
    batch_look_seconds: _Seconds = 30.0
    """How often a batch is looked at. Unit: seconds."""

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, values: Any) -> Any:
        return _filled(values) if isinstance(values, Mapping) else values

    @model_validator(mode="after")
    def _fits_together(self) -> "Server":
        if not self.chat_model and not self.embedding_model:
            raise fault("has no models: name chat_model, or several in models")
        if self.embedding_model and not self.embedding_dimensions:
            raise fault("needs embedding_dimensions, the length of its vectors")
        shipped = presets().get(self.preset, {}).get("models", {})
        for model in ("", *self.models):
            options = self.options_of(model)
            known = {"default", *options.reasoning_bodies}
            is_named = (
                model == self.chat_model
                or model not in shipped
                or "reasoning" in self.models[model].model_fields_set
            )
            if is_named and options.reasoning not in known:
                of = f" for {model!r}" if model else ""
                raise fault(
                    f"has no spelling of reasoning {options.reasoning!r}{of}: take one of "
                    f"{', '.join(sorted(known))}, or add what its requests have then to "
                    "reasoning_bodies"
                )
        return self

    def __hash__(self) -> int:
        return hash((self.name, self.base_url, self.api_key))

    @property
    def retry_policy(self) -> RetryPolicy:
        """The number of tries of a call, and the waits between them."""
        return RetryPolicy(
            retries=self.retries,
            deadline_seconds=self.deadline_seconds,
            wait_seconds_first=self.wait_seconds_first,
            wait_seconds_max=self.wait_seconds_max,
        )

    def options_of(self, model: str) -> ModelOptions:
        """Return the settings of a model: its own, else those of the server."""
        own = self.models.get(model)
        if own is None:
            return self
        changes = {name: getattr(own, name) for name in own.model_fields_set}
        return self.model_copy(update=changes)

    @property
    def chat_models(self) -> list[str]:
        """The names of its chat models, the default one first."""
        embeds = {self.embedding_model} | {
            name
            for name, options in self.models.items()
            if options.price is not None and options.price.prompt
            if not options.price.completion
        }
        named = dict.fromkeys([self.chat_model, *self.models])
        return [name for name in named if name and name not in embeds]


class ModelsFile(RequestModel):
    """The content of MODELS_FILE."""

    noun: ClassVar[str] = "setting"

    servers: Mapping[str, Server] = Field(min_length=1)
    """The servers by the names that models are called by."""
    default: str = OFFLINE
    """The model of simulations that name none: `offline`, a server, or `server:model`."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, values: Any) -> Any:
        servers = values.get("servers") if isinstance(values, Mapping) else None
        if not isinstance(servers, Mapping):
            return values
        named = {
            name: {**entry, "name": str(name)} if isinstance(entry, Mapping) else entry
            for name, entry in servers.items()
        }
        return {**values, "servers": named}

    @model_validator(mode="after")
    def _fits_together(self) -> "ModelsFile":
        known = sorted([OFFLINE, *self.servers])
        for name in self.servers:
            if name == OFFLINE or not _SERVER_NAME.fullmatch(name):
                raise fault(
                    f"must name the server {name!r} otherwise: with letters, digits, '.', '_' "
                    f"and '-', and not {OFFLINE!r}, the built-in one"
                )
        name = self.default.partition(":")[0]
        if name not in known:
            raise fault(f"has no server {name!r} of default; {names_there_are(known, name)}")
        for server in self.servers.values():
            other = server.embedding_server
            embeds = other in {"", OFFLINE} or (
                other in self.servers and self.servers[other].embedding_model
            )
            if not embeds:
                raise fault(
                    f"has no embedding_server {other!r} with an embedding_model, which "
                    f"{server.name!r} names; {names_there_are(known, other)}"
                )
        return self


@cache
def presets() -> Mapping[str, Mapping[str, Any]]:
    """Return the values of the presets by name, each price with its source."""
    found: Any = load_yaml_file(PRESETS_FILE)
    for preset in found.values():
        source = preset.pop("prices_from", "")
        for options in preset.get("models", {}).values():
            if "price" in options:
                options["price"]["source"] = source
    kept: Mapping[str, Mapping[str, Any]] = found
    return kept


@cache
def hosted_servers() -> Mapping[str, Server]:
    """Return the presets of hosted services, as servers without a key."""
    return {
        name: Server(**{**values, "name": name, "preset": name, "api_key": KEYLESS})
        for name, values in presets().items()
        if "chat_model" in values
    }


def read_servers(environment: Mapping[str, str]) -> ModelsFile | None:
    """Return the servers of MODELS_FILE, else of the variables OPENAI_*; None without both.

    :raises UnusableModels: if they cannot be used; it names the line of the file, or the
        variable, and what is allowed.
    """
    path = environment.get(MODELS_FILE, "")
    values = _variables(environment)
    if path:
        others = sorted(set(values) - {"api_key"})
        if others:
            raise UnusableModels(
                f"{MODELS_FILE} is set, so {_variable(others[0])} has no effect: write "
                f"{others[0]} into {path}, or unset {MODELS_FILE}."
            )
        return _read_file(Path(path), environment)
    if not {"api_key", "base_url", "preset"} & set(values):
        return None
    if "base_url" not in values and "preset" not in values:
        values["preset"] = "openai"
    context = {"environment": environment}
    try:
        server = read_values(Server, {**values, "name": "openai"}, context=context)
    except UnusableValues as refused:
        raise UnusableModels(
            "\n".join(
                str(Fault((_variable(str(one.place[0])), *one.place[1:]), one.code, one.detail))
                if one.place
                else f"The server of {VARIABLES}BASE_URL {one.detail} (each setting has a "
                f"variable: {VARIABLES} and its name in capitals)"
                for one in refused.faults
            )
        ) from refused
    return ModelsFile.model_construct(servers={"openai": server}, default=OFFLINE)


def read_prices(text: str) -> dict[str, Price]:
    """Return the prices of the variable MODEL_PRICES, a JSON object, by model.

    :raises UnusableModels: if it is none; it names the fault.
    """
    example = (
        'write prices such as {"gpt-4o-mini": {"prompt": "0.15", "cached_prompt": "0.075", '
        '"completion": "0.60"}, "text-embedding-3-small": {"embedding": "0.02"}}'
    )
    try:
        prices: dict[str, Price] = read_value(
            dict[str, Price], load_yaml(text)[0] if text.strip() else {}, MODEL_PRICES
        )
    except (UnusableValues, yaml.YAMLError) as error:
        raise UnusableModels(f"{error}; {example}") from error
    source = {"source": MODEL_PRICES}
    return {name: price.model_copy(update=source) for name, price in prices.items()}


def check_choice(
    default: str, servers: Mapping[str, Server], models_allowed: Sequence[str]
) -> None:
    """Check the models that are allowed, and the one of simulations that name none.

    :raises UnusableModels: if there is no server of a name, or MODELS_ALLOWED leaves out the
        default.
    """
    known = sorted([OFFLINE, *servers])
    for entry in filter(None, map(str.strip, models_allowed)):
        name = entry.partition(":")[0]
        if name not in known:
            raise UnusableModels(
                f"MODELS_ALLOWED lists {entry!r}, and there is no server {name!r}: "
                f"{names_there_are(known, name)}; correct MODELS_ALLOWED."
            )
    name, _, model = default.partition(":")
    if name == OFFLINE:
        return
    if name not in servers:
        raise UnusableModels(
            f"The default model is {default!r}, and there is no server {name!r}: "
            f"{names_there_are(known, name)}; correct DEFAULT_MODEL_SERVER."
        )
    full_name = f"{name}:{model or servers[name].chat_model}"
    if models_allowed and not {name, full_name} & set(models_allowed):
        raise UnusableModels(
            f"The default model is {full_name!r}, which is not among MODELS_ALLOWED: add it "
            "there, or correct DEFAULT_MODEL_SERVER."
        )


def _variables(environment: Mapping[str, str]) -> dict[str, object]:
    """Return the values of the variables OPENAI_*, by setting; an empty one is not set.

    :raises UnusableModels: if one that is no text is not YAML; it names the variable.
    """
    values: dict[str, object] = {}
    for name, field in Server.model_fields.items():
        setting = field.alias or name
        text = environment.get(_variable(setting), "").strip()
        if not text or name == "name":
            continue
        try:
            values[setting] = text if field.annotation is str else load_yaml(text)[0]
        except yaml.YAMLError as error:
            raise UnusableModels(f"{_variable(setting)} is no YAML: {error}") from error
    if environment.get(_variable("embedding_model")) == "":
        values["embedding_server"] = OFFLINE
    return values


def _variable(setting: str) -> str:
    return f"{VARIABLES}{setting.upper()}"


def _read_file(path: Path, environment: Mapping[str, str]) -> ModelsFile:
    context = {"environment": environment, "is_file": True}
    try:
        return read_values(ModelsFile, load_yaml_file(path), context=context)
    except OSError as error:
        raise UnusableModels(
            f"{MODELS_FILE} names {path}, which cannot be read ({error.strerror}): name a file "
            "that exists and may be read."
        ) from error
    except yaml.YAMLError as error:
        raise UnusableModels(f"{path} is no YAML: {error}") from error
    except UnusableValues as refused:
        text = path.read_text(encoding="utf-8-sig")
        faults = (f"{path}, line {line_of(text, one.place)}: {one}" for one in refused.faults)
        raise UnusableModels("\n".join(faults)) from refused


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a server with those of its preset for settings that are not given.

    Prices hold at the address of the preset only.
    """
    url = str(values.get("base_url", "")).rstrip("/")
    at_address = (one for one, preset in presets().items() if preset.get("base_url") == url)
    name = values.get("preset") or next(at_address, "")
    preset = presets().get(name, {}) if isinstance(name, str) else {}
    own_models = values.get("models") or {}
    filled = {**preset, **values}
    if name:
        filled["preset"] = name
    if not isinstance(own_models, Mapping):
        return filled
    if own_models and "chat_model" not in values:
        filled["chat_model"] = str(next(iter(own_models)))
    models = dict(preset.get("models", {}))
    if url and url != preset.get("base_url"):
        models = {
            model: {name: value for name, value in options.items() if name != "price"}
            for model, options in models.items()
        }
    for model, options in own_models.items():
        is_usable = options is None or isinstance(options, Mapping)
        models[model] = {**models.get(model, {}), **(options or {})} if is_usable else options
    filled["models"] = models
    for name in ("headers", "query", "extra_body", "reasoning_bodies"):
        if isinstance(values.get(name), Mapping):
            filled[name] = {**preset.get(name, {}), **values[name]}
    return filled
