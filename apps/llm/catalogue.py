"""The models that simulations may use, and their prices."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are
from apps.llm.model_spec import (
    ANY,
    HASHING,
    OFFLINE,
    SERVER_HINT,
    ModelSpec,
    RequestedModels,
    UnknownModel,
    split_model,
)
from apps.llm.prices import FREE, Price, Prices, PriceUnknown
from apps.llm.prompts.sets import PromptForm
from apps.llm.servers.configuration import Server, hosted_servers

CHAT_PRICE, EMBEDDING_PRICE = "{prompt: 0.15, completion: 0.60}", "{embedding: 0.02}"


class ModelNotAllowed(DomainError):
    """The operator does not offer this model; GET /models lists those that are offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedModel:
    """A chat model that simulations may use; prices are None where they are not known.

    `others_allowed` says whether other chat models of the server can be requested by name.
    """

    server: str
    chat_model: str
    embedding_model: str
    """The one that comes with it."""
    price: Price | None
    embedding_price: Price | None
    is_default: bool
    """Whether it is used if none is named."""
    others_allowed: bool

    @property
    def name(self) -> str:
        """The value of `model` for a new simulation: "openai:gpt-4o-mini"."""
        return self.server if self.server == OFFLINE else f"{self.server}:{self.chat_model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedModels:
    """The names of a chat and an embedding model, with their prices."""

    chat_model: str
    embedding_model: str
    prices: Prices


def parse_model(
    requested: RequestedModels, *, prompt_form: PromptForm = PromptForm.FULL
) -> ModelSpec:
    """Return the specification of the requested models, or of the operator's default for None.

    A request is "offline", "openai", "openai:gpt-4o-mini", or fields of ModelSpec. Texts are
    embedded by the embedding server of the chat model's, or by hashing. `prompt_form` is that
    of models that name none.

    :raises UnknownModel: if no such server is offered, or there is no such field; it names
        those that are.
    """
    is_default = requested is None
    requested = settings.DEFAULT_MODEL_SERVER if requested is None else requested
    if isinstance(requested, str):
        name, _, chat_model = requested.partition(":")
        requested = {"server": name} | ({"chat_model": chat_model} if chat_model else {})
    if not isinstance(requested, ModelSpec):
        requested = ModelSpec.from_json(requested)
    servers = settings.MODEL_SERVERS if is_default else offered_servers()
    given = requested.model_dump(exclude_unset=True)
    values: dict[str, Any] = {"server": requested.server, "prompt_form": prompt_form}
    if requested.server != OFFLINE:
        server = _known(requested.server, servers)
        values["chat_model"] = server.chat_model
        values["embedding_server"], _ = _embedding_of(server) or (OFFLINE, HASHING)
    other = given.get("embedding_server", values.get("embedding_server", OFFLINE))
    if other != OFFLINE:
        # That of a server which is offered is offered with it.
        named = servers if "embedding_server" in given else settings.MODEL_SERVERS
        embedding = _known(other, named)
        values["embedding_model"] = embedding.embedding_model
        values["embedding_dimensions"] = embedding.embedding_dimensions
    values |= given
    for routes in ("tasks", "agents"):
        values[routes] = {
            key: _full_name(name, servers) for key, name in values.get(routes, {}).items()
        }
    if values.get("chat_model") == "":
        raise UnknownModel(
            f"the server {requested.server!r} has no default model: name chat_model"
        )
    if values.get("embedding_model") == "":
        raise UnknownModel(
            f"the server {other!r} has no default embedding model: "
            "name embedding_model and embedding_dimensions"
        )
    return ModelSpec.from_json(values)


def ensure_agents_known(spec: ModelSpec, slugs: Collection[str]) -> None:
    """Check that there are the agents for whom the specification names models.

    :raises UnknownModel: for another name without `*`; it names those that there are.
    """
    unknown = next(
        (slug for slug in spec.agents if ANY not in slug and slug not in slugs), None
    )
    if unknown is not None:
        raise UnknownModel(
            f"there is no agent {unknown!r}, for whom model.agents names a model; "
            f"{names_there_are(sorted(slugs), unknown)}; name agents that join later with the "
            f"request that adds them, or by a key with '{ANY}'"
        )


