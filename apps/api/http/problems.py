"""Every error as a problem document (RFC 9457): statuses, documents, handlers."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import exceptions

from apps.access.idempotency import RequestInProgress
from apps.access.rights import NotAllowed
from apps.agents.naming import AgentUnknown
from apps.api.http.request_errors import (
    AddressTooLong,
    BodyTooLarge,
    DownloadsTaken,
    FieldError,
    HeadersTooLarge,
    InvalidRequest,
    LengthRequired,
    MalformedBody,
    RequestTimeout,
    ServiceStopping,
    StreamsNeedAsgi,
    StreamsTaken,
    TooManyConnections,
    TooManyDownloads,
    TooManyStreams,
    VersionPassed,
)
from apps.django_support.outage_log import Outage, outage_of
from apps.kernel.errors import Conflict, DomainError, NotFound
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.simulation.commands.embodiments import NotYourEmbodiment
from apps.world.problems import AgentNotInWorld, AmbiguousPlace, UnknownPlace, UnknownWorld

# The first class that an error is an instance of gives the status; others are unprocessable.
# An unknown name in a body is unprocessable, an unknown name in a path is not found.
ERRORS_OF_STATUS: dict[HTTPStatus, tuple[type[DomainError], ...]] = {
    HTTPStatus.UNPROCESSABLE_ENTITY: (UnknownWorld, AgentNotInWorld, UnknownPlace),
    HTTPStatus.BAD_REQUEST: (MalformedBody,),
    HTTPStatus.LENGTH_REQUIRED: (LengthRequired,),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (BodyTooLarge,),
    HTTPStatus.REQUEST_URI_TOO_LONG: (AddressTooLong,),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (HeadersTooLarge,),
    HTTPStatus.REQUEST_TIMEOUT: (RequestTimeout,),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        TooManyConnections,
        ServiceStopping,
        ModelUnavailable,
        StreamsTaken,
        DownloadsTaken,
    ),
    HTTPStatus.NOT_FOUND: (NotFound,),
    HTTPStatus.FORBIDDEN: (NotAllowed, NotYourEmbodiment),
    HTTPStatus.CONFLICT: (Conflict,),
    HTTPStatus.PRECONDITION_FAILED: (VersionPassed,),
    HTTPStatus.BAD_GATEWAY: (ModelMisconfigured,),
    HTTPStatus.TOO_MANY_REQUESTS: (TooManyStreams, TooManyDownloads),
    HTTPStatus.NOT_IMPLEMENTED: (StreamsNeedAsgi,),
}


def status_of(kind: type[DomainError]) -> HTTPStatus:
    """Return the status of the errors of a class."""
    found = (s for s, kinds in ERRORS_OF_STATUS.items() if issubclass(kind, kinds))
    return next(found, HTTPStatus.UNPROCESSABLE_ENTITY)


RETRY_AFTER_SECONDS: dict[type[DomainError], int] = dict.fromkeys(
    (
        TooManyConnections,
        ServiceStopping,
        TooManyStreams,
        StreamsTaken,
        TooManyDownloads,
        DownloadsTaken,
    ),
    5,
)
"""After how many seconds a request with such an error can be repeated."""


PROBLEM_JSON = "application/problem+json"
DETAIL_CHARACTERS_MAX = 1_000
ERRORS_LISTED_MAX = 20
CANDIDATES_LISTED_MAX = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem document without its address.

    `candidates` are names that may be meant; a document without any has no such member.
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
            "errors": [_error_members(error) for error in self.errors[:ERRORS_LISTED_MAX]],
        } | ({"candidates": candidates} if candidates else {})


def title_of(error: type[DomainError]) -> str:
    """Return the title of a class of errors: the first line of its docstring."""
    return (error.__doc__ or "").strip().partition("\n")[0]


BAD_REQUEST = Problem(
    status=HTTPStatus.BAD_REQUEST,
    code="bad-request",
    title="The request cannot be read.",
    detail="the request cannot be read; check its host, headers and address",
)
NOT_FOUND = Problem(
    status=HTTPStatus.NOT_FOUND,
    code="not-found",
    title="There is nothing of that name here.",
    detail="nothing has this address; GET /api/v1/docs lists the addresses",
)
NOT_ALLOWED = Problem(
    status=HTTPStatus.FORBIDDEN,
    code="not-allowed",
    title="You may not do this.",
    detail="you may not do this",
)
INTERNAL_ERROR = Problem(
    status=HTTPStatus.INTERNAL_SERVER_ERROR,
    code="internal-error",
    title="Something went wrong in the service.",
    detail="this is an error of the service; its log has the details",
)
OUTAGES = {
    Outage.DATABASE_AWAY: Problem(
        status=HTTPStatus.SERVICE_UNAVAILABLE,
        code="database-unavailable",
        title="The database does not answer.",
        detail="the database does not answer; try again in a few seconds",
        headers={"Retry-After": "5"},
    ),
    Outage.DISK_FULL: Problem(
        status=HTTPStatus.SERVICE_UNAVAILABLE,
        code=Outage.DISK_FULL,
        title="The disk of the database is full.",
        detail="the disk of the database is full, so nothing can be written; requests that "
        "only read are answered, and all others again after the operator has freed space",
        headers={"Retry-After": "60"},
    ),
}
# By class of Django REST framework's exceptions: code, title, and a hint where the
# framework's own detail has none.
_OF_FRAMEWORK: dict[type[exceptions.APIException], tuple[str, str, str]] = {
    exceptions.NotAuthenticated: (
        "token-missing",
        "The request shows no token.",
        "show a token in the header, as in Authorization: Bearer <token>",
    ),
    exceptions.AuthenticationFailed: ("token-invalid", "The token is not valid.", ""),
    exceptions.PermissionDenied: (NOT_ALLOWED.code, NOT_ALLOWED.title, ""),
    exceptions.MethodNotAllowed: (
        "method-not-allowed",
        "This address has no such method.",
        "this address has other methods only; the header Allow names them",
    ),
    exceptions.UnsupportedMediaType: (
        "unsupported-media-type",
        "The body is not JSON by its type.",
        "send JSON, with the header Content-Type: application/json",
    ),
    exceptions.Throttled: ("throttled", "There are too many requests.", ""),
    exceptions.ParseError: (MalformedBody.code, title_of(MalformedBody), ""),
    exceptions.NotFound: (NOT_FOUND.code, NOT_FOUND.title, ""),
}

_OF_DJANGO = (
    (Http404, NOT_FOUND),
    (PermissionDenied, NOT_ALLOWED),
    (SuspiciousOperation, BAD_REQUEST),
)


def problem_of(error: Exception) -> Problem | None:
    """Return the problem document of an error; None for an unexpected error."""
    if isinstance(error, RequestDataTooBig):
        error = BodyTooLarge()
    if isinstance(error, DomainError):
        return _of_domain(error)
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    known = (problem for kind, problem in _OF_DJANGO if isinstance(error, kind))
    return next(known, None) or _of_database(error)


def problem_response(problem: Problem, instance: str) -> HttpResponse:
    """Return the response with a problem."""
    body = json.dumps(problem.body(instance))
    return HttpResponse(
        body, status=problem.status, content_type=PROBLEM_JSON, headers=dict(problem.headers)
    )


def _of_domain(error: DomainError) -> Problem:
    seconds = RETRY_AFTER_SECONDS.get(type(error))
    if isinstance(error, RequestInProgress):
        seconds = error.retry_after
    candidates: tuple[str, ...] = ()
    if isinstance(error, AmbiguousPlace):
        candidates = error.candidates
    elif isinstance(error, UnknownPlace | AgentNotInWorld | AgentUnknown):
        candidates = error.near
    return Problem(
        status=status_of(type(error)),
        code=error.code,
        title=title_of(type(error)),
        detail=error.message,
        errors=error.errors if isinstance(error, InvalidRequest) else (),
        headers={} if seconds is None else {"Retry-After": str(seconds)},
        candidates=candidates,
    )


def _of_framework(error: exceptions.APIException) -> Problem | None:
    kind = next((kind for kind in _OF_FRAMEWORK if isinstance(error, kind)), None)
    if kind is None:
        return None
    code, title, hint = _OF_FRAMEWORK[kind]
    headers: dict[str, str] = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    return Problem(
        status=error.status_code,
        code=code,
        title=title,
        detail=hint or str(error.detail),
        headers=headers,
    )


def _of_database(error: Exception) -> Problem | None:
    outage = outage_of(error)
    if outage is None and isinstance(error, OperationalError | InterfaceError):
        outage = Outage.DATABASE_AWAY
    return None if outage is None else OUTAGES[outage]


def _error_members(error: FieldError) -> dict[str, str]:
    return {name: _bounded(value) for name, value in asdict(error).items() if value is not None}


def _bounded(text: str) -> str:
    if len(text) <= DETAIL_CHARACTERS_MAX:
        return text
    return f"{text[:DETAIL_CHARACTERS_MAX]}…"


_ADMIN = "/admin/"
logger = structlog.get_logger(__name__)


def handle_exception_as_problem(
    error: Exception, context: Mapping[str, Any]
) -> HttpResponse | None:
    """Handle an exception of a view; the framework calls this for every exception."""
    problem = problem_of(error)
    if problem is None:
        return None
    path = context["request"].path
    response = problem_response(problem, path)
    if problem in OUTAGES.values():
        # Django would log each such response; this line is logged once a minute.
        logger.error("the database does not work", path=path, exc_info=error)
        setattr(response, "_has_been_logged", True)  # noqa: B010 (Django has no public name)
    return response


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the response to an unknown address."""
    error = exception or Http404()
    return _respond(request, NOT_FOUND, lambda: defaults.page_not_found(request, error))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the response to a request that Django itself rejects."""
    error = exception or Exception()
    problem = problem_of(error) or BAD_REQUEST
    return _respond(request, problem, lambda: defaults.bad_request(request, error))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the response to a request that Django itself does not allow."""
    error = exception or PermissionDenied()
    return _respond(request, NOT_ALLOWED, lambda: defaults.permission_denied(request, error))


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the response after an unexpected error, which Django has logged."""
    return _respond(request, INTERNAL_ERROR, lambda: defaults.server_error(request))


def _respond(
    request: HttpRequest, problem: Problem, default: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the problem; the pages of the admin keep Django's own errors."""
    if request.path_info.startswith(_ADMIN):
        return default()
    return problem_response(problem, request.path)
