"""The port of METRICS_PORT, over real HTTP."""

import http.client
from collections.abc import Iterator

import pytest
from prometheus_client.exposition import ThreadingWSGIServer
from pytest_django import Settings

from apps.metrics.exposition import serve_metrics

HOST = "127.0.0.1"
TOKEN = "a token for the scraper, of some length"
BEHIND_PROXY = {"X-Forwarded-For": "203.0.113.7"}


@pytest.fixture
def server() -> Iterator[ThreadingWSGIServer]:
    """Serve on a free port."""
    server = serve_metrics(HOST, 0)
    assert server is not None
    yield server
    server.shutdown()
    server.server_close()


def ask(
    server: ThreadingWSGIServer, method: str, path: str, headers: dict[str, str] | None = None
) -> tuple[int, str]:
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=60)
    try:
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


class TestServer:
    def test_tells_the_metrics_of_the_process(self, server: ThreadingWSGIServer) -> None:
        status, text = ask(server, "GET", "/metrics")
        assert status == 200
        assert "# TYPE smallville_turn_duration_seconds histogram" in text
        assert "smallville_database_up" not in text
        assert ask(server, "HEAD", "/metrics") == (200, "")

    @pytest.mark.parametrize(
        ("method", "path"), [("GET", "/"), ("GET", "/metrics/"), ("POST", "/metrics")]
    )
    def test_tells_nothing_else(
        self, server: ThreadingWSGIServer, method: str, path: str
    ) -> None:
        assert ask(server, method, path)[0] == 404

    def test_asks_for_the_token(self, server: ThreadingWSGIServer, settings: Settings) -> None:
        settings.METRICS_TOKEN = TOKEN
        assert ask(server, "GET", "/metrics", BEHIND_PROXY)[0] == 401
        wrong = BEHIND_PROXY | {"Authorization": "Bearer wrong"}
        assert ask(server, "GET", "/metrics", wrong)[0] == 401
        right = BEHIND_PROXY | {"Authorization": f"Bearer {TOKEN}"}
        assert ask(server, "GET", "/metrics", right)[0] == 200

    def test_goes_without_a_port_that_is_taken(
        self, server: ThreadingWSGIServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert serve_metrics(HOST, server.server_port) is None
        assert "set METRICS_PORT to a free port" in caplog.text