def parse_chat_model(name: str, *, is_priced: bool = False) -> ModelSpec:
    """Return the specification of a chat model by name, with the built-in embedding.

    :param is_priced: whether it needs a price.
    :raises UnknownModel: if no such server is offered.
    :raises PriceUnknown: if it needs a price that is not known.
    """
    chat = parse_model(name)
    spec = ModelSpec(server=chat.server, chat_model=chat.chat_model)
    if is_priced:
        ensure_prices_known(spec)
    return spec


def _embedding_of(server: Server) -> tuple[str, str] | None:
    """Return server and name of the embedding model that comes with a server's chat models.

    None is the built-in embedding.
    """
    other = server.embedding_server or (server.name if server.embedding_model else OFFLINE)
    if other == OFFLINE:
        return None
    servers: Mapping[str, Server] = settings.MODEL_SERVERS
    return other, servers[other].embedding_model


def _full_name(name: str, servers: Mapping[str, Server]) -> str:
    """Return `server:model` of a model that a simulation names for a task or an agent."""
    server, model = split_model(name)
    if server == OFFLINE:
        return OFFLINE
    default = _known(server, servers).chat_model
    if not model and not default:
        raise UnknownModel(f"the server {server!r} has no default model: name one behind ':'")
    return f"{server}:{model or default}"


def _known(name: str, servers: Mapping[str, Server]) -> Server:
    if name not in servers:
        raise UnknownModel(
            f"there is no model server {name!r} here; "
            f"{names_there_are(sorted([OFFLINE, *servers]), name)}. {SERVER_HINT}"
        )
    return servers[name]


def models_allowed() -> Sequence[str] | None:
    """Return the entries of MODELS_ALLOWED but "offline"; None if all models are allowed."""
    entries = list(filter(None, (str(entry).strip() for entry in settings.MODELS_ALLOWED)))
    return [entry for entry in entries if entry != OFFLINE] if entries else None


def offered_servers() -> dict[str, Server]:
    """Return the servers of which a model at least is allowed, by name."""
    allowed = models_allowed()
    named = None if allowed is None else {entry.partition(":")[0] for entry in allowed}
    return {
        name: server
        for name, server in settings.MODEL_SERVERS.items()
        if named is None or name in named
    }


def price_of(model: str, server: str, *, can_wait: bool = False) -> Price | None:
    """Return the price of a server's model, None if it is not known.

    :param can_wait: whether it is that of batches or of the cheaper tier, if the settings name
        one.
    """
    if server == OFFLINE:
        return FREE
    found: Server | None = settings.MODEL_SERVERS.get(server)
    price = _price_at(found, model, server)
    if price is None or found is None or not can_wait:
        return price
    options = found.options_of(model)
    is_cheaper = options.service_tier or found.batches
    return price.shared(options.service_tier_share) if is_cheaper else price


def ensure_prices_known(spec: ModelSpec) -> None:
    """Check that the models have prices: without them a budget of money has no effect.

    :raises PriceUnknown: naming the models and the line to add.
    """
    used = [
        *((model, server, CHAT_PRICE) for server, model in spec.chats.values()),
        (spec.embedding_model, spec.embedding_server, EMBEDDING_PRICE),
    ]
    unknown = [one for one in used if price_of(one[0], one[1]) is None]
    if unknown:
        models = " and ".join(repr(model) for model, _, _ in unknown)
        lines = " and ".join(
            f"`models: {{{model}: {{price: {price}}}}}` at the server {server!r}"
            for model, server, price in unknown
        )
        raise PriceUnknown(
            f"no price is known of {models}, so a budget of money would have no effect; have "
            f"the operator write into MODELS_FILE {lines}, or set MODEL_PRICES (0 for a server "
            "that costs nothing), or use a budget of tokens"
        )


def ensure_allowed(spec: ModelSpec) -> None:
    """Check that settings.MODELS_ALLOWED lists the models; if it is empty, all are allowed.

    :raises ModelNotAllowed: naming those that are allowed.
    """
    listed = models_allowed()
    if listed is None:
        return
    allowed = [OFFLINE, *listed]
    for chat, (server, _) in spec.chats.items():
        if server not in allowed and chat not in allowed:
            raise ModelNotAllowed(
                f"the model {chat!r} is not offered here; there are: {', '.join(allowed)}"
            )
    embedding = spec.embedding_model
    usual = dict(filter(None, map(_embedding_of, offered_servers().values())))
    default = usual.get(spec.embedding_server)
    if spec.embedding_server not in allowed and default != embedding:
        hint = "omit it" + (f", or name {default!r}" if default else "")
        raise ModelNotAllowed(f"the embedding model {embedding!r} is not offered here; {hint}")


