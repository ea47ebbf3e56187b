"""Handlers of exceptions, for REST framework's views and for Django itself."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults

from apps.api.http.problems import (
    _BAD_REQUEST,
    _INTERNAL,
    _NOT_ALLOWED,
    _NOT_FOUND,
    _OF_OUTAGES,
    problem_of,
    problem_response,
)

# Pages for people in a browser keep Django's own errors.
_PAGES_FOR_PEOPLE = "/admin/"
logger = structlog.get_logger(__name__)


def handle_exception_as_problem(
    error: Exception, context: Mapping[str, Any]
) -> HttpResponse | None:
    """Handle what a view raised; the framework calls this for every exception."""
    problem = problem_of(error)
    if problem is None:
        return None
    path = context["request"].path
    response = problem_response(problem, path)
    if problem in _OF_OUTAGES.values():
        # Django would log each such answer; this line is let through once a minute.
        logger.error("the database does not work", path=path, exc_info=error)
        setattr(response, "_has_been_logged", True)  # noqa: B010 (Django has no public name)
    return response


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer an address that there is not."""
    if request.path.startswith(_PAGES_FOR_PEOPLE):
        return defaults.page_not_found(request, exception or Http404())
    return problem_response(_NOT_FOUND, request.path)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a request that Django itself would not read."""
    if request.path.startswith(_PAGES_FOR_PEOPLE):
        return defaults.bad_request(request, exception or Exception())
    problem = problem_of(exception) if exception else None
    return problem_response(problem or _BAD_REQUEST, request.path)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a request that Django itself would not allow."""
    if request.path.startswith(_PAGES_FOR_PEOPLE):
        return defaults.permission_denied(request, exception or PermissionDenied())
    return problem_response(_NOT_ALLOWED, request.path)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer where the service made a mistake; Django has logged it."""
    if request.path.startswith(_PAGES_FOR_PEOPLE):
        return defaults.server_error(request)
    return problem_response(_INTERNAL, request.path)
