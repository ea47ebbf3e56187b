"""Safety at the door: rates, other origins, versions, bounds, and what browsers are told."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.access.commands import issue_token
from apps.access.models import RequestCount
from apps.api.http.middleware import RequestSizeLimits
from tests.acceptance.api.calling import Caller, caller_of, problem

FOUNDING = {"name": "a town", "seed": 7, "agents": 1}
ORIGIN = "https://town.example.org"


class TestRates:
    def test_bound_foundings_over_all_processes(
        self, isabella: Caller, klaus: Caller, settings: Any
    ) -> None:
        settings.COSTLY_RATES_MAX = {"founding": "2/d", "thinking": ""}
        for _ in range(2):
            assert isabella.post("/simulations", FOUNDING).status_code == 201
        response = isabella.post("/simulations", FOUNDING)
        problem(response, 429, "throttled")
        assert 1 <= int(response["Retry-After"]) <= 86_400
        # The count lies in the database; reading and other users are not concerned.
        assert RequestCount.objects.get().count == 3
        assert isabella.get("/simulations").status_code == 200
        assert klaus.post("/simulations", FOUNDING).status_code == 201

    def test_begin_anew_with_the_next_span(self, isabella: Caller, settings: Any) -> None:
        settings.COSTLY_RATES_MAX = {"founding": "1/d", "thinking": ""}
        isabella.post("/simulations", FOUNDING)
        problem(isabella.post("/simulations", FOUNDING), 429, "throttled")
        RequestCount.objects.update(span=0)
        assert isabella.post("/simulations", FOUNDING).status_code == 201

    def test_bound_thinking(self, town: str, isabella: Caller, settings: Any) -> None:
        settings.COSTLY_RATES_MAX = {"founding": "", "thinking": "1/d"}
        path = f"{town}/agents/isabella-rodriguez/retrievals"
        assert isabella.post(path, {"query": "the party"}).status_code == 200
        problem(isabella.post(path, {"query": "the party"}), 429, "throttled")

    def test_bound_wrong_tokens_of_an_address_and_no_valid_one(
        self, isabella: Caller, settings: Any
    ) -> None:
        settings.WRONG_TOKEN_RATE_MAX = "2/h"
        guess = Caller("sv_wrong")
        for _ in range(2):
            problem(guess.get("/simulations"), 401, "token-invalid")
        response = guess.get("/simulations")
        problem(response, 429, "throttled")
        assert 0 < int(response["Retry-After"]) <= 3_600
        assert isabella.get("/simulations").status_code == 200

    def test_are_not_escaped_by_a_header_that_anybody_can_write(
        self, db: None, settings: Any
    ) -> None:
        settings.WRONG_TOKEN_RATE_MAX = "1/h"
        statuses = [
            Client()
            .get(
                "/api/v1/simulations",
                headers={"Authorization": "Bearer sv_x", "X-Forwarded-For": f"10.0.0.{number}"},
            )
            .status_code
            for number in range(3)
        ]
        assert statuses == [401, 429, 429]

    def test_bound_passwords(self, client: Client, db: None, settings: Any) -> None:
        settings.LOGIN_RATE_MAX = "2/h"
        form = {"username": "admin", "password": "a guess"}
        tried = [client.post("/admin/login/", form).status_code for _ in range(3)]
        assert tried == [200, 200, 429]
        assert client.get("/admin/login/").status_code == 200


class TestOtherOrigins:
    def ask(self, client: Client, origin: str = ORIGIN, **headers: str) -> Any:
        return client.options(
            "/api/v1/simulations",
            headers={
                "Origin": origin,
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization, idempotency-key",
            }
            | headers,
        )

    def test_are_not_let_in_by_default(self, client: Client, isabella: Caller) -> None:
        assert "Access-Control-Allow-Origin" not in self.ask(client)
        headers = isabella.headers | {"Origin": ORIGIN}
        response = client.get("/api/v1/simulations", headers=headers)
        assert "Access-Control-Allow-Origin" not in response

    def test_are_let_in_by_name(self, client: Client, isabella: Caller, settings: Any) -> None:
        settings.CORS_ALLOWED_ORIGINS = [ORIGIN]
        asked = self.ask(client)
        assert asked["Access-Control-Allow-Origin"] == ORIGIN
        allowed = asked["Access-Control-Allow-Headers"]
        for header in (
            "authorization",
            "idempotency-key",
            "if-match",
            "last-event-id",
            "prefer",
        ):
            assert header in allowed
        assert "PATCH" in asked["Access-Control-Allow-Methods"]
        answered = client.get(
            "/api/v1/simulations", headers=isabella.headers | {"Origin": ORIGIN}
        )
        assert answered["Access-Control-Allow-Origin"] == ORIGIN
        assert "Access-Control-Allow-Credentials" not in answered
        shown = answered["Access-Control-Expose-Headers"]
        for header in ("Location", "Link", "Retry-After", "Idempotency-Replayed", "ETag"):
            assert header in shown
        other = self.ask(client, origin="https://evil.example")
        assert "Access-Control-Allow-Origin" not in other

    def test_hear_of_problems_too(self, client: Client, db: None, settings: Any) -> None:
        settings.CORS_ALLOWED_ORIGINS = [ORIGIN]
        refused = client.get("/api/v1/simulations", headers={"Origin": ORIGIN})
        problem(refused, 401, "token-missing")
        assert refused["Access-Control-Allow-Origin"] == ORIGIN

    def test_never_reach_the_admin(self, client: Client, db: None, settings: Any) -> None:
        settings.CORS_ALLOWED_ORIGINS = [ORIGIN]
        response = client.get("/admin/login/", headers={"Origin": ORIGIN})
        assert "Access-Control-Allow-Origin" not in response


class TestVersions:
    @pytest.fixture
    def hers(self, isabella: Caller) -> str:
        return f"/api/v1/simulations/{isabella.post('/simulations', FOUNDING).json()['id']}"

    def patch(self, caller: Caller, path: str, tokens: int, **headers: str) -> Any:
        return caller.client.patch(
            path,
            {"budget": {"tokens": tokens}},
            content_type="application/json",
            headers=caller.headers | headers,
        )

    def test_keep_one_from_undoing_what_another_did(self, hers: str, isabella: Caller) -> None:
        etag = isabella.get(hers)["ETag"]
        changed = self.patch(isabella, hers, 1_000, **{"If-Match": etag})
        assert changed.status_code == 200
        told = self.patch(isabella, hers, 5, **{"If-Match": etag})
        problem(told, 412, "version-passed")
        assert isabella.get(hers).json()["budget"]["tokens"] == 1_000
        assert changed["ETag"] == isabella.get(hers)["ETag"]
        assert self.patch(isabella, hers, 5, **{"If-Match": changed["ETag"]}).status_code == 200

    @pytest.mark.parametrize("inputs", ["*", '"other", {etag}', "{etag}"])
    def test_match_as_the_header_says(self, hers: str, isabella: Caller, inputs: str) -> None:
        header = inputs.format(etag=isabella.get(hers)["ETag"])
        assert self.patch(isabella, hers, 5, **{"If-Match": header}).status_code == 200

    @pytest.mark.parametrize("inputs", ["", "W/{etag}", '"other"', "nonsense", "é"])
    def test_do_not_match_otherwise(self, hers: str, isabella: Caller, inputs: str) -> None:
        header = inputs.format(etag=isabella.get(hers)["ETag"])
        problem(self.patch(isabella, hers, 5, **{"If-Match": header}), 412, "version-passed")

    def test_hold_for_deleting_too(self, hers: str, isabella: Caller) -> None:
        headers = isabella.headers | {"If-Match": '"older"'}
        problem(isabella.client.delete(hers, headers=headers), 412, "version-passed")
        assert isabella.get(hers).status_code == 200

    def test_spare_an_answer_that_is_known(self, hers: str, isabella: Caller) -> None:
        etag = isabella.get(hers)["ETag"]
        for known in (etag, f"W/{etag}", f'"other", {etag}'):
            response = isabella.client.get(
                hers, headers=isabella.headers | {"If-None-Match": known}
            )
            assert (response.status_code, response.content) == (304, b"")
            assert response["ETag"] == etag


class TestBounds:
    def test_of_an_address(self, isabella: Caller) -> None:
        response = isabella.get(
            "/simulations", cursor="a" * RequestSizeLimits.ADDRESS_BYTES_MAX
        )
        problem(response, 414, "address-too-long")

    def test_of_headers(self, isabella: Caller) -> None:
        headers = isabella.headers | {"X-Long": "a" * RequestSizeLimits.HEADER_BYTES_MAX}
        response = isabella.client.get("/api/v1/simulations", headers=headers)
        problem(response, 431, "headers-too-large")


class TestBrowsers:
    @pytest.mark.parametrize(
        "path", ["/", "/api/v1/docs", "/api/v1/simulations", "/health", "/admin/login/"]
    )
    def test_are_told_what_they_may_not_do(self, db: None, client: Client, path: str) -> None:
        response = client.get(path)
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["X-Frame-Options"] == "DENY"
        assert response["Referrer-Policy"] == "same-origin"
        assert "camera=()" in response["Permissions-Policy"]
        policy = response["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy
        assert not re.search(r"script-src[^;]*unsafe-inline", policy)

    def test_run_files_of_the_service_and_nothing_else(self, db: None, client: Client) -> None:
        response = client.get("/")
        html = response.content.decode()
        policy = response["Content-Security-Policy"]
        assert "script-src 'self'; style-src 'self';" in policy
        # What the policy would stop must not be needed.
        scripts = re.findall(
            r"<(?:script|style)[^>]*>(.*?)</(?:script|style)>", html, re.DOTALL
        )
        assert scripts == [""]
        assert not re.search(r"\son[a-z]+\s*=\s*[\"']|\sstyle\s*=\s*[\"']", html)

    def test_keep_no_answer_for_somebody_else(self, isabella: Caller) -> None:
        assert isabella.get("/simulations")["Cache-Control"] == "private, no-cache"


class TestSession:
    def test_of_the_admins_page_commands_with_its_csrf_token(self, db: None) -> None:
        User.objects.create_superuser("isabella", password="a password of some length")
        browser = Client(enforce_csrf_checks=True)
        browser.get("/admin/login/")
        form = {"username": "isabella", "password": "a password of some length"}
        form["csrfmiddlewaretoken"] = browser.cookies["csrftoken"].value
        assert browser.post("/admin/login/?next=/", form).status_code == 302
        headers = {"X-CSRFToken": browser.cookies["csrftoken"].value}
        for shown, status in ((headers, 201), ({}, 403)):
            response = browser.post(
                "/api/v1/simulations", FOUNDING, content_type="application/json", headers=shown
            )
            assert response.status_code == status, response.content


class TestReadOnlyToken:
    def test_looks_and_changes_nothing(self, town: str, isabella: Caller) -> None:
        user = User.objects.get(username="isabella")
        page = Caller(issue_token(user, "a page", reads_only=True))
        assert page.get(f"{town}/state").status_code == 200
        path = f"{town}/agents/isabella-rodriguez/retrievals"
        assert page.post(path, {"query": "the party"}).status_code == 200
        told = problem(page.post(f"{town}/pause", {}), 403, "not-allowed")
        assert "token can only read" in told["detail"]
        problem(page.post("/simulations", FOUNDING), 403, "not-allowed")
        assert caller_of(user).post(f"{town}/pause", {}).status_code == 202
