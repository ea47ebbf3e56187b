"""The service as users meet it: a web process, a worker, and HTTP between."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from tests.support.processes import wait_until
from tests.support.serving import Service, served

pytestmark = pytest.mark.django_db(transaction=True)

LIVES_SECONDS = 60.0


class TestService:
    def test_lets_a_town_live(self, service: Service) -> None:
        # A town is founded, lives its first hours in a worker's hands, and is deleted.
        service.processes.start_worker("worker")
        service.processes.start_scheduler()
        founding = {"name": "a town", "seed": 7, "agents": 2}
        response, _ = service.ask("POST", "/api/v1/simulations", founding)
        assert response.status == 201
        town = response.headers["Location"].partition(str(service.port))[2]
        response, running = service.ask("POST", f"{town}/run", {"until": "2023-02-13T06:10"})
        assert response.status == 202
        assert running["status"] == "running"

        def rests() -> bool:
            return bool(service.ask("GET", town)[1]["status"] == "paused")

        wait_until(
            rests,
            seconds=LIVES_SECONDS,
            told=lambda: service.processes.log_of("worker")[-3_000:],
        )
        _, town_now = service.ask("GET", town)
        assert town_now["clock"]["time"] == "2023-02-13T06:10:00", town_now["reason"]
        _, state = service.ask("GET", f"{town}/state")
        assert state["clock"] == town_now["clock"]
        assert not state["agents"][0]["asleep"]

        def deleted() -> bool:
            # The scheduler may hold its lease for a moment longer.
            return service.ask("DELETE", town)[0].status == 204

        wait_until(deleted, seconds=LIVES_SECONDS, told=lambda: "it is never at rest")
        assert service.ask("GET", town)[0].status == 404

    def test_tells_problems_over_the_wire(self, service: Service) -> None:
        # One process for all of them: starting it takes longer than they do.
        path = "/api/v1/simulations"
        ten_megabytes = b'{"name": "' + b"a" * 10_000_000 + b'"}'
        pieces = iter([b'{"name": "a town",', b'"seed": 7}'])
        for body, headers, status, code in (
            (ten_megabytes, {}, 413, "body-too-large"),
            (pieces, {"Transfer-Encoding": "chunked"}, 411, "length-required"),
            (b'{"name": ', {}, 400, "malformed-body"),
            (b"name=a", {"Content-Type": "text/plain"}, 415, "unsupported-media-type"),
            (b"{}", {"Authorization": "Bearer sv_wrong"}, 401, "token-invalid"),
            (b"{}", {"Host": "evil.example"}, 400, "bad-request"),
            (b"{}", {"X-Long": "a" * 40_000}, 431, "headers-too-large"),
            (b"{}", {"Idempotency-Key": "a b"}, 422, "idempotency-key-unusable"),
        ):
            response, document = service.ask("POST", path, body, **headers)
            assert (response.status, document["code"]) == (status, code)
            assert response.headers["Content-Type"] == "application/problem+json"
            assert response.headers["X-Request-ID"]
        response, nothing = service.ask("HEAD", path)
        assert (response.status, nothing) == (200, None)


class TestRates:
    def test_count_the_address_of_the_connection(self, tmp_path: Path, db: None) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        with served(tmp_path, token, WRONG_TOKEN_RATE_MAX="1/h") as service:
            shown = {"Authorization": "Bearer sv_x"}
            statuses = [
                service.ask(
                    "GET", "/api/v1/simulations", **shown, **{"X-Forwarded-For": f"10.0.0.{n}"}
                )[0].status
                for n in range(3)
            ]
        assert statuses == [401, 429, 429]


class TestPathOfAnotherSite:
    def test_is_in_every_address_that_is_given(self, tmp_path: Path, db: None) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        # The client stands for a proxy that removes /town from the path of a request.
        with served(tmp_path, token, URL_PREFIX="/town/") as service:
            host, path = f"http://127.0.0.1:{service.port}", "/api/v1/simulations"
            for seed in range(2):
                created, _ = service.ask(
                    "POST", path, {"name": "a town", "seed": seed, "agents": 1}
                )
                assert created.headers["Location"].startswith(f"{host}/town{path}/")
            _, page = service.ask("GET", f"{path}?limit=1")
            assert page["next"].startswith(f"{host}/town{path}?")
            _, document = service.ask("GET", "/api/v1/schema")
            assert document["servers"][0]["url"] == "/town/"
            _, problem = service.ask("GET", f"{path}/none")
            assert problem["instance"] == f"/town{path}/none"
            with service.asked("GET", "/admin/") as response:
                assert response.headers["Location"] == "/town/admin/login/?next=/town/admin/"
            with service.asked("GET", "/admin/login/") as response:
                assert "Path=/town/" in response.headers["Set-Cookie"]
                assert b'href="/town/static/admin/css/login.css"' in response.read()
            with service.asked("GET", "/static/admin/css/login.css") as response:
                assert response.status == 200
