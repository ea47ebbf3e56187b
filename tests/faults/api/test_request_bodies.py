"""Bodies that are too long are refused before they have arrived, over real HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import Service, served
from tests.support.sockets import Wire

pytestmark = pytest.mark.django_db(transaction=True)

SIMULATIONS = "/api/v1/simulations"
HUGE = "300000000"
A_MEGABYTE = b"f4240\r\n" + b"x" * 1_000_000 + b"\r\n"
"""As a chunk."""


@pytest.fixture
def service(tmp_path: Path, token: str) -> Iterator[Service]:
    """Serve on the test's own database."""
    with served(tmp_path, token, CORS_ORIGINS="https://town.example") as service:
        yield service


class TestLongBody:
    # One process for all of them: starting it takes longer than they do. No request is ever
    # complete, so that each answer comes before Django could have read its body.

    def test_is_refused_before_it_has_arrived(self, service: Service) -> None:
        port, token = service.port, service.headers["Authorization"]
        for authorization in (token, "Bearer nonsense", ""):
            for path in (SIMULATIONS, "/admin/login/", "/nowhere"):
                with Wire(port) as wire:
                    wire.ask("POST", path, Content_Length=HUGE, Authorization=authorization)
                    answer = wire.answer()
                    assert (answer.status, answer.document["code"]) == (413, "body-too-large")
                    assert answer.headers["Connection"] == "close"
                    assert answer.headers["X-Request-ID"]

        with Wire(port) as wire:  # a client that asks first is told not to send
            wire.ask("POST", SIMULATIONS, Content_Length=HUGE, Expect="100-continue")
            assert wire.answer().status == 413
            assert wire.rest() == b""

        with Wire(port) as wire:  # the length is not declared
            wire.ask("POST", SIMULATIONS, Transfer_Encoding="chunked", Authorization=token)
            wire.send(A_MEGABYTE, A_MEGABYTE)
            answer = wire.answer()
            assert (answer.status, answer.document["code"]) == (413, "body-too-large")

        with Wire(port) as wire:  # a page of another origin can read the refusal
            wire.ask("POST", SIMULATIONS, Content_Length=HUGE, Origin="https://town.example")
            allowed = wire.answer().headers["Access-Control-Allow-Origin"]
            assert allowed == "https://town.example"

        refuses_strangers_sooner(port)

        with Wire(port) as wire:  # who sends everything first receives the answer, too
            wire.ask("POST", SIMULATIONS, Content_Length="10000000")
            wire.send(b"x" * 10_000_000)
            assert wire.answer().status == 413
            assert wire.rest() == b""

        body = {"name": "a town", "seed": 7, "unknown": "x" * 900_000}
        response, document = service.ask("POST", SIMULATIONS, body)
        assert (response.status, document["errors"][0]["code"]) == (422, "unknown-field")


def refuses_strangers_sooner(port: int) -> None:
    """Send, without what can be a token, less than others may."""
    some = "100000"
    for path, authorization, status, code in (
        (SIMULATIONS, "", 401, "token-missing"),
        (SIMULATIONS, "Bearer nonsense", 401, "token-invalid"),
        ("/admin/login/", "", 413, "body-too-large"),
    ):
        with Wire(port) as wire:
            wire.ask("POST", path, Content_Length=some, Authorization=authorization)
            answer = wire.answer()
            assert (answer.status, answer.document["code"]) == (status, code)
            if status == 401:
                assert answer.headers["WWW-Authenticate"].startswith("Bearer")
