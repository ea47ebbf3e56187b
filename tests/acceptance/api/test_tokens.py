"""Nothing is open by default, and a simulation is its owner's."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.access.commands import revoke_token
from apps.access.models import ApiToken
from apps.api.operations.documentation import schema_document
from apps.api.urls import views
from tests.acceptance.api.calling import Caller, problem

OPEN = {"/health", "/metrics", "/api/v1/schema", "/api/v1/docs"}
NO_SUCH_ID = "00000000-0000-4000-8000-000000000000"


def addresses() -> list[tuple[str, str]]:
    """Return every method and address of the interface, from its own description."""
    return [
        (method, path)
        for path, operations in schema_document()["paths"].items()
        for method in operations
    ]


def example_of(path: str) -> str:
    """Return the address with something in place of its parameters."""
    return path.replace("{simulation}", NO_SUCH_ID).replace("{", "").replace("}", "")


class TestEveryAddress:
    @pytest.mark.parametrize(("method", "path"), addresses())
    def test_wants_a_token_unless_it_is_open(
        self, db: None, client: Client, method: str, path: str
    ) -> None:
        response = client.generic(method.upper(), example_of(path))
        if path in OPEN:
            assert response.status_code == 200
        else:
            problem(response, 401, "token-missing")
            assert response["WWW-Authenticate"] == 'Bearer realm="smallville"'

    @pytest.mark.parametrize(("method", "path"), addresses())
    def test_refuses_a_wrong_token(
        self, db: None, client: Client, method: str, path: str
    ) -> None:
        headers = {"Authorization": "Bearer sv_wrong"}
        response = client.generic(method.upper(), example_of(path), headers=headers)
        if path in OPEN - {"/metrics"}:
            assert response.status_code == 200
        else:
            problem(response, 401, "token-invalid")

    def test_is_described(self) -> None:
        # What is routed and not described would escape the two tests above.
        described = {path for _, path in addresses()}
        assert described == {view.route() for view in views()}


class TestToken:
    @pytest.mark.parametrize(
        "shown",
        [
            "Bearer",
            "Bearer ",
            "Bearer sv_" + "x" * 500,
            "Bearer \udcff\x7f",
            "Bearer sv_a b",
        ],
    )
    def test_is_refused_when_malformed(self, db: None, client: Client, shown: str) -> None:
        headers = {"Authorization": shown.encode("utf-8", "surrogateescape").decode("latin-1")}
        response = client.get("/api/v1/simulations", headers=headers)
        problem(response, 401, "token-invalid")

    @pytest.mark.parametrize("shown", ["Basic aXNhYmVsbGE6", "sv_abc", "Token sv_abc"])
    def test_is_missing_under_another_scheme(
        self, db: None, client: Client, shown: str
    ) -> None:
        response = client.get("/api/v1/simulations", headers={"Authorization": shown})
        problem(response, 401, "token-missing")

    def test_is_refused_once_revoked(self, isabella: Caller) -> None:
        assert isabella.get("/simulations").status_code == 200
        revoke_token(ApiToken.objects.get().pk)
        problem(isabella.get("/simulations"), 401, "token-invalid")

    def test_is_refused_once_its_user_is_inactive(self, isabella: Caller) -> None:
        User.objects.update(is_active=False)
        problem(isabella.get("/simulations"), 401, "token-invalid")

    def test_is_noted_to_be_in_use(self, isabella: Caller) -> None:
        isabella.get("/simulations")
        assert ApiToken.objects.get().last_used_at is not None


class TestSession:
    @pytest.fixture
    def session(self, isabella: Caller) -> Client:
        client = Client(enforce_csrf_checks=True)
        client.force_login(User.objects.get(username="isabella"))
        return client

    def test_of_the_admin_reads(self, session: Client) -> None:
        assert session.get("/api/v1/simulations").status_code == 200

    def test_writes_only_with_its_csrf_token(self, session: Client) -> None:
        body = {"name": "a town", "seed": 1, "agents": 1}
        refused = session.post("/api/v1/simulations", body, content_type="application/json")
        problem(refused, 403, "not-allowed")


class TestOwner:
    @pytest.mark.parametrize("way", ["get", "delete"])
    def test_alone_finds_the_simulation(
        self, way: str, isabella: Caller, klaus: Caller
    ) -> None:
        made = isabella.post("/simulations", {"name": "hers", "seed": 1, "agents": 1}).json()
        path = f"/simulations/{made['id']}"
        problem(getattr(klaus, way)(path), 404, "simulation-unknown")
        assert isabella.get(path).status_code == 200

    def test_alone_reads_and_commands_it(
        self, town: str, isabella: Caller, klaus: Caller
    ) -> None:
        for method, path in addresses():
            if "{simulation}" not in path:
                continue
            place = path.replace("/api/v1/simulations/{simulation}", town)
            place = place.replace("{agent}", "isabella-rodriguez")
            place = place.replace("{", "").replace("}", "")
            response = klaus.client.generic(
                method.upper(), f"/api/v1{place}", headers=klaus.headers
            )
            problem(response, 404, "simulation-unknown")

    def test_does_not_see_others_in_the_list(
        self, town: str, isabella: Caller, klaus: Caller
    ) -> None:
        assert len(isabella.everything("/simulations")) == 1
        assert klaus.everything("/simulations") == []

    def test_is_not_needed_by_an_administrator(self, town: str, administrator: Caller) -> None:
        assert administrator.get(town).status_code == 200
        assert len(administrator.everything("/simulations")) == 1


class TestRequestRate:
    def test_is_bounded_for_each_user(
        self, isabella: Caller, klaus: Caller, settings: Any
    ) -> None:
        settings.REQUEST_RATE_MAX = "3/h"
        for _ in range(3):
            assert isabella.get("/simulations").status_code == 200
        response = isabella.get("/simulations")
        problem(response, 429, "throttled")
        assert int(response["Retry-After"]) > 0
        assert klaus.get("/simulations").status_code == 200
