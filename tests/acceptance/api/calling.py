"""A caller of the interface: a user's token, and JSON in and out."""

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.test import Client
from django.urls import Resolver404, resolve

from apps.access.commands import issue_token
from apps.api.operations.documentation import schema_document
from apps.simulation.models import SimulationRow
from tests.support.example_recorder import ExampleRecorder

# What any address may answer; the schema says so once, in its description.
ANYWHERE = {
    "not-found",
    "method-not-allowed",
    "bad-request",
    "address-too-long",
    "body-too-large",
    "request-timeout",
    "service-stopping",
    "too-many-connections",
    "headers-too-large",
    "internal-error",
}
PROBLEM_MEMBERS = {"type", "title", "status", "detail", "code", "instance", "errors"}
SOMETIMES = {"candidates"}


@dataclass
class Caller:
    """Calls as one user would; `path` is below /api/v1.

    `recorder` records the examples of the OpenAPI document, if they are requested.
    """

    recorder: ClassVar[ExampleRecorder | None] = None

    token: str = ""
    client: Client = field(default_factory=Client)

    def get(self, path: str, **query: Any) -> Any:
        """Return the answer's response."""
        return self._noted(self.client.get(_address(path), query, headers=self.headers))

    def post(self, path: str, body: object = None) -> Any:
        """Send a body as JSON; None sends none."""
        if body is None:
            return self.send(path, b"", content_type="")
        return self._noted(
            self.client.post(
                _address(path), body, content_type="application/json", headers=self.headers
            ),
            body,
        )

    def patch(self, path: str, body: object) -> Any:
        """Change something by a body of JSON."""
        return self._noted(
            self.client.patch(
                _address(path), body, content_type="application/json", headers=self.headers
            ),
            body,
        )

    def send(self, path: str, body: bytes, content_type: str = "application/json") -> Any:
        """Send a body as it is."""
        return self._noted(
            self.client.generic(
                "POST", _address(path), body, content_type=content_type, headers=self.headers
            )
        )

    def delete(self, path: str) -> Any:
        """Ask for a deletion."""
        return self._noted(self.client.delete(_address(path), headers=self.headers))

    def everything(self, path: str, **query: Any) -> list[Any]:
        """Return the results of all pages."""
        results: list[Any] = []
        page = self.get(path, **query).json()
        while True:
            results.extend(page["results"])
            if page["next"] is None:
                return results
            parts = urlsplit(page["next"])
            page = self.client.get(f"{parts.path}?{parts.query}", headers=self.headers).json()

    def _noted(self, response: Any, body: object = None) -> Any:
        request = response.wsgi_request
        operation = _operation_at(request.path, request.method) if self.recorder else None
        if self.recorder and operation:
            self.recorder.note(operation, body, response)
        return response

    @property
    def headers(self) -> dict[str, str]:
        """What says who calls."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def caller_of(user: User) -> Caller:
    """Return a caller with a new token of the user."""
    return Caller(token=issue_token(user, "a test"))


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the problem document that the response is, having looked at its form."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert set(document) - SOMETIMES == PROBLEM_MEMBERS
    assert document["status"] == status
    assert document["code"] == code, document
    assert document["type"] == f"urn:smallville:problem:{code}"
    assert document["detail"]
    assert document["title"]
    assert_described(response.wsgi_request.path, response.wsgi_request.method, status, code)
    return document


def accepted(response: Any) -> dict[str, Any]:
    """Return background work as it was accepted: its address is that of its state."""
    assert response.status_code == 202, response.content
    shown: dict[str, Any] = response.json()
    assert response["Location"] == shown["status_url"]
    return shown


def owned_by_isabella(row: SimulationRow) -> str:
    """Make the simulation Isabella's; return its address."""
    owner = User.objects.get(username="isabella")
    SimulationRow.objects.filter(pk=row.pk).update(owner=owner)
    return f"/simulations/{row.pk}"


def assert_described(path: str, method: str, status: int, code: str) -> None:
    """See that the schema says of the operation that it can answer with this problem."""
    if code in ANYWHERE:
        return
    operation = _operation_at(path, method)
    answer = operation["responses"].get(str(status), {}) if operation else {}
    shown = answer.get("content", {}).get("application/problem+json", {}).get("examples", {})
    assert code in shown, (
        f"{method} {path} answered {status} `{code}`, and the schema names {list(shown)}: add "
        "the class of the error to `errors` of the view"
    )


def _operation_at(path: str, method: str) -> dict[str, Any] | None:
    operations = schema_document()["paths"].get(_pattern_of(path), {})
    found: dict[str, Any] | None = operations.get("get" if method == "HEAD" else method.lower())
    return found


def _pattern_of(path: str) -> str:
    """Return the path as the schema has it."""
    try:
        return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", resolve(path).route)
    except Resolver404:
        return path


def _address(path: str) -> str:
    return path if path.startswith(("/health", "/metrics", "/api")) else f"/api/v1{path}"
