"""Problems of a world's files: each has file, element and hint (W8)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.kernel.errors import DomainError, NotFound
from apps.kernel.names import either


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem in one file, with a hint."""

    file: str
    element: str
    what: str
    hint: str

    def __str__(self) -> str:
        return f"{self.file}: {self.element}: {self.what}; {self.hint}"


class WorldBroken(DomainError):
    """A world cannot be loaded; the message has all its problems."""

    def __init__(self, world: str, problems: Sequence[Problem]) -> None:
        self.world = world
        self.problems = tuple(problems)
        count = "one problem" if len(problems) == 1 else f"{len(problems)} problems"
        lines = "\n".join(str(problem) for problem in problems)
        super().__init__(f"the world {world!r} has {count}:\n{lines}")

    def __reduce__(self) -> tuple[type["WorldBroken"], tuple[str, tuple[Problem, ...]]]:
        return (WorldBroken, (self.world, self.problems))


@dataclass(slots=True)
class Findings:
    """Collects the problems of one file."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, element: str, what: str, *, hint: str) -> None:
        """Report a problem."""
        self.problems.append(Problem(file=self.file, element=element, what=what, hint=hint))


class UnknownPlace(NotFound):
    """No place, area or object has that name."""

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

    def __init__(self, words: str, candidates: Sequence[str]) -> None:
        self.candidates = tuple(candidates)
        super().__init__(
            f"{words!r} could mean {either(self.candidates)}; say more of the path"
        )


class AgentNotInWorld(NotFound):
    """The world has no person of that name."""

    def __init__(self, message: str, near: Sequence[str] = ()) -> None:
        self.near = tuple(near)
        super().__init__(message)


class UnknownWorld(NotFound):
    """There is no world of that name."""


class Unreachable(DomainError):
    """There is no walkable path."""
