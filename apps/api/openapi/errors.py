"""The errors of each operation: those that its view declares, and those of its kind.

`code` is no enumeration in the schema: a client that is generated from it would break on the
first code that is added.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import psycopg
from django.db import OperationalError
from rest_framework import exceptions

from apps.access.idempotency import KeyReused, KeyUnusable, RequestInProgress
from apps.api.http.problems import PROBLEM_JSON, Problem, problem_of, status_of, title_of
from apps.api.http.request_errors import (
    BodyTooLarge,
    FieldError,
    InvalidRequest,
    LengthRequired,
    MalformedBody,
)
from apps.api.http.views import SAFE, ApiView
from apps.kernel.errors import DomainError

ErrorType = type[Exception]

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
DATABASE_ERRORS: tuple[ErrorType, ...] = (OperationalError, psycopg.errors.DiskFull)
AUTHENTICATION_ERRORS: tuple[ErrorType, ...] = (
    exceptions.NotAuthenticated,
    exceptions.AuthenticationFailed,
)
_OF_COMMANDS: tuple[ErrorType, ...] = (
    exceptions.PermissionDenied,
    RequestInProgress,
    KeyReused,
    KeyUnusable,
)
_OF_BODIES: tuple[ErrorType, ...] = (
    MalformedBody,
    LengthRequired,
    BodyTooLarge,
    exceptions.UnsupportedMediaType,
)
_INSTANCE = "/api/v1/simulations"
_FIELD_ERROR = FieldError(pointer="/name", code="required", detail="This field is required.")
# Instances of errors that are no classes of this project.
_EXAMPLES = (
    exceptions.NotAuthenticated(),
    exceptions.AuthenticationFailed("the token is unknown or has been revoked"),
    exceptions.PermissionDenied(),
    exceptions.NotFound(),
    exceptions.Throttled(wait=5),
    exceptions.UnsupportedMediaType("text/plain"),
    OperationalError(),
    psycopg.errors.DiskFull(),
)


def errors_of_operation(
    view: type[ApiView], method: str, *, has_path_parameters: bool, is_open: bool
) -> list[ErrorType]:
    """Return the errors that an operation can answer with, each once.

    :param method: in capitals.
    :param is_open: whether a request without an account is answered.
    """
    found: list[ErrorType] = [InvalidRequest, *view.declared_errors(method)]
    if has_path_parameters:
        found.append(exceptions.NotFound)
    if method in WITH_BODY:
        found += _OF_BODIES
    if not is_open:
        found += [*AUTHENTICATION_ERRORS, exceptions.Throttled, *DATABASE_ERRORS]
        found += () if method in SAFE else _OF_COMMANDS
    return list(dict.fromkeys(found))


def problem_responses(errors: Iterable[ErrorType], schema: object) -> dict[str, dict[str, Any]]:
    """Return the responses of these errors by status, each with its codes and examples."""
    by_status: dict[int, dict[str, Problem]] = defaultdict(dict)
    for error in errors:
        problem = documented_problem(error)
        by_status[problem.status].setdefault(problem.code, problem)
    return {
        str(status): {
            "description": " ".join(
                f"{problem.title.rstrip('.')} (`{code}`)." for code, problem in problems.items()
            ),
            "content": {
                PROBLEM_JSON: {
                    "schema": schema,
                    "examples": {
                        code: {"$ref": f"#/components/examples/{code}"} for code in problems
                    },
                }
            },
        }
        for status, problems in by_status.items()
    }


def documented_problem(error: ErrorType) -> Problem:
    """Return the problem of an error of this class."""
    example = next((one for one in _EXAMPLES if type(one) is error), None)
    if example is not None:
        problem = problem_of(example)
        assert problem is not None, f"{error!r} is no problem"
        return problem
    assert issubclass(error, DomainError), f"{error!r} needs an instance in _EXAMPLES"
    return Problem(
        status=status_of(error),
        code=error.code,
        title=title_of(error),
        detail=(error.__doc__ or error.code).strip(),
    )


def problem_examples(codes: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return an example for each of the codes."""
    kinds = sorted(error_types(), key=lambda kind: (kind.__module__, kind.__name__))
    # Of several classes with one code, the last one is the example.
    documented = (*reversed(kinds), DomainError, *map(type, _EXAMPLES))
    known = {problem.code: problem for problem in map(documented_problem, documented)}
    # "Invalid request" is shown with an error of a field.
    known[InvalidRequest.code] = replace(
        known[InvalidRequest.code],
        detail="/name: This field is required.",
        errors=(_FIELD_ERROR,),
    )
    return {
        code: {"summary": known[code].title, "value": known[code].body(_INSTANCE)}
        for code in sorted(codes)
    }


def error_types() -> Iterator[type[DomainError]]:
    """Yield every class of errors that the service raises on purpose and that is imported."""
    yield DomainError
    waiting = [DomainError]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        yield from below
