"""Which models simulations may use, and what they cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings

from apps.kernel.errors import DomainError
from apps.llm.estimates import Prices
from apps.llm.model_spec import OFFLINE, ModelSpec, UnknownModel
from apps.llm.prices import (
    FREE,
    Price,
    PriceUnknown,
    Provider,
    operators_price,
    providers,
    table_price,
)
from apps.llm.servers import configured_servers, parse_model


class ModelNotAllowed(DomainError):
    """The operator does not offer this model; GET /models lists those that are offered."""

    code: ClassVar[str] = "model-not-allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedModel:
    """A chat model that simulations may use; prices are None where they are not known.

    `others_allowed` says that other chat models of the server can be asked for by name.
    """

    server: str
    chat_model: str
    embedding_model: str
    price: Price | None
    embedding_price: Price | None
    is_default: bool
    others_allowed: bool

    @property
    def name(self) -> str:
        """What a new simulation gives as its model: "openai:gpt-4o-mini"."""
        return self.server if self.server == OFFLINE else f"{self.server}:{self.chat_model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedModels:
    """A chat and an embedding model by name, with their prices."""

    chat_model: str
    embedding_model: str
    prices: Prices


def price_of(model: str, server: str) -> Price | None:
    """Return the price of a server's model, None if it is not known.

    Prices of the operator come before the table that ships, which holds for the providers'
    own addresses only. The rule-based model costs nothing.
    """
    if server == OFFLINE:
        return FREE
    found = operators_price(model, server, settings.MODEL_PRICES)
    if found is not None or server not in configured_servers():
        return found
    return table_price(model, configured_servers()[server].base_url)


def prices_of(spec: ModelSpec) -> Prices:
    """Return the prices of the specification's models."""
    return Prices(
        chat=price_of(spec.chat_model, spec.server),
        embedding=price_of(spec.embedding_model, spec.embedding_server),
        embeds_remotely=spec.embedding_server != OFFLINE,
    )


def refuse_unpriced(spec: ModelSpec) -> None:
    """Refuse models without a price: a budget of money would have no effect on them.

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


def refuse_not_allowed(spec: ModelSpec) -> None:
    """Refuse models that settings.MODELS_ALLOWED does not list; without it all are allowed.

    :raises ModelNotAllowed: naming those that are allowed.
    """
    listed = _allowed()
    if listed is None:
        return
    allowed = [OFFLINE, *listed]
    chat, embedding = f"{spec.server}:{spec.chat_model}", spec.embedding_model
    if spec.server not in allowed and chat not in allowed:
        raise ModelNotAllowed(
            f"the model {chat!r} is not offered here; there are: {', '.join(allowed)}"
        )
    servers = {entry.partition(":")[0] for entry in allowed} & configured_servers().keys()
    usual = {name: configured_servers()[name].embedding_model for name in servers}
    comes_with = usual.get(spec.embedding_server)
    if spec.embedding_server not in allowed and comes_with != embedding:
        hint = "leave it away" + (f", or name {comes_with!r}" if comes_with else "")
        raise ModelNotAllowed(f"the embedding model {embedding!r} is not offered here; {hint}")


def list_models() -> list[OfferedModel]:
    """Return the models that simulations may use, the rule-based one first.

    Where any model of a server is allowed, its usual model and those with a known price are
    listed.
    """
    default = parse_model(None)
    return [_offered(spec, default) for spec in _offered_specs()]


def priced_models(asked: str | Mapping[str, Any] | None) -> PricedModels:
    """Return the models asked for with their prices, also before their server is set up.

    A name such as "gpt-4o-mini", "openai" or "openai:gpt-4.1-mini" that no server here has is
    looked up in the table of prices that ships.

    :raises UnknownModel: if it is not there either; names those that are.
    """
    try:
        spec = parse_model(asked)
    except UnknownModel:
        if not isinstance(asked, str):
            raise
        return _hosted(asked)
    return named_models(spec)


def named_models(spec: ModelSpec) -> PricedModels:
    """Return the specification's models with their prices."""
    return PricedModels(
        chat_model=spec.chat_model,
        embedding_model=spec.embedding_model,
        prices=prices_of(spec),
    )


def _hosted(asked: str) -> PricedModels:
    name, _, rest = asked.partition(":")
    hosted = providers()
    for provider in [hosted[name]] if name in hosted else hosted.values():
        model = (rest or provider.chat_model) if name in hosted else asked
        price = _known_price(model, provider)
        if price is not None:
            return PricedModels(
                chat_model=model,
                embedding_model=provider.embedding_model,
                prices=Prices(
                    chat=price,
                    embedding=_known_price(provider.embedding_model, provider),
                    embeds_remotely=True,
                ),
            )
    there_are = [OFFLINE, *configured_servers(), *_chat_models_with_prices()]
    raise UnknownModel(
        f"neither is a model server {name!r} set up here, nor is a price of {asked!r} known; "
        f"there are: {', '.join(dict.fromkeys(there_are))}"
    )


def _known_price(model: str, provider: Provider) -> Price | None:
    own = operators_price(model, provider.name, settings.MODEL_PRICES)
    return own or provider.prices.get(model)


def _chat_models_with_prices() -> Iterator[str]:
    for provider in providers().values():
        yield from (model for model, price in provider.prices.items() if price.completion)


def _allowed() -> Sequence[str] | None:
    """Return the entries of MODELS_ALLOWED but "offline"; None if all models are allowed."""
    entries = [entry for inputs in settings.MODELS_ALLOWED if (entry := str(inputs).strip())]
    return [entry for entry in entries if entry != OFFLINE] if entries else None


def _offered_specs() -> Iterator[ModelSpec]:
    yield parse_model(OFFLINE)
    allowed = _allowed()
    for name, server in configured_servers().items():
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
    allowed = _allowed()
    return OfferedModel(
        server=spec.server,
        chat_model=spec.chat_model,
        embedding_model=spec.embedding_model,
        price=price_of(spec.chat_model, spec.server),
        embedding_price=price_of(spec.embedding_model, spec.embedding_server),
        is_default=(spec.server, spec.chat_model) == (default.server, default.chat_model),
        others_allowed=spec.server != OFFLINE and (allowed is None or spec.server in allowed),
    )
