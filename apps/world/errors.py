"""Errors of the world: names that are unknown or ambiguous."""

from collections.abc import Sequence
from typing import ClassVar

from apps.kernel.errors import DomainError, NotFound
from apps.kernel.names import either


class UnknownPlace(NotFound):
    """No place, area or object has that name."""

    code: ClassVar[str] = "unknown-place"

    def __init__(self, words: str, near: Sequence[str] = ()) -> None:
        self.near = tuple(near)
        hint = (
            f"did you mean {either(self.near)}?"
            if near
            else "name it as the world's tree does: 'place: area: object'"
        )
        super().__init__(f"nothing in this world is called {words!r}; {hint}")


class AmbiguousPlace(DomainError):
    """The name can mean more than one node."""

    code: ClassVar[str] = "ambiguous-place"

    def __init__(self, words: str, candidates: Sequence[str]) -> None:
        self.candidates = tuple(candidates)
        super().__init__(
            f"{words!r} could mean {either(self.candidates)}; say more of the path"
        )


class AgentNotInWorld(NotFound):
    """The world has no person of that name."""

    code: ClassVar[str] = "agent-not-in-world"

    def __init__(self, message: str, near: Sequence[str] = ()) -> None:
        self.near = tuple(near)
        super().__init__(message)


class UnknownWorld(NotFound):
    """There is no world of that name."""

    code: ClassVar[str] = "unknown-world"


class Unreachable(DomainError):
    """There is no walkable path."""

    code: ClassVar[str] = "unreachable"
