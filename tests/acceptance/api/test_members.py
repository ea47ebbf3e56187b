"""A town is shared: somebody may look, somebody may command, somebody decides."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.access.models import MembershipRow
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of, problem

FOUNDING = {"name": "hers", "seed": 1, "agents": 1}


@pytest.fixture
def hers(isabella: Caller) -> str:
    """Return the address of a town that Isabella has founded."""
    return f"/simulations/{isabella.post('/simulations', FOUNDING).json()['id']}"


@pytest.fixture
def maria(db: None) -> Caller:
    """Return a third caller."""
    return caller_of(User.objects.create_user("maria"))


class TestSharing:
    def test_is_the_story_of_a_guest_who_becomes_more(
        self, hers: str, isabella: Caller, klaus: Caller
    ) -> None:
        # To Klaus there is no such town, until Isabella lets him look.
        problem(klaus.get(hers), 404, "simulation-unknown")
        response = isabella.post(f"{hers}/members", {"username": "klaus", "role": "guest"})
        assert response.status_code == 201
        assert response["Location"].endswith(f"{hers}/members/klaus")
        member = response.json()
        assert member | {"given_at": "", "recorded_at": ""} == {
            "username": "klaus",
            "role": "guest",
            "founder": False,
            "given_by": "isabella",
            "given_at": "",
            "recorded_at": "",
        }
        assert klaus.get(hers).json()["role"] == "guest"
        told = problem(klaus.post(f"{hers}/run", {"ticks": 1}), 403, "not-allowed")
        assert "collaborator" in told["detail"]
        # As a collaborator he commands, and decides nothing about the town itself.
        changed = isabella.patch(f"{hers}/members/klaus", {"role": "collaborator"})
        assert changed.json()["role"] == "collaborator"
        assert klaus.post(f"{hers}/run", {"ticks": 1}).status_code == 202
        assert klaus.post(f"{hers}/pause", {}).status_code == 202
        problem(klaus.delete(hers), 403, "not-allowed")
        problem(klaus.patch(hers, {"budget": None}), 403, "not-allowed")
        problem(
            klaus.post(f"{hers}/members", {"username": "maria", "role": "guest"}),
            403,
            "not-allowed",
        )
        # Sent away again, he finds no town.
        assert isabella.delete(f"{hers}/members/klaus").status_code == 204
        problem(klaus.get(hers), 404, "simulation-unknown")

    def test_puts_the_town_into_the_members_list(
        self, hers: str, isabella: Caller, klaus: Caller
    ) -> None:
        klaus.post("/simulations", FOUNDING | {"name": "his"})
        isabella.post(f"{hers}/members", {"username": "klaus", "role": "collaborator"})
        towns = klaus.everything("/simulations", limit=1)
        assert [(town["name"], town["role"]) for town in towns] == [
            ("his", "owner"),
            ("hers", "collaborator"),
        ]
        assert [town["role"] for town in isabella.everything("/simulations")] == ["owner"]

    def test_stands_in_what_somebody_has_done(
        self, hers: str, isabella: Caller, klaus: Caller
    ) -> None:
        isabella.post(f"{hers}/members", {"username": "klaus", "role": "collaborator"})
        agents = isabella.get(f"{hers}/agents").json()["results"]
        assert len(agents) == 1
        refused = klaus.delete(f"{hers}/agents/{agents[0]['slug']}")
        problem(refused, 409, "last-agent")

    def test_can_be_left_by_whoever_was_given_a_role(
        self, hers: str, isabella: Caller, klaus: Caller, maria: Caller
    ) -> None:
        for name in ("klaus", "maria"):
            isabella.post(f"{hers}/members", {"username": name, "role": "guest"})
        user = User.objects.get(username="klaus")
        page = Caller(issue_token(user, "a page", reads_only=True))
        problem(klaus.delete(f"{hers}/members/maria"), 403, "not-allowed")
        problem(page.delete(f"{hers}/members/klaus"), 403, "not-allowed")
        assert klaus.delete(f"{hers}/members/klaus").status_code == 204
        problem(klaus.get(hers), 404, "simulation-unknown")
        assert maria.get(hers).status_code == 200

    def test_lets_another_owner_do_all_that_the_founder_may(
        self, hers: str, isabella: Caller, klaus: Caller, maria: Caller
    ) -> None:
        isabella.post(f"{hers}/members", {"username": "klaus", "role": "owner"})
        inputs = klaus.post(f"{hers}/members", {"username": "maria", "role": "guest"})
        assert inputs.json()["given_by"] == "klaus"
        # But for one thing: who founded it stays its owner.
        for response in (
            klaus.delete(f"{hers}/members/isabella"),
            klaus.patch(f"{hers}/members/isabella", {"role": "guest"}),
            klaus.post(f"{hers}/members", {"username": "isabella", "role": "guest"}),
        ):
            problem(response, 409, "founder-stays")
        assert klaus.delete(hers).status_code == 204
        problem(maria.get(hers), 404, "simulation-unknown")
        assert not MembershipRow.objects.exists()

    def test_asks_the_database_as_often_for_many_towns_as_for_one(
        self, isabella: Caller, klaus: Caller, django_assert_num_queries: Any
    ) -> None:
        for _ in range(3):
            made = isabella.post("/simulations", FOUNDING).json()["id"]
            isabella.post(
                f"/simulations/{made}/members", {"username": "klaus", "role": "guest"}
            )
        klaus.get("/simulations")
        with django_assert_num_queries(12):
            assert len(klaus.get("/simulations").json()["results"]) == 3


class TestMembers:
    def test_are_listed_by_name_in_pages(
        self, hers: str, isabella: Caller, klaus: Caller, maria: Caller
    ) -> None:
        for name, role in (("maria", "guest"), ("klaus", "owner")):
            isabella.post(f"{hers}/members", {"username": name, "role": role})
        members = maria.everything(f"{hers}/members", limit=1)
        assert [
            (member["username"], member["role"], member["founder"]) for member in members
        ] == [
            ("isabella", "owner", True),
            ("klaus", "owner", False),
            ("maria", "guest", False),
        ]

    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            ({"username": "nobody", "role": "guest"}, 422, "unknown-user"),
            ({"username": "gone", "role": "guest"}, 422, "unknown-user"),
            ({"username": "klaus", "role": "king"}, 422, "invalid-request"),
            ({"username": "klaus"}, 422, "invalid-request"),
            ({"username": "x" * 151, "role": "guest"}, 422, "invalid-request"),
            ({"username": ["klaus"], "role": "guest"}, 422, "invalid-request"),
            ({"username": "maria", "role": "owner"}, 409, "already-member"),
        ],
    )
    def test_are_not_added_by_a_body_that_cannot_be(
        self, hers: str, isabella: Caller, klaus: Caller, maria: Caller, body: Any, status: int,
        code: str,
    ) -> None:  # fmt: skip
        User.objects.create_user("gone", is_active=False)
        isabella.post(f"{hers}/members", {"username": "maria", "role": "guest"})
        problem(isabella.post(f"{hers}/members", body), status, code)
        assert MembershipRow.objects.count() == 1

    @pytest.mark.parametrize("name", ["nobody", "%00", "a b", "'; --", "x" * 300, "%ff"])
    def test_that_there_are_not_are_unknown(
        self, hers: str, isabella: Caller, name: str
    ) -> None:
        path = f"{hers}/members/{name}"
        problem(isabella.delete(path), 404, "member-unknown")
        problem(isabella.patch(path, {"role": "guest"}), 404, "member-unknown")

    def test_of_odd_names_have_an_address(self, hers: str, isabella: Caller) -> None:
        User.objects.create_user("klaus+müller@example.org")
        body = {"username": "klaus+müller@example.org", "role": "guest"}
        address = isabella.post(f"{hers}/members", body)["Location"]
        path = address.partition("/api/v1")[2]
        assert isabella.delete(path).status_code == 204

    def test_are_few_enough_to_be_listed(
        self, hers: str, isabella: Caller, klaus: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("apps.access.membership.MEMBERS_MAX", 0)
        body = {"username": "klaus", "role": "guest"}
        problem(isabella.post(f"{hers}/members", body), 409, "too-many-members")


class TestAdministrator:
    def test_is_an_owner_of_what_nobody_founded_over_http(
        self, hers: str, administrator: Caller, klaus: Caller
    ) -> None:
        SimulationRow.objects.update(owner=None)
        assert administrator.get(hers).json()["role"] == "owner"
        administrator.post(f"{hers}/members", {"username": "klaus", "role": "owner"})
        [member] = klaus.everything(f"{hers}/members")
        assert (member["username"], member["given_by"]) == ("klaus", "administrator")