def list_models() -> list[OfferedModel]:
    """Return the models that simulations may use, the rule-based model first.

    Of a server whose models are all allowed, the default model and those with a known price
    are listed.
    """
    default = parse_model(None)
    return [_offered(spec, default) for spec in _offered_specs()]


def priced_models(requested: RequestedModels) -> PricedModels:
    """Return the requested models with their prices, also before their server is set up.

    A name such as "gpt-4o-mini", "openai" or "openai:gpt-4.1-mini" that no server has is
    looked up in the price table.

    :raises UnknownModel: if the table has no such name either; it names those that exist.
    """
    try:
        return named_models(parse_model(requested))
    except UnknownModel:
        if not isinstance(requested, str):
            raise
        return _hosted(requested)


def named_models(spec: ModelSpec, *, can_wait: bool = False) -> PricedModels:
    """Return the specification's models with their prices; see `price_of` for `can_wait`."""
    return PricedModels(
        chat_model=spec.chat_model,
        embedding_model=spec.embedding_model,
        prices=Prices(
            chat=price_of(spec.chat_model, spec.server, can_wait=can_wait),
            tasks=_prices_of(spec.tasks, can_wait),
            agents=_prices_of(spec.agents, can_wait),
            embedding=price_of(spec.embedding_model, spec.embedding_server),
            embeds_remotely=spec.embedding_server != OFFLINE,
        ),
    )


def _prices_of(names: Mapping[str, str], can_wait: bool) -> dict[str, Price | None]:
    """Return the prices of models that are named for tasks or agents, by the same keys."""
    return {
        key: price_of(model, server, can_wait=can_wait)
        for key, name in names.items()
        for server, model in [split_model(name)]
    }


def _hosted(requested: str) -> PricedModels:
    name, _, rest = requested.partition(":")
    hosted = hosted_servers()
    for server in [hosted[name]] if name in hosted else hosted.values():
        model = (rest or server.chat_model) if name in hosted else requested
        price = _price_at(server, model, server.name)
        if price is not None:
            embedding = server.embedding_model
            return PricedModels(
                chat_model=model,
                embedding_model=embedding or HASHING,
                prices=Prices(
                    chat=price,
                    embedding=(
                        _price_at(server, embedding, server.name) if embedding else FREE
                    ),
                    embeds_remotely=bool(embedding),
                ),
            )
    priced = [model for server in hosted.values() for model in server.chat_models]
    names = dict.fromkeys([OFFLINE, *offered_servers(), *priced])
    raise UnknownModel(
        f"neither is a model server {name!r} set up here, nor is a price of {requested!r} "
        f"known; {names_there_are(names, requested)}"
    )


def _price_at(server: Server | None, model: str, name: str) -> Price | None:
    """Return the operator's price of a model, else that of its server."""
    prices: Mapping[str, Price] = settings.MODEL_PRICES
    own = prices.get(f"{name}:{model}") or prices.get(model)
    if own is None and server is not None:
        return server.options_of(model).price
    return own


def _offered_specs() -> Iterator[ModelSpec]:
    yield parse_model(OFFLINE)
    allowed = models_allowed()
    for name, server in offered_servers().items():
        named = [entry.partition(":") for entry in (*(allowed or ()), *settings.MODEL_PRICES)]
        listed = [model for other, _, model in named if other == name and model]
        if allowed is None or name in allowed:
            listed = [*server.chat_models, *listed]
        else:
            listed = [model for model in listed if f"{name}:{model}" in allowed]
        for model in dict.fromkeys(listed):
            yield parse_model({"server": name, "chat_model": model})


def _offered(spec: ModelSpec, default: ModelSpec) -> OfferedModel:
    allowed, models = models_allowed(), named_models(spec)
    return OfferedModel(
        server=spec.server,
        chat_model=spec.chat_model,
        embedding_model=spec.embedding_model,
        price=models.prices.chat,
        embedding_price=models.prices.embedding,
        is_default=(spec.server, spec.chat_model) == (default.server, default.chat_model),
        others_allowed=spec.server != OFFLINE and (allowed is None or spec.server in allowed),
    )
