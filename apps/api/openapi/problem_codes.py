"""Which codes the problems of an operation can have; their examples are named for them.

The codes stand in backticks in the words of each answer ("The name is taken (`name-taken`)."),
so that people and programs are told by the same sentence. `code` is no enumeration in the
schema: a client made from it would break on the first code that is added.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import psycopg
from django.db import OperationalError
from rest_framework import exceptions

from apps.api.http.idempotency_keys import REPLAYED
from apps.api.http.problems import PROBLEM_JSON, Problem, problem_of, title_of
from apps.api.http.request_errors import FieldError
from apps.api.http.statuses import STATUS_OF_REFUSALS
from apps.kernel.errors import Refusal

_IN_BACKTICKS = re.compile(r"`([a-z]+(?:-[a-z]+)*)`")

NOT_FOUND_BY_PARAMETER: dict[str, str] = {
    "number": "memory-unknown",
    "ordinal": "event-unknown",
    "call": "model-call-unknown",
    "file": "asset-unknown",
    "opener": "conversation-unknown",
    "username": "member-unknown",
}
"""What is not found by a parameter of the address, where it is not "<parameter>-unknown"."""

USUAL: dict[int, tuple[str, ...]] = {
    400: ("malformed-body", "bad-request"),
    401: ("token-missing", "token-invalid"),
    403: ("not-allowed",),
    404: ("not-found",),
    422: ("invalid-request",),
    429: ("throttled",),
    503: ("database-unavailable", "disk-full"),
}
"""What every operation that can give such an answer can give, besides codes of its own."""

UNDER_A_KEY: dict[int, tuple[str, ...]] = {
    409: ("idempotency-in-progress",),
    422: ("idempotency-key-reused", "idempotency-key-unusable"),
}
"""The same for every operation that takes an Idempotency-Key."""

_INSTANCE = "/api/v1/simulations"
_FIELD_ERROR = FieldError(pointer="/name", code="required", detail="This field is required.")
_OF_FRAMEWORK: tuple[Exception, ...] = (
    exceptions.NotAuthenticated(),
    exceptions.AuthenticationFailed("the token is unknown or has been revoked"),
    exceptions.PermissionDenied(),
    exceptions.MethodNotAllowed("PUT"),
    exceptions.NotFound(),
    exceptions.Throttled(wait=5),
    exceptions.UnsupportedMediaType("text/plain"),
    OperationalError(),
    psycopg.errors.DiskFull(),
)


def name_usual_codes(path: str, status: int, response: dict[str, Any]) -> None:
    """Add to the words of a problem the codes that it does not name and that are usual."""
    usual = [
        *USUAL.get(status, ()),
        *(not_found_codes(path) if status == 404 else ()),
        *(UNDER_A_KEY.get(status, ()) if REPLAYED in response.get("headers", {}) else ()),
    ]
    known, named = known_codes(), set(codes_named(status, response))
    codes = [code for code in usual if code in known and code not in named]
    if codes and PROBLEM_JSON in response.get("content", {}):
        listed = ", ".join(f"`{code}`" for code in codes)
        response["description"] = f"{response['description'].rstrip('.')} ({listed})."


def not_found_codes(path: str) -> Iterator[str]:
    """Yield the codes of what is not found at an address, by its parameters."""
    for name in re.findall(r"{(\w+)}", path):
        yield NOT_FOUND_BY_PARAMETER.get(name, f"{name}-unknown")


def show_problems(status: int, response: dict[str, Any]) -> None:
    """Give a problem's answer an example for each code that its words name."""
    content = response.get("content", {}).get(PROBLEM_JSON)
    if content is not None:
        content["examples"] = {
            code: {"$ref": f"#/components/examples/{code}"}
            for code in codes_named(status, response)
        }


def codes_named(status: int, response: dict[str, Any]) -> list[str]:
    """Return the codes with this status that the words of the answer name, in their order."""
    known = known_codes()
    words = _IN_BACKTICKS.findall(response["description"])
    return [
        code
        for code in dict.fromkeys(words)
        if any(problem.status == status for problem in known.get(code, ()))
    ]


def problem_examples(codes: set[str]) -> dict[str, dict[str, Any]]:
    """Return an example for each of the codes."""
    known = known_codes()
    return {code: _example(known[code][0]) for code in sorted(codes)}


@cache
def known_codes() -> dict[str, list[Problem]]:
    """Return the problems that there are by their code; looked for once a process."""
    known: dict[str, list[Problem]] = {}
    for problem in (*_problems_of_framework(), *_problems_of_refusals()):
        known.setdefault(problem.code, []).append(problem)
    return known


def _problems_of_framework() -> Iterator[Problem]:
    for error in _OF_FRAMEWORK:
        problem = problem_of(error)
        assert problem is not None, f"{error!r} is told as no problem"
        yield problem


def _problems_of_refusals() -> Iterator[Problem]:
    for kind in sorted(_below(Refusal), key=lambda found: (found.__module__, found.__name__)):
        status = next(status for base, status in STATUS_OF_REFUSALS if issubclass(kind, base))
        words = (kind.__doc__ or kind.code).strip()
        yield Problem(status=status, code=kind.code, title=title_of(kind), detail=words)


def _below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for found in kind.__subclasses__():
        yield found
        yield from _below(found)


def _example(problem: Problem) -> dict[str, Any]:
    if problem.code == "invalid-request":
        problem = replace(
            problem, detail="/name: This field is required.", errors=(_FIELD_ERROR,)
        )
    return {"summary": problem.title, "value": problem.body(_INSTANCE)}
