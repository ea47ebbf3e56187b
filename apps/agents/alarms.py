"""Detection of dangers in texts of users who do not mark them.

It runs where the event is created; the event stores the result.
"""

import re

# Whole words of common phrases for fire and flood, in each language.
_ALARMING = re.compile(
    r"\b(?:burn(?:s|ing)|on fire|in flames|ablaze|flood(?:s|ed|ing)|explod(?:es|ed|ing)|"
    r"(?:leak\w*|smell\w*|filled|full) (?:of |with )?(?:gas|smoke)|gas leak|"
    r"brenn(?:t|en|end\w*)|in flammen|feuer gefangen|überflutet|unter wasser|explodier(?:t|en)|"
    r"(?:riecht|riechen|stinkt|voller) (?:nach )?(?:gas|rauch)|gasleck)\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\bburning (?:a |the |its |some |brightly|low|incense|candles?)|"
    r"\bbrennende\w* (?:kerze|lampe|laterne)|(?:kerzen?|lampen?|laternen?|licht) brenn",
    re.IGNORECASE,
)


def is_alarming(text: str, stated: bool | None = None) -> bool:
    """Return `stated`, or if it is None whether the text names fire or flood."""
    if stated is not None:
        return stated
    return bool(_ALARMING.search(text)) and not _HARMLESS.search(text)
