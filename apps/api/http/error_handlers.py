"""Handlers of exceptions, for REST framework's views and for Django itself."""

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults

from apps.api.http.problems import (
    BAD_REQUEST,
    INTERNAL_ERROR,
    NOT_ALLOWED,
    NOT_FOUND,
    OUTAGES,
    Problem,
    problem_of,
    problem_response,
)

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
