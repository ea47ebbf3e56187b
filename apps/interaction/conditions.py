"""The conditions of interviews: the ablations of the evaluation (E2).

A condition filters retrieved memories; the simulation is the same. Seed memories are
observations: without observations only name, age, traits and habits remain.
"""

from enum import StrEnum

from apps.memory.events import MemoryKind


class Condition(StrEnum):
    """The condition of an interview; each excludes more kinds of memory than the one before."""

    FULL = "full"
    NO_REFLECTION = "no-reflection"
    NO_REFLECTION_NO_PLANNING = "no-reflection-no-planning"
    NO_OBSERVATION = "no-observation-no-reflection-no-planning"

    @property
    def kinds(self) -> frozenset[MemoryKind]:
        """The kinds of memory to retrieve."""
        return _KINDS[self]

    @property
    def plans(self) -> bool:
        """Whether the input has the plan of the day."""
        return MemoryKind.PLAN in self.kinds

    @property
    def observes(self) -> bool:
        """Whether the input has the status, the time spent and earlier interviews."""
        return MemoryKind.OBSERVATION in self.kinds


_PERCEIVED = frozenset({MemoryKind.OBSERVATION, MemoryKind.DIALOGUE})
_KINDS = {
    Condition.FULL: frozenset(MemoryKind),
    Condition.NO_REFLECTION: _PERCEIVED | {MemoryKind.PLAN},
    Condition.NO_REFLECTION_NO_PLANNING: _PERCEIVED,
    Condition.NO_OBSERVATION: frozenset[MemoryKind](),
}
