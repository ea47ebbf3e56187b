"""The models that simulations may use, and their prices."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are
from apps.llm.model_spec import OFFLINE, ModelSpec, RequestedModels, UnknownModel
from apps.llm.prices import (
    FREE,
    Price,
    Prices,
    PriceUnknown,
    Provider,
    operators_price,
    providers,
    table_price,
)
from apps.llm.servers.configuration import (
    configured_servers,
    models_allowed,
    offered_servers,
    parse_model,
)


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


def price_of(model: str, server: str) -> Price | None:
    """Return the price of a server's model, None if it is not known.

    Prices of the operator precede the price table, which applies to the providers' own
    addresses only. The rule-based model is free.
    """
    if server == OFFLINE:
        return FREE
    found = operators_price(model, server, settings.MODEL_PRICES)
    if found is not None:
        return found
    configured = configured_servers().get(server)
    return None if configured is None else table_price(model, configured.base_url)


def ensure_prices_known(spec: ModelSpec) -> None:
    """Check that the models have prices: without them a budget of money has no effect.

    :raises PriceUnknown: naming the models and the setting.
    """
    used = ((spec.chat_model, spec.server), (spec.embedding_model, spec.embedding_server))
    unknown = [model for model, server in used if price_of(model, server) is None]
    if unknown:
        raise PriceUnknown(
            f"no price is known of {' and '.join(map(repr, unknown))}, so a budget of money "
            "would have no effect; have the operator set MODEL_PRICES (0 for a server that "
            "costs nothing), or use a budget of tokens"
        )


def ensure_allowed(spec: ModelSpec) -> None:
    """Check that settings.MODELS_ALLOWED lists the models; if it is empty, all are allowed.

    :raises ModelNotAllowed: naming those that are allowed.
    """
    listed = models_allowed()
    if listed is None:
        return
    allowed = [OFFLINE, *listed]
    chat, embedding = f"{spec.server}:{spec.chat_model}", spec.embedding_model
    if spec.server not in allowed and chat not in allowed:
        raise ModelNotAllowed(
            f"the model {chat!r} is not offered here; there are: {', '.join(allowed)}"
        )
    usual = {name: server.embedding_model for name, server in offered_servers().items()}
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


def named_models(spec: ModelSpec) -> PricedModels:
    """Return the specification's models with their prices."""
    return PricedModels(
        chat_model=spec.chat_model,
        embedding_model=spec.embedding_model,
        prices=Prices(
            chat=price_of(spec.chat_model, spec.server),
            embedding=price_of(spec.embedding_model, spec.embedding_server),
            embeds_remotely=spec.embedding_server != OFFLINE,
        ),
    )


def _hosted(requested: str) -> PricedModels:
    name, _, rest = requested.partition(":")
    hosted = providers()
    for provider in [hosted[name]] if name in hosted else hosted.values():
        model = (rest or provider.chat_model) if name in hosted else requested
        price = _known_price(model, provider)
        if price is not None:
            embedding = provider.embedding_model
            return PricedModels(
                chat_model=model,
                embedding_model=embedding,
                prices=Prices(
                    chat=price,
                    embedding=_known_price(embedding, provider),
                    embeds_remotely=True,
                ),
            )
    names = dict.fromkeys([OFFLINE, *offered_servers(), *_chat_models_with_prices()])
    raise UnknownModel(
        f"neither is a model server {name!r} set up here, nor is a price of {requested!r} "
        f"known; {names_there_are(names, requested)}"
    )


def _known_price(model: str, provider: Provider) -> Price | None:
    own = operators_price(model, provider.name, settings.MODEL_PRICES)
    return own or provider.prices.get(model)


def _chat_models_with_prices() -> Iterator[str]:
    for provider in providers().values():
        yield from (model for model, price in provider.prices.items() if price.completion)


def _offered_specs() -> Iterator[ModelSpec]:
    yield parse_model(OFFLINE)
    allowed = models_allowed()
    for name, server in offered_servers().items():
        entries = [entry for entry in allowed or () if entry.startswith(f"{name}:")]
        listed = [entry.partition(":")[2] for entry in entries]
        if allowed is None or name in allowed:
            listed += [server.chat_model, *_priced_at(name, server.base_url)]
        for model in dict.fromkeys(filter(None, listed)):
            yield parse_model({"server": name, "chat_model": model})


def _priced_at(server: str, base_url: str) -> Iterator[str]:
    for key in settings.MODEL_PRICES:
        if key.startswith(f"{server}:"):
            yield key.partition(":")[2]
    for model in _chat_models_with_prices():
        if table_price(model, base_url) is not None:
            yield model


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
