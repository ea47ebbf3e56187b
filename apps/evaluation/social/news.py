"""Pieces of news, given as words or by the memories that were found to hold them (E4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.dialogue.events import Said
from apps.history import MemoryOrigin, Recorded
from apps.llm.hashing_embedding import content_stems
from apps.memory.events import MemoryFormed

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


class FollowedNews(Protocol):
    """A piece of news whose way through a history can be followed."""

    @property
    def name(self) -> str:
        """The name of the news, for people."""
        ...

    def is_held_by(self, memory: Recorded) -> bool:
        """Return whether the memory of a `MemoryFormed` contains the news."""
        ...

    def is_in_record(self, text: str) -> bool:
        """Return whether a record in a prompt can contain it, by its text."""
        ...

    def tellings(self, heard: Sequence[Recorded], memory: Recorded) -> Sequence[Recorded]:
        """Return the utterances that can have told it to the holder of a memory.

        `heard` are in order of time; the likeliest is first.
        """
        ...

    def begins_with(self, agent: str, first: Recorded) -> bool:
        """Return whether it began with an agent, whose first memory of it is given."""
        ...

    def is_known_of(self, agent: str) -> bool:
        """Return whether it is known which memories of an agent contain the news."""
        ...


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

    def is_held_by(self, memory: Recorded) -> bool:
        """Return whether the description of the memory contains the news."""
        return self.is_in(description_of(memory))

    def is_in_record(self, text: str) -> bool:
        """Return whether the text of a record contains the news."""
        return self.is_in(text)

    def tellings(
        self,
        heard: Sequence[Recorded],
        memory: Recorded,  # noqa: ARG002 (the words of the news decide)
    ) -> Sequence[Recorded]:
        """Return the first utterance about the news; later ones told the hearer nothing new."""
        return [said for said in heard if self.is_topic_of(_words_of(said))][:1]

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
        return is_given(first)

    def is_known_of(self, agent: str) -> bool:  # noqa: ARG002
        """Return True: the words decide for all agents."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedNews:
    """A piece of news by the memories that hold it, as pairs of an agent and a description.

    `searched` are the agents in whose memories it was searched, by slug. `others` are memories
    that were read and do not hold it, as pairs of an agent and a number: some have the words of
    one that does, and tell another thing.
    No words decide: the utterance that told it is one whose speaker had such a memory in mind.
    """

    name: str
    memories: frozenset[tuple[str, str]]
    searched: frozenset[str]
    others: frozenset[tuple[str, int]] = frozenset()

    def is_held_by(self, memory: Recorded) -> bool:
        """Return whether the memory is one of those, or one in the same words."""
        event = memory.event
        assert isinstance(event, MemoryFormed)
        if (memory.stream, event.number) in self.others:
            return False
        return (memory.stream, event.description) in self.memories

    def is_in_record(self, text: str) -> bool:  # noqa: ARG002 (its evidence decides)
        """Return True: a record contains it if its evidence does."""
        return True

    def tellings(self, heard: Sequence[Recorded], memory: Recorded) -> Sequence[Recorded]:
        """Return all utterances, first the one with most words of the memory."""
        held = content_stems(description_of(memory))

        def shared(said: Recorded) -> int:
            return len(held & content_stems(_words_of(said)))

        return sorted(heard, key=shared, reverse=True)

    def begins_with(self, agent: str, first: Recorded) -> bool:  # noqa: ARG002
        """Return whether the agent knows it from its description or from a user."""
        return is_given(first)

    def is_known_of(self, agent: str) -> bool:
        """Return whether the memories of the agent were searched."""
        return agent in self.searched


def description_of(memory: Recorded) -> str:
    """Return the description of a memory, an event `MemoryFormed`."""
    assert isinstance(memory.event, MemoryFormed)
    return memory.event.description


def is_given(first: Recorded) -> bool:
    """Return whether no agent has told a memory: it is of a description or of a user."""
    return getattr(first.event, "origin", None) in _GIVEN


def _words_of(said: Recorded) -> str:
    assert isinstance(said.event, Said)
    return said.event.text


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
