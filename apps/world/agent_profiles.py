"""Checks agents that join an existing simulation, described as in people.yaml (U5)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from apps.kernel.errors import DomainError
from apps.kernel.names import NAME_CHARACTERS_MAX, NAME_RULE, slug_of
from apps.world.capacity import Resident, check_capacity
from apps.world.people import Person
from apps.world.people_loading import agent_name_fault, load_people
from apps.world.problems import Findings
from apps.world.shapes import people_shape, visitor_shape
from apps.world.tree import WorldTree
from apps.world.world import World


class InvalidAgentProfile(DomainError):
    """The description of the agent does not fit this world."""

    code: ClassVar[str] = "newcomer-unfit"


def ensure_visitor_fits(
    name: str, *, age: int, traits: tuple[str, ...], description: str
) -> str:
    """Return the slug of a visitor.

    :raises InvalidAgentProfile: if no agent can have the name or another fact.
    """
    fault = agent_name_fault(name)
    if fault is not None:
        raise InvalidAgentProfile(f"{name[:NAME_CHARACTERS_MAX]!r} {fault}; {NAME_RULE}")
    findings = Findings("the visitor")
    visitor_shape({"age": age, "traits": traits, "description": description}, findings)
    _ensure_none(findings)
    return slug_of(name)


def agent_profile_of(name: str, facts: Mapping[str, object], tree: WorldTree) -> Person:
    """Return the person; `facts` are those of an entry in people.yaml.

    :raises InvalidAgentProfile: with all problems, each with a hint.
    """
    findings = Findings("the person")
    shape = people_shape({name: dict(facts)}, findings)
    agents = () if shape is None else load_people(shape, tree, findings)
    _ensure_none(findings)
    return agents[0]


def ensure_room_for(person: Person, others: Sequence[Resident], world: World) -> None:
    """Check that bed, room and workplace have room for one more agent.

    :raises InvalidAgentProfile: with what is full, and the free beds.
    """
    findings = Findings("the person")
    beds = [person.bed, *(resident.bed for resident in (*world.agents, *others))]
    check_capacity(person, others, world.tree, world.map, beds=beds, findings=findings)
    _ensure_none(findings)


def _ensure_none(findings: Findings) -> None:
    if findings.problems:
        raise InvalidAgentProfile(
            "; ".join(f"{one.element}: {one.what}; {one.hint}" for one in findings.problems)
        )
