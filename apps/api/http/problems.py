"""Every error as a problem document (RFC 9457)."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from rest_framework import exceptions

from apps.agents.naming import AgentUnknown
from apps.api.http.field_errors import field_errors
from apps.api.http.request_errors import BodyTooLarge, FieldError, InvalidRequest, MalformedBody
from apps.api.http.statuses import RETRY_AFTER_SECONDS, status_of
from apps.django_support.outages import Outage, outage_of
from apps.kernel.errors import DomainError
from apps.world.errors import AmbiguousPlace, UnknownPerson, UnknownPlace

PROBLEM_JSON = "application/problem+json"
DETAIL_CHARACTERS_MAX = 1_000
ERRORS_LISTED_MAX = 20
CANDIDATES_LISTED_MAX = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem document, without the address that it happened at.

    `candidates` are names that may have been meant; a document without any has no such member.
    """

    status: int
    code: str
    title: str
    detail: str
    errors: tuple[FieldError, ...] = ()
    candidates: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self, instance: str) -> dict[str, Any]:
        """Return the members of the document."""
        candidates = list(self.candidates[:CANDIDATES_LISTED_MAX])
        return {
            "type": f"urn:smallville:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": _bounded(self.detail),
            "code": self.code,
            "instance": _bounded(instance),
            "errors": [_told(error) for error in self.errors[:ERRORS_LISTED_MAX]],
        } | ({"candidates": candidates} if candidates else {})


def title_of(refusal: type[DomainError]) -> str:
    """Return the title of a class of errors: the first line of its docstring."""
    return (refusal.__doc__ or "").strip().partition("\n")[0]


_BAD_REQUEST = Problem(
    status=HTTPStatus.BAD_REQUEST,
    code="bad-request",
    title="The request cannot be read.",
    detail="the request cannot be read; look at its host, headers and address",
)
_NOT_FOUND = Problem(
    status=HTTPStatus.NOT_FOUND,
    code="not-found",
    title="There is nothing of that name here.",
    detail="nothing has this address; GET /api/v1/docs lists the addresses there are",
)
_NOT_ALLOWED = Problem(
    status=HTTPStatus.FORBIDDEN,
    code="not-allowed",
    title="You may not do this.",
    detail="you may not do this",
)
_INTERNAL = Problem(
    status=HTTPStatus.INTERNAL_SERVER_ERROR,
    code="internal-error",
    title="Something went wrong in the service.",
    detail="this is the service's mistake and stands in its log",
)
_NO_DATABASE = Problem(
    status=HTTPStatus.SERVICE_UNAVAILABLE,
    code="database-unavailable",
    title="The database does not answer.",
    detail="the database does not answer; try again in a few seconds",
    headers={"Retry-After": "5"},
)
_DISK_FULL = Problem(
    status=HTTPStatus.SERVICE_UNAVAILABLE,
    code=Outage.DISK_FULL,
    title="The disk of the database is full.",
    detail="the disk of the database is full, so nothing can be written; requests that only "
    "read go on, and all others work again once the operator has freed space",
    headers={"Retry-After": "60"},
)
_OF_OUTAGES = {Outage.DATABASE_AWAY: _NO_DATABASE, Outage.DISK_FULL: _DISK_FULL}
logger = structlog.get_logger(__name__)
# By class of Django REST framework's exceptions: code, title, and a hint where the
# framework's own detail has none.
_OF_FRAMEWORK: tuple[tuple[type[exceptions.APIException], str, str, str], ...] = (
    (
        exceptions.NotAuthenticated,
        "token-missing",
        "The request shows no token.",
        "show a token in the header, as in Authorization: Bearer <token>",
    ),
    (exceptions.AuthenticationFailed, "token-invalid", "The token is not valid.", ""),
    (exceptions.PermissionDenied, _NOT_ALLOWED.code, _NOT_ALLOWED.title, ""),
    (
        exceptions.MethodNotAllowed,
        "method-not-allowed",
        "This address has no such method.",
        "this address has other methods only; the header Allow names them",
    ),
    (
        exceptions.UnsupportedMediaType,
        "unsupported-media-type",
        "The body is not JSON by its type.",
        "send JSON, with the header Content-Type: application/json",
    ),
    (exceptions.Throttled, "throttled", "There are too many requests.", ""),
    (exceptions.ParseError, MalformedBody.code, title_of(MalformedBody), ""),
    (exceptions.NotFound, _NOT_FOUND.code, _NOT_FOUND.title, ""),
)


def problem_of(error: Exception) -> Problem | None:
    """Return the problem document of an error; None for an unexpected error."""
    if isinstance(error, exceptions.ValidationError):
        error = InvalidRequest(field_errors(error.detail))
    if isinstance(error, DomainError):
        return _of_refusal(error)
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    return _of_django(error)


def problem_response(problem: Problem, instance: str) -> HttpResponse:
    """Return the answer that tells the problem."""
    body = json.dumps(problem.body(instance))
    return HttpResponse(
        body, status=problem.status, content_type=PROBLEM_JSON, headers=dict(problem.headers)
    )


def _of_refusal(refusal: DomainError) -> Problem:
    return Problem(
        status=status_of(type(refusal)),
        code=refusal.code,
        title=title_of(type(refusal)),
        detail=refusal.message,
        errors=refusal.errors if isinstance(refusal, InvalidRequest) else (),
        headers=_retry_after(refusal),
        candidates=_candidates(refusal),
    )


def _retry_after(refusal: DomainError) -> dict[str, str]:
    seconds = RETRY_AFTER_SECONDS.get(type(refusal))
    return {} if seconds is None else {"Retry-After": str(seconds)}


def _candidates(refusal: DomainError) -> tuple[str, ...]:
    """Return the names that may have been meant."""
    if isinstance(refusal, AmbiguousPlace):
        return refusal.candidates
    if isinstance(refusal, UnknownPlace | UnknownPerson | AgentUnknown):
        return refusal.near
    return ()


def _of_framework(error: exceptions.APIException) -> Problem | None:
    for kind, code, title, hint in _OF_FRAMEWORK:
        if isinstance(error, kind):
            return Problem(
                status=error.status_code,
                code=code,
                title=title,
                detail=hint or str(error.detail),
                headers=_headers_of(error),
            )
    return None


def _of_django(error: Exception) -> Problem | None:
    by_kind: tuple[tuple[type[Exception], Callable[[], Problem]], ...] = (
        (Http404, lambda: _NOT_FOUND),
        (PermissionDenied, lambda: _NOT_ALLOWED),
        (RequestDataTooBig, lambda: _of_refusal(BodyTooLarge())),
        (SuspiciousOperation, lambda: _BAD_REQUEST),
    )
    found = next((make() for kind, make in by_kind if isinstance(error, kind)), None)
    return found or _of_database(error)


def _of_database(error: Exception) -> Problem | None:
    outage = outage_of(error)
    if outage is None and isinstance(error, OperationalError | InterfaceError):
        outage = Outage.DATABASE_AWAY
    return None if outage is None else _OF_OUTAGES[outage]


def _headers_of(error: exceptions.APIException) -> dict[str, str]:
    headers: dict[str, str] = {}
    challenge = getattr(error, "auth_header", None)
    if challenge:
        headers["WWW-Authenticate"] = challenge
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    return headers


def _told(error: FieldError) -> dict[str, str]:
    return {name: _bounded(value) for name, value in asdict(error).items() if value is not None}


def _bounded(text: str) -> str:
    if len(text) <= DETAIL_CHARACTERS_MAX:
        return text
    return f"{text[:DETAIL_CHARACTERS_MAX]}…"
