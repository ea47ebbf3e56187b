"""A client of a Smallville town, with Python's standard library alone.

It sends every command under an Idempotency-Key, so that sending it again is safe, waits as
long as the service asks for, and follows the stream across broken connections.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

TRIES = 6
WAIT_SECONDS_MAX = 30.0
# The stream says something every fifteen seconds at least.
SILENCE_SECONDS = 45.0
AGAIN = {409: {"idempotency-in-progress"}, 429: None, 503: None}
"""What may be sent again as it is: by status, which codes of it, None for all."""


class Refused(Exception):
    """The service has refused something; `code` is stable, `detail` names the mend."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        """Keep what the problem document says."""
        self.status = status
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", ""))
        super().__init__(f"{status} {self.code}: {self.detail}")


class Unreachable(Exception):
    """Nobody answers at the address."""


class Late(Exception):
    """What was waited for did not come in time."""


class Service:
    """An installation and the token to show it."""

    def __init__(self, address: str, token: str) -> None:
        """Remember them; `address` is without /api/v1."""
        self.root = address.rstrip("/") + "/api/v1"
        self._token = token

    def get(self, path: str, **query: Any) -> Any:
        """Return a document; `path` may be a whole address that the service has given."""
        return self._ask("GET", path, query=query)

    def everything(self, path: str, **query: Any) -> list[Any]:
        """Return the results of all pages of a list."""
        page = self.get(path, **query)
        found = list(page["results"])
        while page["next"]:
            page = self.get(page["next"])
            found += page["results"]
        return found

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send something that is to happen once."""
        return self._ask("POST", path, body=body, key=str(uuid4()))

    def delete(self, path: str) -> Any:
        """Send the end of something, once."""
        return self._ask("DELETE", path, key=str(uuid4()))

    def opened(self, method: str, path: str, **more: Any) -> http.client.HTTPResponse:
        """Return the response, to be read and closed; a refusal is raised."""
        address = path if path.startswith("http") else self.root + path
        if more.get("query"):
            address += "?" + urlencode(more["query"], doseq=True)
        headers = {"Authorization": f"Bearer {self._token}", **more.get("headers", {})}
        body = None
        if more.get("body") is not None:
            body = json.dumps(more["body"]).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(address, body, headers, method=method)
        response: http.client.HTTPResponse = urllib.request.urlopen(
            request, timeout=SILENCE_SECONDS
        )
        return response

    def _ask(self, method: str, path: str, *, key: str = "", **more: Any) -> Any:
        headers = {"Idempotency-Key": key} if key else {}
        for left in reversed(range(TRIES)):
            try:
                with self.opened(method, path, headers=headers, **more) as response:
                    content = response.read()
                return json.loads(content) if content else None
            except urllib.error.HTTPError as error:
                wait = self._wait_or_raise(error, left)
            except (OSError, http.client.HTTPException) as error:
                if not left:
                    raise Unreachable(f"{self.root} does not answer: {error}") from None
                wait = 1.0
            time.sleep(min(wait, WAIT_SECONDS_MAX))
        raise AssertionError("the last try answers or raises")

    @staticmethod
    def _wait_or_raise(error: urllib.error.HTTPError, left: int) -> float:
        content = error.read()
        try:
            refused = Refused(error.code, json.loads(content))
        except ValueError:
            refused = Refused(error.code, {"detail": content.decode(errors="replace")[:300]})
        codes = AGAIN.get(error.code, set())
        if not left or (codes is not None and refused.code not in codes):
            raise refused from None
        return float(error.headers.get("Retry-After") or 1)


class Stream:
    """The stream of a simulation, told block by block: (name, data), "" for an event.

    A connection that breaks is made again, behind the last block that was heard.
    """

    def __init__(self, service: Service, simulation: str, *types: str, after: str = "") -> None:
        """Begin to listen; what is committed from now on is heard, or what is behind `after`."""
        self._service, self._path = service, f"/simulations/{simulation}/stream"
        self._types, self._last = list(types), after
        self._blocks = self._connect()

    def wait_for(self, *names: str, seconds: float = 120.0) -> Iterator[tuple[str, Any]]:
        """Yield the blocks of these names as they come.

        :raises Late: if none of what is left comes before the seconds are over.
        """
        ends_at = time.monotonic() + seconds
        while time.monotonic() < ends_at:
            try:
                name, data = next(self._blocks)
            except (StopIteration, OSError, http.client.HTTPException):
                time.sleep(0.5)
                self._blocks = self._connect()
                continue
            if name == "end" and data["code"] not in {"too-slow", "internal-error"}:
                raise Refused(200, data)
            if name in names:
                yield name, data
        raise Late

    def _connect(self) -> Iterator[tuple[str, Any]]:
        headers = {"Last-Event-ID": self._last} if self._last else {}
        response = self._service.opened(
            "GET", self._path, headers=headers, query={"type": self._types}
        )
        return self._read(response)

    def _read(self, response: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
        fields: dict[str, str] = {}
        with response:
            for line in response:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                    continue
                # An empty line ends a block; one of a lone comment has no data.
                self._last = fields.get("id", self._last)
                if "data" in fields:
                    yield fields.get("event", ""), json.loads(fields["data"])
                else:
                    yield "heartbeat", None
                fields = {}
