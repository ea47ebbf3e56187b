"""What each role may do, and what a view that says nothing needs."""

import pytest

from apps.access.rights import NotAllowed, Right, Role, allows, require_right_of_role
from apps.api.http.views import ApiView


class TestRoles:
    @pytest.mark.parametrize(
        ("role", "rights"),
        [
            (Role.GUEST, {Right.READ}),
            (Role.COLLABORATOR, {Right.READ, Right.COMMAND}),
            (Role.OWNER, {Right.READ, Right.COMMAND, Right.OWN}),
        ],
    )
    def test_have_these_rights_and_no_other(self, role: Role, rights: set[Right]) -> None:
        assert {right for right in Right if allows(role, right)} == rights

    def test_are_told_which_role_it_takes(self) -> None:
        with pytest.raises(NotAllowed, match=r"you are a guest .* needs an owner"):
            require_right_of_role(Role.GUEST, Right.OWN)


class TestViews:
    @pytest.mark.parametrize(
        ("method", "right"),
        [("GET", Right.READ), ("HEAD", Right.READ)]
        + [(method, Right.COMMAND) for method in ("POST", "PUT", "PATCH", "DELETE", "BREW")],
    )
    def test_that_declare_nothing_are_safe(self, method: str, right: Right) -> None:
        assert ApiView.right_of(method) == right

    def test_declare_what_is_otherwise(self) -> None:
        class Look(ApiView):
            rights = {"GET": Right.OWN, "POST": Right.READ}  # noqa: RUF012

        assert Look.right_of("HEAD") == Right.OWN
        assert Look.right_of("POST") == Right.READ
        assert Look.right_of("DELETE") == Right.COMMAND
