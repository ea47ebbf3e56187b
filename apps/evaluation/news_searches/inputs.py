"""The typed input of the verification of news."""

from dataclasses import dataclass
from datetime import datetime

from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsInput:
    """A piece of news, and the memories of an agent that are nearest to it in meaning.

    `news` is a sentence of a user. `names` are the full names of the agents, and `places` the
    names of the nodes of the world, that it names. `memories` are best first.
    """

    agent_name: str
    now: datetime
    news: str
    names: tuple[str, ...]
    places: tuple[str, ...]
    memories: tuple[MemoryItem, ...]
