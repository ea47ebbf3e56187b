"""Prices of tokens: those of the operator, else of the dated price table."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured

from apps.kernel.errors import DomainError

TOKENS_PER_PRICE = 1_000_000
PRICES_FILE = Path(__file__).parent / "figures" / "prices.toml"
OPERATORS_PRICES = "MODEL_PRICES"
_FIELDS = ("prompt", "cached_prompt", "completion", "embedding")


class PriceUnknown(DomainError):
    """A budget of money needs the price of the model; set it, or use a token budget."""

    code: ClassVar[str] = "price-unknown"


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens; of an embedding model, `prompt` is the price of its texts.

    `cached_prompt` applies to tokens of a prompt that the server had in its cache; None for
    the price of `prompt`. `source` and `as_of` are the price list and its month.
    """

    prompt: Decimal = Decimal(0)
    completion: Decimal = Decimal(0)
    cached_prompt: Decimal | None = None
    source: str = ""
    as_of: str = ""

    def cost(
        self, *, prompt_tokens: int, completion_tokens: int, cached_prompt_tokens: int = 0
    ) -> Decimal:
        """Return the cost of the tokens; `prompt_tokens` include those from the cache."""
        cached = self.prompt if self.cached_prompt is None else self.cached_prompt
        from_cache = min(cached_prompt_tokens, prompt_tokens)
        whole = (
            self.prompt * (prompt_tokens - from_cache)
            + cached * from_cache
            + self.completion * completion_tokens
        )
        return whole / TOKENS_PER_PRICE


FREE = Price()


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A hosted service of the price table: address, default models, and prices."""

    name: str
    base_url: str
    chat_model: str
    embedding_model: str
    prices: Mapping[str, Price]


def operators_price(
    model: str, server: str, table: Mapping[str, Mapping[str, object]]
) -> Price | None:
    """Return the price under "server:model", else under "model", of settings.MODEL_PRICES.

    :raises ImproperlyConfigured: if the entry is not a price.
    """
    for key in (f"{server}:{model}", model):
        if key in table:
            return _price(table[key], f"MODEL_PRICES[{key!r}]", source=OPERATORS_PRICES)
    return None


def table_price(model: str, base_url: str) -> Price | None:
    """Return the price of a model at its provider's own address, from the price table."""
    for provider in providers().values():
        if provider.base_url == base_url.rstrip("/"):
            return provider.prices.get(model)
    return None


@cache
def providers() -> Mapping[str, Provider]:
    """Return the hosted services of the price table by name."""
    read = tomllib.loads(PRICES_FILE.read_text(encoding="utf-8"))
    return {name: _provider(name, entry) for name, entry in read.items()}


def _provider(name: str, entry: Mapping[str, Any]) -> Provider:
    prices = {
        model: _price(
            {field: value for field, value in listed.items() if field != "as_of"},
            f"{PRICES_FILE.name}: {model}",
            source=entry["source"],
            as_of=listed["as_of"],
        )
        for model, listed in entry["models"].items()
    }
    return Provider(
        name=name,
        base_url=entry["base_url"],
        chat_model=entry["chat_model"],
        embedding_model=entry["embedding_model"],
        prices=prices,
    )


def _price(
    entry: Mapping[str, object], where: str, *, source: str = "", as_of: str = ""
) -> Price:
    unknown = sorted(set(entry) - set(_FIELDS))
    if unknown:
        raise ImproperlyConfigured(
            f"{where} has no field {', '.join(unknown)}; it has: {', '.join(_FIELDS)}"
        )
    money = {name: _money(value, f"{where}: {name}") for name, value in entry.items()}
    return Price(
        prompt=money.get("embedding", money.get("prompt", Decimal(0))),
        completion=money.get("completion", Decimal(0)),
        cached_prompt=money.get("cached_prompt"),
        source=source,
        as_of=as_of,
    )


def _money(value: object, where: str) -> Decimal:
    try:
        money = Decimal(str(value))
    except InvalidOperation:
        money = Decimal("NaN")
    if not money.is_finite() or money < 0:
        raise ImproperlyConfigured(f'{where} is {value!r}; write a price such as "0.15"')
    return money
