"""The agents and places that a piece of news names."""

from collections.abc import Iterable

from apps.llm.hashing_embedding import content_stems


def agents_named(news: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the full names of agents whose first word the news has."""
    words = content_stems(news)
    return tuple(name for name in names if key_words(name) <= words)


def key_words(name: str) -> frozenset[str]:
    """Return the words by which an agent is named: those of its first name."""
    return content_stems(name.partition(" ")[0]) or content_stems(name)


def places_named(news: str, places: Iterable[str]) -> tuple[str, ...]:
    """Return those of the names of places of which the news has all words."""
    words = content_stems(news)
    return tuple(place for place in places if frozenset() != content_stems(place) <= words)
