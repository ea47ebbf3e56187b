"""Spoken words of agents: their bounds, and the check of an answer that holds some."""

from apps.kernel.language import phrase
from apps.llm.answers.checks import require_text
from apps.llm.cleaning import in_one_line

UTTERANCE_CHARACTERS_MAX = 600
UTTERANCE_WORDS_MAX = 80


def require_spoken(text: str, *, field: str, agent_name: str) -> None:
    """Check that the text can be said: not blank, without the speaker, and not too long.

    :raises ValueError: if it cannot; the message says what to give.
    """
    require_text(text, field=field, meaning=phrase("the words that are spoken"))
    words = in_one_line(text)
    if words.casefold().startswith(f"{agent_name.casefold()}:"):
        raise ValueError(
            phrase(
                "the {field} begins with the speaker: give the spoken words alone", field=field
            )
        )
    count = len(words.split())
    if count > UTTERANCE_WORDS_MAX:
        raise ValueError(
            phrase(
                "the {field} has {count} words: give {most} words at most",
                field=field,
                count=count,
                most=UTTERANCE_WORDS_MAX,
            )
        )
