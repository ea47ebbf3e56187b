"""The conditions of interviews: the ablations of the evaluation (E2).

A condition filters retrieved memories; the simulation is the same. Seed memories are
observations: without observations only name, age, traits and habits remain.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from apps.kernel.errors import SmallvilleError
from apps.kernel.request_models import fault
from apps.memory.events import MemoryKind

KINDS_JOINT = "+"


class UnknownCondition(SmallvilleError):
    """There is no such condition of interviews."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition of an interview: its name, and the kinds of memory to retrieve."""

    name: str
    kinds: frozenset[MemoryKind]

    @property
    def is_full(self) -> bool:
        """Whether nothing is left out."""
        return self.kinds == frozenset(MemoryKind)

    @property
    def plans(self) -> bool:
        """Whether the input has the plan of the day."""
        return MemoryKind.PLAN in self.kinds

    @property
    def observes(self) -> bool:
        """Whether the input has the status, the time spent and earlier interviews."""
        return MemoryKind.OBSERVATION in self.kinds


_PERCEIVED = frozenset({MemoryKind.OBSERVATION, MemoryKind.DIALOGUE})
FULL = Condition("full", frozenset(MemoryKind))
NO_REFLECTION = Condition("no-reflection", _PERCEIVED | {MemoryKind.PLAN})
NO_REFLECTION_NO_PLANNING = Condition("no-reflection-no-planning", _PERCEIVED)
NO_OBSERVATION = Condition("no-observation-no-reflection-no-planning", frozenset())
# Those of the paper; each excludes more kinds of memory than the one before.
CONDITIONS: Mapping[str, Condition] = {
    one.name: one for one in (FULL, NO_REFLECTION, NO_REFLECTION_NO_PLANNING, NO_OBSERVATION)
}


def condition_named(name: str) -> Condition:
    """Return the condition: one of the paper's, or kinds of memory such as "plan+reflection".

    Its name has the kinds in the order of `MemoryKind`, each once; a set of kinds that a
    condition of the paper has is that condition.

    :raises UnknownCondition: if the name is neither.
    """
    if name in CONDITIONS:
        return CONDITIONS[name]
    given = name.split(KINDS_JOINT)
    if not {*given} <= {*map(str, MemoryKind)}:
        raise UnknownCondition(
            f"there is no condition {name[:80]!r}: give {', '.join(CONDITIONS)}, or kinds of "
            f"memory with {KINDS_JOINT!r} between them ({', '.join(MemoryKind)})"
        )
    kinds = frozenset(map(MemoryKind, given))
    same = (one for one in CONDITIONS.values() if one.kinds == kinds)
    ordered = KINDS_JOINT.join(kind for kind in MemoryKind if kind in kinds)
    return next(same, Condition(ordered, kinds))


def _named(value: object) -> Condition:
    if not isinstance(value, str):
        raise fault("must be the name of a condition")
    try:
        return condition_named(value)
    except UnknownCondition as error:
        raise fault(error.message, error.code) from None


ChosenCondition = Annotated[
    Condition,
    PlainValidator(_named),
    PlainSerializer(lambda condition: condition.name),
    WithJsonSchema({"type": "string"}),
]
"""The kinds of memory that an answer may rest on: `full`, `no-reflection`,
`no-reflection-no-planning`, `no-observation-no-reflection-no-planning`, or kinds with `+`
between them, as `observation+dialogue`."""
