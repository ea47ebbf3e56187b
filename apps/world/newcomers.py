"""Somebody who is to join a town that is there already, described as in people.yaml (U5)."""

from collections.abc import Mapping
from typing import ClassVar

from apps.kernel.errors import DomainError
from apps.kernel.names import NAME_CHARACTERS_MAX, NAME_RULE, name_fault, slug_of
from apps.world.casting import RESERVED_SLUGS, cast
from apps.world.people import Person
from apps.world.problems import Findings
from apps.world.shapes import people_shape
from apps.world.tree import WorldTree


class NewcomerUnfit(DomainError):
    """The person cannot live in this town as they are described."""

    code: ClassVar[str] = "newcomer-unfit"


def visitors_slug(name: str) -> str:
    """Return the slug of somebody who is to visit a town under the name.

    :raises NewcomerUnfit: if nobody can be called so.
    """
    slug = slug_of(name)
    fault = name_fault(name)
    if fault is None and slug in RESERVED_SLUGS:
        fault = "is a reserved name"
    if fault is not None:
        raise NewcomerUnfit(f"{name[:NAME_CHARACTERS_MAX]!r} {fault}; {NAME_RULE}")
    return slug


def newcomer(name: str, facts: Mapping[str, object], tree: WorldTree) -> Person:
    """Return the person; `facts` are those of an entry in people.yaml.

    :raises NewcomerUnfit: naming everything that does not fit, each with its mend.
    """
    findings = Findings("the person")
    shape = people_shape({name: dict(facts)}, findings)
    people = () if shape is None else cast(shape, tree, findings)
    if findings.problems or not people:
        told = "; ".join(f"{one.element}: {one.what}; {one.mend}" for one in findings.problems)
        raise NewcomerUnfit(told)
    return people[0]
