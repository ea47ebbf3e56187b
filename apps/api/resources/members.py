"""The members of a simulation and their roles."""

from http import HTTPStatus
from typing import Annotated, Any, ClassVar

from django.db import transaction
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import membership
from apps.access.membership import (
    AlreadyMember,
    FounderStays,
    MemberUnknown,
    TooManyMembers,
    UnknownUser,
)
from apps.access.models import MembershipRow
from apps.access.rights import Right, Role
from apps.api.http.fields import Choice, Serializer, TextOrNull, address_of
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView, Errors, operation
from apps.kernel.request_models import RequestModel
from apps.simulation.locks import lock_simulation_row

USERNAME_CHARACTERS_MAX = 150


class Member(Serializer):
    """A member: a user with a role in a simulation."""

    username = serializers.CharField()
    role = Choice(choices=Role)
    founder = serializers.BooleanField(
        source="is_creator", help_text="The creator, who stays an owner."
    )
    given_by = TextOrNull(allow_null=True, help_text="Null for the creator.")
    recorded_at = serializers.DateTimeField(
        source="given_at", help_text="The time of this role's grant, by the service's clock."
    )


class GivenRole(RequestModel):
    """A role."""

    role: Annotated[Role, Field(strict=False)]
    """A guest may read everything; a collaborator may also command; an owner also decides about
    members, budget and end."""


class NewMember(GivenRole):
    """A user, and the role to grant."""

    username: Annotated[str, Field(max_length=USERNAME_CHARACTERS_MAX)]
    """A user who can log in."""


class MembersView(SimulationView):
    """A view of members; owners change them."""

    rights: ClassVar = {"POST": Right.OWN, "PATCH": Right.OWN, "DELETE": Right.OWN}

    @property
    def by(self) -> str:
        """The user who changes roles."""
        return self.user.get_username()

    @property
    def creator(self) -> str | None:
        """The creator's username; None for a simulation of no user."""
        owner = self.context.row.owner
        return None if owner is None else owner.get_username()

    def require_other_than_creator(self, username: str) -> None:
        """Check that a username is not the creator's, who stays an owner.

        :raises FounderStays: if it is.
        """
        if username == self.creator:
            raise FounderStays(f"{username!r} created this simulation and stays its owner")


class Members(ListView, MembersView):
    """The members of a simulation."""

    query = list_parameters("username", "username")

    @operation("listMembers", "/members", "access", page_of_items(Member))
    def get(self, request: Request, **_names: str) -> Any:
        """List the members of a simulation, its creator included, by name."""
        row = self.context.row
        members = membership.list_members(row.pk)
        if row.owner is not None:
            creator = MembershipRow(user=row.owner, role=Role.OWNER, given_at=row.created_at)
            members.append(creator)
        return self.page_of(members, Member, "username", username=("username",))

    @operation(
        "addMember",
        "/members",
        "access",
        {201: Member},
        request=NewMember,
        errors=(AlreadyMember, FounderStays, TooManyMembers, UnknownUser),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Give a user a role in a simulation; for its owners."""
        requested, simulation_id = self.body(NewMember), self.context.id
        username = requested.username
        self.require_other_than_creator(username)
        with transaction.atomic():
            lock_simulation_row(simulation_id)  # the simulation must not be deleted meanwhile
            member = membership.add_member(simulation_id, username, requested.role, by=self.by)
        address = address_of(
            request, "changeMember", simulation=simulation_id, username=username
        )
        return Response(
            self.represent(Member, member),
            status=HTTPStatus.CREATED,
            headers={"Location": address},
        )


class OneMember(MembersView):
    """A member of a simulation."""

    errors: ClassVar[Errors] = (MemberUnknown, FounderStays)
    rights: ClassVar = {"PATCH": Right.OWN, "DELETE": Right.READ}

    @operation(
        "changeMember",
        "/members/{username}",
        "access",
        Member,
        request=GivenRole,
    )
    def patch(self, request: Request, *, username: str, **_names: str) -> Response:
        """Give a member another role; for owners."""
        role = self.body(GivenRole).role
        self.require_other_than_creator(username)
        member = membership.change_role(self.context.id, username, role, by=self.by)
        return Response(self.represent(Member, member))

    @operation("removeMember", "/members/{username}", "access", {204: None})
    def delete(self, request: Request, *, username: str, **_names: str) -> Response:
        """Remove a member; for owners, and for members to leave."""
        if username == self.by:
            ApiView.require_right(self, Right.COMMAND)  # of the token, not of the role
        else:
            self.require_right(Right.OWN)
        self.require_other_than_creator(username)
        membership.remove_member(self.context.id, username)
        return Response(status=HTTPStatus.NO_CONTENT)
