"""Whether a user's words name a danger, for users who do not say so (design 5).

The words are read once, where the event is made; the event keeps the answer.
"""

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


def is_alarming(text: str, stated: bool | None = None) -> bool:
    """Return whether there is a danger: as stated, else if the text names fire or flood."""
    if stated is not None:
        return stated
    return bool(_ALARMING.search(text)) and not _HARMLESS.search(text)
