"""Roles in a simulation, and the right of each."""

from enum import IntEnum, StrEnum

from apps.kernel.errors import DomainError


class Role(StrEnum):
    """The role of a user in a simulation."""

    OWNER = "owner"
    COLLABORATOR = "collaborator"
    GUEST = "guest"


class Right(IntEnum):
    """The right that a request requires; a greater one includes the smaller ones."""

    READ = 1
    """Read everything."""
    COMMAND = 2
    """Change the simulation: run it, pause it, add agents, set states."""
    OWN = 3
    """Decide about the simulation itself: its members, its budget, its end."""


_RIGHT_OF = {Role.GUEST: Right.READ, Role.COLLABORATOR: Right.COMMAND, Role.OWNER: Right.OWN}
_NEEDED = {
    Right.READ: "a guest",
    Right.COMMAND: "a collaborator or an owner",
    Right.OWN: "an owner",
}


class NotAllowed(DomainError):
    """You may not do this."""


def allows(role: Role, right: Right) -> bool:
    """Return whether the role has the right."""
    return _RIGHT_OF[role] >= right


def require_right_of_role(role: Role, right: Right) -> None:
    """Check that the role has the right.

    :raises NotAllowed: if it does not; the message names the role that has it.
    """
    if not allows(role, right):
        raise NotAllowed(
            f"you are a {role} of this simulation, and this needs {_NEEDED[right]}; "
            "one of its owners can give you that role"
        )
