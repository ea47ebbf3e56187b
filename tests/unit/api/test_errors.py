"""Errors as problem documents."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions

from apps.api.http.problems import Problem, problem_of
from apps.api.http.request_errors import FieldError, InvalidRequest, parameter_errors
from apps.kernel.errors import DomainError, NotFound, SmallvilleError
from apps.simulation.engine.lifecycle import CannotRun
from apps.simulation.queries import SimulationUnknown
from apps.world.problems import UnknownWorld


def refusals(kind: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    """Yield every refusal of the service."""
    yield kind
    for below in kind.__subclasses__():
        yield from refusals(below)


class TestRefusals:
    @pytest.mark.parametrize("kind", sorted(set(refusals()), key=str))
    def test_have_a_code_and_a_title(self, kind: type[DomainError]) -> None:
        assert kind.code == kind.code.lower()
        assert " " not in kind.code
        assert "_" not in kind.code
        assert kind.__doc__

    @pytest.mark.parametrize(
        ("refusal", "status"),
        [
            (DomainError("no"), HTTPStatus.UNPROCESSABLE_ENTITY),
            (NotFound("no"), HTTPStatus.NOT_FOUND),
            (SimulationUnknown("no"), HTTPStatus.NOT_FOUND),
            (UnknownWorld("no"), HTTPStatus.UNPROCESSABLE_ENTITY),
            (CannotRun("no"), HTTPStatus.CONFLICT),
        ],
    )
    def test_have_a_status_by_their_class(self, refusal: DomainError, status: int) -> None:
        problem = told(refusal)
        assert (problem.status, problem.code, problem.detail) == (status, refusal.code, "no")


class TestProblem:
    @pytest.mark.parametrize(
        ("error", "status", "code"),
        [
            (Http404(), 404, "not-found"),
            (PermissionDenied(), 403, "not-allowed"),
            (RequestDataTooBig(), 413, "body-too-large"),
            (SuspiciousOperation(), 400, "bad-request"),
            (OperationalError(), 503, "database-unavailable"),
            (InterfaceError(), 503, "database-unavailable"),
            (exceptions.NotAuthenticated(), 401, "token-missing"),
            (exceptions.ParseError(), 400, "malformed-body"),
            (exceptions.Throttled(wait=2.5), 429, "throttled"),
        ],
    )
    def test_is_told_for_what_others_raise(
        self, error: Exception, status: int, code: str
    ) -> None:
        problem = told(error)
        assert (problem.status, problem.code) == (status, code)

    @pytest.mark.parametrize(
        "error", [ValueError("ours"), SmallvilleError("ours"), KeyError(1)]
    )
    def test_is_not_made_of_mistakes_of_ours(self, error: Exception) -> None:
        assert problem_of(error) is None

    def test_says_when_to_come_back(self) -> None:
        assert told(exceptions.Throttled(wait=2.5)).headers == {"Retry-After": "3"}
        assert told(exceptions.Throttled(wait=0.1)).headers == {"Retry-After": "1"}

    def test_bounds_what_it_repeats(self) -> None:
        body = told(DomainError("a" * 100_000)).body("/" + "b" * 100_000)
        assert len(body["detail"]) < 1_100
        assert len(body["instance"]) < 1_100

    def test_tells_no_more_errors_than_can_be_read(self) -> None:
        many = [FieldError(pointer=f"/{n}", code="invalid", detail="no") for n in range(1_000)]
        body = told(InvalidRequest(many)).body("/")
        assert len(body["errors"]) == 20
        assert body["detail"] == "/0: no (and 999 more)"


def test_errors_of_a_query_name_their_parameter() -> None:
    detail = {
        "limit": [exceptions.ErrorDetail("no number", code="min_value")],
        "kind": {1: ["no such kind"]},
    }
    assert [*parameter_errors(detail)] == [
        FieldError(parameter="limit", code="min-value", detail="no number"),
        FieldError(parameter="kind", code="invalid", detail="no such kind"),
    ]


def told(error: Exception) -> Problem:
    problem = problem_of(error)
    assert problem is not None
    return problem
