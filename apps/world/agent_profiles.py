"""Checks agents that join an existing simulation, described as in people.yaml (U5)."""

from collections.abc import Mapping
from typing import ClassVar

from apps.kernel.errors import DomainError
from apps.kernel.names import NAME_CHARACTERS_MAX, NAME_RULE, slug_of
from apps.world.people import Person
from apps.world.people_loading import agent_name_fault, load_people
from apps.world.problems import Findings
from apps.world.shapes import people_shape
from apps.world.tree import WorldTree


class InvalidAgentProfile(DomainError):
    """The description of the agent does not fit this world."""

    code: ClassVar[str] = "newcomer-unfit"


def visitor_slug(name: str) -> str:
    """Return the slug of a visitor of that name.

    :raises NewcomerUnfit: if no agent can have the name.
    """
    fault = agent_name_fault(name)
    if fault is not None:
        raise InvalidAgentProfile(f"{name[:NAME_CHARACTERS_MAX]!r} {fault}; {NAME_RULE}")
    return slug_of(name)


def agent_profile_of(name: str, facts: Mapping[str, object], tree: WorldTree) -> Person:
    """Return the person; `facts` are those of an entry in people.yaml.

    :raises NewcomerUnfit: with all problems, each with a hint.
    """
    findings = Findings("the person")
    shape = people_shape({name: dict(facts)}, findings)
    people = () if shape is None else load_people(shape, tree, findings)
    if findings.problems or not people:
        raise InvalidAgentProfile(
            "; ".join(f"{one.element}: {one.what}; {one.hint}" for one in findings.problems)
        )
    return people[0]
