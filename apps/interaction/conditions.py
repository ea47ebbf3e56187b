"""Which kinds of memory an interview may draw on: the ablations of the evaluation (E2).

They filter what is retrieved, and simulate nothing again. Seed memories are observations, and
so is what was heard: without observations only name, age, traits and habits are left.
"""

from enum import StrEnum

from apps.memory.events import MemoryKind


class Condition(StrEnum):
    """The kinds of memory that an answer rests on; each leaves out more than the one before."""

    FULL = "full"
    NO_REFLECTION = "no-reflection"
    NO_REFLECTION_NO_PLANNING = "no-reflection-no-planning"
    NO_OBSERVATION = "no-observation-no-reflection-no-planning"

    @property
    def kinds(self) -> frozenset[MemoryKind]:
        """The kinds of memory that may be retrieved."""
        return _KINDS[self]

    @property
    def plans(self) -> bool:
        """Whether the plan of the day is known."""
        return MemoryKind.PLAN in self.kinds

    @property
    def observes(self) -> bool:
        """Whether the agent knows what it is doing and what was said to it."""
        return MemoryKind.OBSERVATION in self.kinds


_PERCEIVED = frozenset({MemoryKind.OBSERVATION, MemoryKind.DIALOGUE})
_KINDS = {
    Condition.FULL: frozenset(MemoryKind),
    Condition.NO_REFLECTION: _PERCEIVED | {MemoryKind.PLAN},
    Condition.NO_REFLECTION_NO_PLANNING: _PERCEIVED,
    Condition.NO_OBSERVATION: frozenset[MemoryKind](),
}
