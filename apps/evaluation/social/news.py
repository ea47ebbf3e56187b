"""A piece of news: which memories hold it, by its words or by a search that found them (E4)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.history import Recorded
from apps.memory.events import MemoryFormed


class KnowledgeVerdict(StrEnum):
    """Whether an agent knows the news.

    HALLUCINATED is a yes of the verifier without a memory that holds the news, and UNVERIFIED
    an agent of which the model gave no valid answer. Neither counts as knowing.
    """

    KNOWS = "knows"
    UNAWARE = "unaware"
    HALLUCINATED = "hallucinated"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsEvidence:
    """What a verifier has read and answered of an agent.

    `held` and `considered` are memories as JSON values, as `NewsFindingRow` has them.
    """

    is_believed: bool = False
    """Whether the verifier says that the agent knows it, with or without a memory."""
    held: Sequence[Mapping[str, Any]] = ()
    considered: Sequence[Mapping[str, Any]] = ()
    model_calls: Sequence[str] = ()
    """The questions asked, under …/model-calls."""
    parse_error: str = ""

    def verdict(self, *, has_memory: bool) -> KnowledgeVerdict:
        """Return the verdict on the agent, which has a memory of the news or not."""
        if has_memory:
            return KnowledgeVerdict.KNOWS
        if self.parse_error:
            return KnowledgeVerdict.UNVERIFIED
        # Memories that hold the news were formed after the moment of this verdict.
        believed = self.is_believed and not self.held
        return KnowledgeVerdict.HALLUCINATED if believed else KnowledgeVerdict.UNAWARE


NO_EVIDENCE = NewsEvidence()


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A piece of news whose way through a history can be followed.

    `is_held_by` says whether the memory of an event `MemoryFormed` holds it. `searched` has the
    evidence of the agents whose memories it knows of, by slug; None stands for all agents.
    """

    name: str
    is_held_by: Callable[[Recorded], bool]
    searched: Mapping[str, NewsEvidence] | None = None

    @property
    def unverified(self) -> frozenset[str]:
        """The agents of which a model gave no valid answer.

        They may know it without a memory that was found, or have known it earlier.
        """
        found = self.searched or {}
        return frozenset(agent for agent, one in found.items() if one.parse_error)

    def is_known_of(self, agent: str) -> bool:
        """Return whether it is known which memories of an agent hold the news."""
        return self.searched is None or agent in self.searched


def description_of(memory: Recorded) -> str:
    """Return the description of a memory, an event `MemoryFormed`."""
    assert isinstance(memory.event, MemoryFormed)
    return memory.event.description


def news_told_by(name: str, tells: Callable[[str], bool]) -> News:
    """Return the news that is held by each memory whose description tells it."""
    return News(name=name, is_held_by=lambda memory: tells(description_of(memory)))


def news_of(
    topic: Sequence[str], about: Sequence[str] = (), asks: Sequence[str] = (), name: str = ""
) -> News:
    """Return the news of plain words: a text has one of `topic` and one of `about`.

    The case of the words does not matter. `asks` are phrases that only ask about it.
    """
    spoken, told = _either(topic), _either(about or topic)
    asked = _either(asks) if asks else None

    def tells(text: str) -> bool:
        said = text if asked is None else asked.sub("", text)
        return bool(spoken.search(said) and told.search(said))

    return news_told_by(name or " ".join((*topic[:1], *about[:1])), tells)


def _either(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
