"""The health check of a container asks under a host that the service allows."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from smallville_api.check_health import allowed_host, main


class Answering(BaseHTTPRequestHandler):
    """Is healthy for one host only."""

    def do_GET(self) -> None:
        is_allowed = self.headers["Host"] == "town.example.org" and self.path == "/health"
        self.send_response(200 if is_allowed else 503)
        self.end_headers()
        self.wfile.write(b'{"status": "unavailable"}')

    def log_message(self, *_arguments: object) -> None:
        """Write no log."""


@pytest.fixture
def port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


class TestCheckHealth:
    @pytest.mark.parametrize(
        ("allowed", "host"),
        [
            ("", "localhost"),
            (" , ", "localhost"),
            ("*", "localhost"),
            ("town.example.org,web", "town.example.org"),
            (".example.org", "example.org"),
            ("[::1]", "[::1]"),
        ],
    )
    def test_names_an_allowed_host(self, allowed: str, host: str) -> None:
        assert allowed_host(allowed) == host

    def test_is_passed(self, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORT", str(port))
        monkeypatch.setenv("ALLOWED_HOSTS", "town.example.org")
        assert main() == 0

    def test_is_failed_with_the_reason(
        self, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("PORT", str(port))
        monkeypatch.setenv("ALLOWED_HOSTS", "other.example.org")
        assert main() == 1
        assert "status 503" in capsys.readouterr().err
        monkeypatch.setenv("PORT", "nonsense")
        assert main() == 1
