"""What is wrong with a world's files: each problem names file, element and mend (W8)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from apps.kernel.errors import DomainError


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong in one file, and how it is mended."""

    file: str
    element: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.file}: {self.element}: {self.what}; {self.mend}"


class WorldBroken(DomainError):
    """A world cannot be loaded; all its problems are told at once."""

    code: ClassVar[str] = "world-broken"

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
    """Gathers the problems of one file while it is read."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, element: str, what: str, *, mend: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(file=self.file, element=element, what=what, mend=mend))
