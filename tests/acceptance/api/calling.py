"""A caller of the interface: a user's token, and JSON in and out."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.test import Client

from apps.access.commands import issue_token

PROBLEM_MEMBERS = {"type", "title", "status", "detail", "code", "instance", "errors"}


@dataclass
class Caller:
    """Calls as one user would; `path` is below /api/v1."""

    token: str = ""
    client: Client = field(default_factory=Client)

    def get(self, path: str, **query: Any) -> Any:
        """Return the answer's response."""
        return self.client.get(_address(path), query, headers=self.headers)

    def post(self, path: str, body: object = None) -> Any:
        """Send a body as JSON; None sends none."""
        if body is None:
            return self.send(path, b"", content_type="")
        return self.client.post(
            _address(path), body, content_type="application/json", headers=self.headers
        )

    def send(self, path: str, body: bytes, content_type: str = "application/json") -> Any:
        """Send a body as it is."""
        return self.client.generic(
            "POST", _address(path), body, content_type=content_type, headers=self.headers
        )

    def delete(self, path: str) -> Any:
        """Ask for a deletion."""
        return self.client.delete(_address(path), headers=self.headers)

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
    assert set(document) == PROBLEM_MEMBERS
    assert document["status"] == status
    assert document["code"] == code, document
    assert document["type"] == f"urn:smallville:problem:{code}"
    assert document["detail"]
    assert document["title"]
    return document


def _address(path: str) -> str:
    return path if path.startswith(("/health", "/metrics", "/api")) else f"/api/v1{path}"
