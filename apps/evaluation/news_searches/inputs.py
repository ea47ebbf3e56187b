"""The typed input of the verification of news."""

from dataclasses import dataclass
from datetime import datetime

from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsInput:
    """A piece of news, and the memories of an agent that are nearest to it in meaning.

    `news` is a sentence of a user. It names the agents `names`, by their full names, and
    the places `places`, by the names of the nodes of the world. `memories` are best first.
    """

    agent_name: str
    now: datetime
    news: str
    names: tuple[str, ...]
    places: tuple[str, ...]
    memories: tuple[MemoryItem, ...]
