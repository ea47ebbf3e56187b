"""The words of English texts, their stems, common words, and the phrases of descriptions."""

import re

STEM_LENGTH_MIN = 4

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s$")
_ENDINGS = ("ing", "ed", "es", "s")
_COMMON = """
a about after all also am an and any are as at be been before being but by can could did
do does for from had has have having he her here hers him his how i if in into is it its
just me more most my no nor not of off on once only or other our out over own she should
so some such than that the their them then there these they this those through to too
under until up very was we were what when where which while who whom why will with would
you your
"""
STOP_WORDS = frozenset(_COMMON.split())


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of an English text without the most common words."""
    return frozenset(stem_of(word) for word in words_of(text) if word not in STOP_WORDS)


def words_of(text: str) -> list[str]:
    """Return the words of the text in lower case, possessives with their ending."""
    return _WORD.findall(text.casefold())


def stem_of(word: str) -> str:
    """Return the word without a possessive and one ending; of a stem at least four letters."""
    word = _POSSESSIVE.sub("", word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM_LENGTH_MIN:
            return word.removesuffix(ending)
    return word


def seed_phrases(description: str) -> tuple[str, ...]:
    """Return the phrases between the semicolons, without empty ones (U5)."""
    phrases = (" ".join(phrase.split()) for phrase in description.split(";"))
    return tuple(phrase for phrase in phrases if phrase)
