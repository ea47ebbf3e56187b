"""Pieces of news, given as words (E4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.eventlog.event import Recorded
from apps.memory.events import MemoryOrigin

# The origins of memories that no agent has told.
_GIVEN = frozenset(
    {
        MemoryOrigin.DESCRIPTION,
        MemoryOrigin.INNER_VOICE,
        MemoryOrigin.DECIDED,
        MemoryOrigin.TOLD_OBSERVATION,
        MemoryOrigin.INTERVIEW,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A piece of news: the words by which a sentence is about it, and where it began.

    `topic` alone is in spoken words, where "I" and "my" may stand for names. `asks` are words
    that only ask about it: they tell nothing to any hearer. `origin` is the slug
    of the agent that it began with; "" stands for all that know it from their description or
    from a user.
    """

    name: str
    topic: re.Pattern[str]
    about: re.Pattern[str]
    asks: re.Pattern[str] | None = None
    origin: str = ""

    def is_in(self, text: str) -> bool:
        """Return whether the text contains the news."""
        told = self._without_questions(text)
        return bool(self.topic.search(told) and self.about.search(told))

    def is_topic_of(self, words: str) -> bool:
        """Return whether the utterance can contain the news."""
        return bool(self.topic.search(self._without_questions(words)))

    def _without_questions(self, text: str) -> str:
        return text if self.asks is None else self.asks.sub("", text)

    def begins_with(self, agent: str, first: Recorded) -> bool:
        """Return whether it began with an agent, whose first memory of it is given."""
        if self.origin:
            return agent == self.origin
        return getattr(first.event, "origin", None) in _GIVEN


def news_of(
    topic: Sequence[str], about: Sequence[str] = (), asks: Sequence[str] = (), name: str = ""
) -> News:
    """Return the news of plain words: a text has one of `topic` and one of `about`.

    The case of the words does not matter. `asks` are phrases that only ask about it.
    """
    return News(
        name=name or " ".join((*topic[:1], *about[:1])),
        topic=_either(topic),
        about=_either(about or topic),
        asks=_either(asks) if asks else None,
    )


def _either(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
