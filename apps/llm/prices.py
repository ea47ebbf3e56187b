"""What tokens cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

TOKENS_PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens, in whatever money the operator counts in."""

    prompt: Decimal = Decimal(0)
    completion: Decimal = Decimal(0)

    def cost(self, *, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """Return what the tokens cost."""
        whole = self.prompt * prompt_tokens + self.completion * completion_tokens
        return whole / TOKENS_PER_PRICE


FREE = Price()


def price_of(model: str, server: str, table: Mapping[str, Mapping[str, object]]) -> Price:
    """Return the price under "server:model", else under "model", else nothing."""
    entry = table.get(f"{server}:{model}", table.get(model, {}))
    return Price(
        prompt=Decimal(str(entry.get("prompt", 0))),
        completion=Decimal(str(entry.get("completion", 0))),
    )
