"""The health check of a container passes if the web server says that it is healthy."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from smallville_api.check_health import main


class Answering(BaseHTTPRequestHandler):
    """Answers with the status of the server that it is given."""

    def do_GET(self) -> None:
        status = getattr(self.server, "status", 200)
        self.send_response(status if self.path == "/health" else 404)
        self.end_headers()
        self.wfile.write(b'{"status": "unavailable"}')

    def log_message(self, *_arguments: object) -> None:
        """Write no log."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    """Serve on the port that the environment names."""
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        monkeypatch.setenv("PORT", str(server.server_port))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class TestCheckHealth:
    def test_is_passed(self, server: HTTPServer) -> None:
        assert main() == 0

    def test_is_failed_with_the_reason(
        self,
        server: HTTPServer,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        vars(server)["status"] = 503
        assert main() == 1
        assert "status 503" in capsys.readouterr().err
        monkeypatch.setenv("PORT", "nonsense")
        assert main() == 1
