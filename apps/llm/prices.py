"""Prices of tokens, with their source and date."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, WithJsonSchema

from apps.kernel.errors import DomainError
from apps.llm.model_spec import routed
from apps.llm.usage import Usage

TOKENS_PER_PRICE = 1_000_000
# Hosted servers bill tokens from their cache at a tenth to a half of the price of other input.
# Half is assumed where the price is not known, so that no saving is shown that may not exist.
CACHED_PRICE_RATIO_DEFAULT = Decimal("0.5")
PRICE_DAYS_MAX = 90
"""After which age a price is to be compared with the list of the provider. Unit: days."""

_Money = Annotated[Decimal, Field(ge=0), WithJsonSchema({"type": "number", "minimum": 0})]


class PriceUnknown(DomainError):
    """A budget of money needs the price of the model; set it, or use a token budget."""


class Price(BaseModel):
    """The price of a million tokens; of an embedding model, `prompt` is the price of its texts.

    `cached_prompt` applies to tokens of a prompt that the server had in its cache; None for
    the price of `prompt`. `source` and `as_of` are the price list and the day it was read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    prompt: _Money = Field(Decimal(0), validation_alias=AliasChoices("prompt", "embedding"))
    completion: _Money = Decimal(0)
    cached_prompt: _Money | None = None
    source: str = ""
    as_of: date | None = None

    def is_old(self, today: date) -> bool:
        """Return whether the price is to be compared with its source again."""
        return self.as_of is not None and (today - self.as_of).days > PRICE_DAYS_MAX

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

    def shared(self, share: float) -> "Price":
        """Return the price of a tier that costs a share of this one."""
        prices = {
            name: value * Decimal(str(share))
            for name in ("prompt", "completion", "cached_prompt")
            if (value := getattr(self, name)) is not None
        }
        return self.model_copy(update=prices)

    def cost_of(self, used: Usage) -> Decimal:
        """Return the cost of what calls used."""
        return self.cost(
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cached_prompt_tokens=used.cached_prompt_tokens,
        )


FREE = Price()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices of the chat and of the embedding model, None where they are not known."""

    chat: Price | None
    tasks: Mapping[str, Price | None] = field(default_factory=dict)
    """By pattern of LLM tasks that other models answer; the first that fits counts."""
    agents: Mapping[str, Price | None] = field(default_factory=dict)
    """By agent that another model answers, whatever the task."""
    embedding: Price | None = FREE
    embeds_remotely: bool = False

    @property
    def are_known(self) -> bool:
        """Whether the cost can be computed."""
        return None not in (
            self.chat,
            self.embedding,
            *self.tasks.values(),
            *self.agents.values(),
        )

    def of_task(self, task: str) -> Price | None:
        """Return the price of the model that answers an LLM task of other agents."""
        return routed("", task, agents={}, tasks=self.tasks, default=self.chat)

    def shares_of(self, task: str, agents: Sequence[str]) -> Mapping[Price | None, float]:
        """Return the shares of the calls of an LLM task by price.

        :param agents: the slugs of the agents, who have equal shares; those named several times
            have several. Without any, none has a model of its own.
        """
        counts = Counter(
            routed(agent, task, agents=self.agents, tasks=self.tasks, default=self.chat)
            for agent in agents
        ) or {self.of_task(task): 1}
        return {price: count / (len(agents) or 1) for price, count in counts.items()}


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
