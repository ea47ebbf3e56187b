"""What model calls use: their number, tokens, time and cost."""

from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What calls used, or are expected to use.

    `cached_prompt_tokens` are those of `prompt_tokens` that the server had in its cache;
    `billed_equivalent_tokens` see `prices.billed_equivalent_tokens`. `latency_ms` is the
    model's own time over all attempts.
    """

    calls: int = 0
    prompt_tokens: int = 0
    cached_prompt_tokens: int = 0
    completion_tokens: int = 0
    billed_equivalent_tokens: int = 0
    latency_ms: int = 0
    cost: Decimal = Decimal(0)

    @property
    def tokens(self) -> int:
        """The tokens of prompts and answers together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in MEMBERS})


MEMBERS = tuple(field.name for field in fields(Usage))


def totals_of(used: object) -> dict[str, Any]:
    """Return the tokens, time and cost of `Usage`, or of the record of a call, by name."""
    return {name: getattr(used, name) for name in MEMBERS if name != "calls"}


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLine(Usage):
    """What the calls of one group used, such as those of an LLM task: `key` names it."""

    key: str
