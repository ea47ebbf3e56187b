"""A piece of news: which memories hold it, by its words or by a search that found them (E4)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.history import Recorded
from apps.memory.events import MemoryFormed


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A piece of news whose way through a history can be followed.

    `is_held_by` says whether the memory of an event `MemoryFormed` holds it. `searched` are the
    agents whose memories it knows of, by slug; None stands for all. `unverified` are agents
    that may know the news without a memory that was found, or have known it earlier: a model
    gave no valid answer of theirs.
    """

    name: str
    is_held_by: Callable[[Recorded], bool]
    searched: frozenset[str] | None = None
    unverified: frozenset[str] = frozenset()

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
