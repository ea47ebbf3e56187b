"""The members of a simulation and their roles."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar

from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
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
from apps.api.http import listing
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, Renaming, Strict, Text, location_of
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView
from apps.api.resources.simulations.presentation import ROLES
from apps.simulation.locks import lock_simulation_row

USERNAME_CHARACTERS_MAX = 150


class Member(Renaming):
    """A member: a user with a role in a simulation."""

    username = serializers.CharField()
    role = Choice(choices=ROLES)
    founder = serializers.BooleanField(help_text="Who founded it stays its owner.")
    given_by = serializers.CharField(allow_null=True, help_text="Null for the founder.")
    given_at = serializers.DateTimeField(**deprecated_name_of("recorded_at"))
    recorded_at = serializers.DateTimeField(
        help_text="When they got this role, by the service's clock."
    )


class GivenRole(Strict):
    """A role."""

    role = Choice(
        choices=ROLES,
        help_text="A guest may look at everything; a collaborator may command, too; an owner "
        "decides about members, budget and end as well.",
    )


class NewMember(GivenRole):
    """A user, and the role to grant."""

    username = Text(max_length=USERNAME_CHARACTERS_MAX, help_text="Of a user who can log in.")


class MembersView(SimulationView):
    """What the addresses of members have in common."""

    rights: ClassVar = {"POST": Right.OWN, "PATCH": Right.OWN, "DELETE": Right.OWN}

    @property
    def by(self) -> str:
        """The user who changes roles."""
        return self.user.get_username()

    def founder(self) -> str | None:
        """Return the creator's username; None for a simulation of no user."""
        owner = self.context.row.owner
        return None if owner is None else owner.get_username()

    def refuse_founder(self, username: str) -> None:
        """Check that a username is not the creator's, who stays an owner.

        :raises FounderStays: if it is.
        """
        if username == self.founder():
            raise membership.FounderStays(
                f"{username!r} founded this simulation and stays its owner"
            )


class MemberFilters(Paged):
    """Which members, in which order."""

    search = listing.search_parameter("username")
    order = listing.order_parameter("username", default="username")


class Members(MembersView):
    """The members of a simulation."""

    errors: ClassVar = {"POST": (AlreadyMember, FounderStays, TooManyMembers, UnknownUser)}
    query = MemberFilters

    @extend_schema(
        operation_id="listMembers",
        summary="The members of a simulation and their roles, its founder included, by name",
        tags=["access"],
        responses={200: page_of_items(Member)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List the members."""
        row, requested = self.context.row, self.parameters
        members = [_shown(member) for member in membership.list_members(row.pk)]
        if (founder := self.founder()) is not None:
            members.append(_founder(founder, row.created_at))
        found = [
            member
            for member in members
            if listing.contains_text(requested.get("search"), member["username"])
        ]
        rest = listing.page_of(
            found,
            lambda member: (member["username"],),
            order=requested["order"],
            after=listing.cursor_keys(self, str),
        )
        page, more = split_page(rest, requested["limit"])
        cursor = listing.next_cursor(self, page[-1]["username"]) if more else None
        return page_response(request, Member(page, many=True).data, next_page=cursor)

    @extend_schema(
        operation_id="addMember",
        summary="Give a user a role in a simulation; for its owners",
        tags=["access"],
        request=NewMember,
        parameters=[location_of("The new member's address.")],
        responses={201: Member},
        examples=[
            OpenApiExample(
                "Let Klaus look", {"username": "klaus", "role": "guest"}, request_only=True
            )
        ],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Give the role."""
        requested, simulation_id = self.body(NewMember), self.context.id
        self.refuse_founder(requested["username"])
        with transaction.atomic():
            lock_simulation_row(simulation_id)  # against a deletion at the same time
            member = membership.add_member(
                simulation_id, requested["username"], Role(requested["role"]), by=self.by
            )
        names = {"simulation": simulation_id, "username": requested["username"]}
        address = request.build_absolute_uri(reverse("member", kwargs=names))
        return Response(
            Member(_shown(member)).data,
            status=HTTPStatus.CREATED,
            headers={"Location": address},
        )


class OneMember(MembersView):
    """A member of a simulation."""

    errors: ClassVar = {"*": (MemberUnknown, FounderStays)}
    rights: ClassVar = {"PATCH": Right.OWN, "DELETE": Right.READ}

    @extend_schema(
        operation_id="changeMember",
        summary="Give a member another role; for owners",
        tags=["access"],
        request=GivenRole,
        responses={200: Member},
        examples=[OpenApiExample("Command, too", {"role": "collaborator"}, request_only=True)],
    )
    def patch(self, _request: Request, *, username: str, **_names: str) -> Response:
        """Change the role."""
        role = Role(self.body(GivenRole)["role"])
        self.refuse_founder(username)
        member = membership.change_role(self.context.id, username, role, by=self.by)
        return Response(Member(_shown(member)).data)

    @extend_schema(
        operation_id="removeMember",
        summary="Take a member's role away; for owners, and for members to leave",
        tags=["access"],
        responses={204: None},
    )
    def delete(self, _request: Request, *, username: str, **_names: str) -> Response:
        """Remove the role; a member may remove its own."""
        if username == self.by:
            ApiView.require_right(self, Right.COMMAND)  # of their token, not of their role
        else:
            self.require_right(Right.OWN)
        self.refuse_founder(username)
        membership.remove_member(self.context.id, username)
        return Response(status=HTTPStatus.NO_CONTENT)


def _shown(row: MembershipRow) -> dict[str, Any]:
    return {
        "username": row.user.get_username(),
        "role": row.role,
        "founder": False,
        "given_by": row.given_by,
        "recorded_at": row.given_at,
    }


def _founder(username: str, since: datetime) -> dict[str, Any]:
    return {
        "username": username,
        "role": Role.OWNER,
        "founder": True,
        "given_by": None,
        "recorded_at": since,
    }
