"""The members of a simulation besides its creator: listed, added, changed, removed."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.access.models import MembershipRow
from apps.access.rights import Role
from apps.kernel.errors import Conflict, DomainError, NotFound

MEMBERS_MAX = 1_000


class MemberUnknown(NotFound):
    """The simulation has no such member."""


class UnknownUser(DomainError):
    """There is no user of that name."""


class AlreadyMember(Conflict):
    """The user has a role in this simulation already."""


class FounderStays(Conflict):
    """The creator of a simulation stays its owner."""


class TooManyMembers(Conflict):
    """The simulation has as many members as it can have."""


def roles_of(user: User, simulation_ids: Iterable[UUID]) -> dict[UUID, Role]:
    """Return the roles of a user in these simulations, without those of creators."""
    rows = MembershipRow.objects.filter(user=user, simulation_id__in=list(simulation_ids))
    return {one: Role(role) for one, role in rows.values_list("simulation_id", "role")}


def shared_simulations(user: User) -> QuerySet[Any]:
    """Return the ids of the simulations that a user is a member of, as a subquery."""
    return MembershipRow.objects.filter(user=user).values("simulation_id")


def list_members(simulation_id: UUID) -> list[MembershipRow]:
    """Return the members of a simulation with their users, in the order of their names."""
    rows = MembershipRow.objects.filter(simulation_id=simulation_id)
    return list(rows.select_related("user").order_by("user__username"))


def get_member(simulation_id: UUID, username: str) -> MembershipRow:
    """Return a member.

    :raises MemberUnknown: if there is none of that name.
    """
    rows = MembershipRow.objects.filter(simulation_id=simulation_id, user__username=username)
    # The database rejects a text with a NUL.
    row = None if "\x00" in username else rows.select_related("user").first()
    if row is None:
        raise MemberUnknown(
            f"{username[:150]!r} is no member of this simulation; GET …/members lists them"
        )
    return row


def add_member(simulation_id: UUID, username: str, role: Role, *, by: str) -> MembershipRow:
    """Give a user a role in a simulation.

    :raises UnknownUser: if there is no active user of that name.
    :raises AlreadyMember: if the user has a role.
    :raises TooManyMembers: if there are MEMBERS_MAX.
    """
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise UnknownUser(f"there is no user {username!r}; an administrator can create one")
    if MembershipRow.objects.filter(simulation_id=simulation_id).count() >= MEMBERS_MAX:
        raise TooManyMembers(f"a simulation has at most {MEMBERS_MAX} members; remove some")
    try:
        with transaction.atomic():
            return MembershipRow.objects.create(
                simulation_id=simulation_id, user=user, role=role, given_by=by
            )
    except IntegrityError:
        raise AlreadyMember(
            f"{username!r} is a member already; PATCH …/members/{username} changes the role"
        ) from None


def change_role(simulation_id: UUID, username: str, role: Role, *, by: str) -> MembershipRow:
    """Give a member another role.

    :raises MemberUnknown: if there is none of that name.
    """
    row = get_member(simulation_id, username)
    row.role, row.given_by = role, by
    row.save(update_fields=["role", "given_by", "given_at"])
    return row


def remove_member(simulation_id: UUID, username: str) -> None:
    """Remove a member.

    :raises MemberUnknown: if there is none of that name.
    """
    get_member(simulation_id, username).delete()


def forget_members(simulation_id: UUID) -> None:
    """Remove all members, since the simulation is being deleted."""
    MembershipRow.objects.filter(simulation_id=simulation_id).delete()
