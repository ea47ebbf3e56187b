"""The words of an answer that an agent speaks: how long they may be, and who is not in them."""

import re
from collections.abc import Iterable

from apps.kernel.language import phrase
from apps.llm.answers.checks import require_text
from apps.llm.answers.differences import Difference
from apps.llm.cleaning import in_one_line

UTTERANCE_CHARACTERS_MAX = 600
UTTERANCE_WORDS_MAX = 80
SPEAKER = "the name of a participant before the words"


def without_speaker(text: str, names: Iterable[str]) -> str:
    """Return the words without the full name and the colon that lines of a prompt begin with.

    Small models go on in the form of the conversation in their prompt: "Mei Lin: Good morning".
    """
    named = "|".join(map(re.escape, names))
    return re.sub(rf"\A(?:[\s*]*(?:{named})[\s*]*:[\s*]*)+", "", text, flags=re.IGNORECASE)


def speaker_left_out(field: str, answered: str, used: str) -> tuple[Difference, ...]:
    """Return the difference of words that are used without the name before them."""
    if answered == used:
        return ()
    return (Difference(field=field, answered=answered, used=used, reason=SPEAKER),)


def require_spoken(text: str, *, field: str) -> None:
    """Check that the text can be said: not blank, and not too long.

    :raises ValueError: if it cannot; the message says what to give.
    """
    require_text(text, field=field, meaning=phrase("the words that are spoken"))
    count = len(in_one_line(text).split())
    if count > UTTERANCE_WORDS_MAX:
        raise ValueError(
            phrase(
                "the {field} has {count} words: give {most} words at most",
                field=field,
                count=count,
                most=UTTERANCE_WORDS_MAX,
            )
        )
