"""Counting tokens, and how many texts fit into a budget of them (M5).

A token is estimated as four characters, rounded up: the usual rule for English. One rule holds
for all models (ADR 9), because the count changes the history of a simulation and must depend
neither on a download nor on a server. It is a little high for plain prose, and low for scripts
without spaces.
"""

from collections.abc import Sequence

CHARACTERS_PER_TOKEN = 4


def count_tokens(text: str) -> int:
    """Return how many tokens the text has, roughly."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def count_fitting(texts: Sequence[str], tokens_max: int) -> int:
    """Return how many of the first texts fit together; the first that does not ends it."""
    used = 0
    for count, text in enumerate(texts):
        used += count_tokens(text)
        if used > tokens_max:
            return count
    return len(texts)
