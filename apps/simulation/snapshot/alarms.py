"""Which states of objects are dangers that wake a sleeper and break off a talk (design 5)."""

import re

# Whole words, in the languages' common ways of saying that something burns or floods.
_ALARMING = re.compile(
    r"\b(?:burn(?:s|ing)|on fire|in flames|ablaze|flood(?:s|ed|ing)|explod(?:es|ed|ing)|"
    r"(?:leak\w*|smell\w*|filled|full) (?:of |with )?(?:gas|smoke)|gas leak)\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\bburning (?:a |the |its |some |brightly|low|incense|candles?)", re.IGNORECASE
)


def is_alarming(state: str) -> bool:
    """Say whether an object in this state is a danger: fire, flood, gas."""
    return bool(_ALARMING.search(state)) and not _HARMLESS.search(state)
