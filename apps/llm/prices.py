"""Prices of tokens: those of the operator, else of the dated price table."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated

from django.core.exceptions import ImproperlyConfigured
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from apps.kernel.errors import DomainError

TOKENS_PER_PRICE = 1_000_000
# Hosted servers bill tokens from their cache at a tenth to a half of the price of other input.
# Half is assumed where the price is not known, so that no saving is shown that may not exist.
CACHED_PRICE_RATIO_DEFAULT = Decimal("0.5")
PRICES_FILE = Path(__file__).parent / "figures" / "prices.toml"
OPERATORS_PRICES = "MODEL_PRICES"

_Money = Annotated[Decimal, Field(ge=0)]


class PriceUnknown(DomainError):
    """A budget of money needs the price of the model; set it, or use a token budget."""


class Price(BaseModel):
    """The price of a million tokens; of an embedding model, `prompt` is the price of its texts.

    `cached_prompt` applies to tokens of a prompt that the server had in its cache; None for
    the price of `prompt`. `source` and `as_of` are the price list and its month.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    prompt: _Money = Field(Decimal(0), validation_alias=AliasChoices("prompt", "embedding"))
    completion: _Money = Decimal(0)
    cached_prompt: _Money | None = None
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
class Prices:
    """Prices of the chat and of the embedding model, None where they are not known."""

    chat: Price | None
    embedding: Price | None = FREE
    embeds_remotely: bool = False

    @property
    def are_known(self) -> bool:
        """Whether the cost can be computed."""
        return self.chat is not None and self.embedding is not None


def cached_price_ratio(price: Price | None) -> Decimal:
    """Return the price of a cached input token relative to that of an uncached one.

    It is 1 if the price list has no price of cached input, as in `Price.cost`, and
    CACHED_PRICE_RATIO_DEFAULT if there is no price to compare with.
    """
    if price is None or not price.prompt:
        return CACHED_PRICE_RATIO_DEFAULT
    return Decimal(1) if price.cached_prompt is None else price.cached_prompt / price.prompt


def billed_equivalent_tokens(
    *,
    prompt_tokens: int,
    cached_prompt_tokens: int,
    completion_tokens: int,
    ratio: Decimal = CACHED_PRICE_RATIO_DEFAULT,
) -> int:
    """Return the tokens of input and output, of which cached input counts `ratio` each."""
    uncached = prompt_tokens - cached_prompt_tokens
    return uncached + round(ratio * cached_prompt_tokens) + completion_tokens


class Provider(BaseModel):
    """A hosted service of the price table: address, default models, and prices."""

    name: str
    base_url: str
    chat_model: str
    embedding_model: str
    prices: Mapping[str, Price] = Field(validation_alias="models")


def operators_price(
    model: str, server: str, table: Mapping[str, Mapping[str, object]]
) -> Price | None:
    """Return the price under "server:model", else under "model", of settings.MODEL_PRICES.

    :raises ImproperlyConfigured: if the entry is not a price.
    """
    for key in (f"{server}:{model}", model):
        if key not in table:
            continue
        try:
            return Price.model_validate({**table[key], "source": OPERATORS_PRICES})
        except ValidationError as invalid:
            problems = "; ".join(
                f"{error['loc'][0]} is {error['input']!r}: {error['msg']}"
                for error in invalid.errors()
            )
            raise ImproperlyConfigured(
                f"MODEL_PRICES[{key!r}]: {problems}. Write prices such as "
                '{"prompt": "0.15", "cached_prompt": "0.075", "completion": "0.60"}, or '
                '{"embedding": "0.02"}'
            ) from invalid
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
    table = tomllib.loads(PRICES_FILE.read_text(encoding="utf-8"))
    found = {}
    for name, entry in table.items():
        source = entry["source"]
        models = {
            model: {**price, "source": source} for model, price in entry["models"].items()
        }
        found[name] = Provider.model_validate({**entry, "name": name, "models": models})
    return found
