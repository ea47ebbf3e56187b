"""What both chains of a reflection are given: memories as statements."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from apps.llm.prompt_values import Data, data_list
from apps.memory.events import MemoryKind


class Remembered(Protocol):
    """A memory, as rows and rankings have it."""

    @property
    def kind(self) -> str:
        """What sort of thing it is."""
        ...

    @property
    def description(self) -> str:
        """What is remembered."""
        ...

    @property
    def importance(self) -> int:
        """How much it matters, from 1 to 10."""
        ...

    @property
    def subject(self) -> str:
        """The slug or path of what it is about, "" for neither."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A memory as it goes into a prompt, with what is known of it besides its words."""

    description: str
    importance: int
    kind: MemoryKind = MemoryKind.OBSERVATION
    subject: str = ""


def statements_of(memories: Iterable[Remembered]) -> tuple[Statement, ...]:
    """Return the memories as statements, in their order."""
    return tuple(
        Statement(
            description=memory.description,
            importance=memory.importance,
            kind=MemoryKind(memory.kind),
            subject=memory.subject,
        )
        for memory in memories
    )


def listed(statements: Iterable[Statement]) -> Data:
    """Return the statements as data, numbered from 1 (L7)."""
    return data_list(statement.description for statement in statements)
