"""Counting tokens, and how many texts fit into a budget of them (M5)."""

from collections.abc import Sequence
from typing import Protocol

CHARACTERS_PER_TOKEN = 4


class TokenCounter(Protocol):
    """Counts tokens as a model would."""

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        ...


class CharacterCounter:
    """Estimates a token as four characters, rounded up: the usual rule for English.

    One rule for all models (decision 8): what is counted changes history, and neither a
    download nor a server must be needed for it. Over-long by a little for plain prose,
    short for scripts without spaces.
    """

    def count(self, text: str) -> int:
        """Return how many tokens the text has, about."""
        return -(-len(text) // CHARACTERS_PER_TOKEN)


def fit_to_budget(texts: Sequence[str], tokens_max: int, *, counter: TokenCounter) -> int:
    """Return how many of the first texts fit together; the first that does not ends it."""
    used = 0
    for count, text in enumerate(texts):
        used += counter.count(text)
        if used > tokens_max:
            return count
    return len(texts)
