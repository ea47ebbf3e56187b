"""What can go wrong: the service refuses or does not answer, or work stops."""

from typing import Any, ClassVar

import httpx2

from smallville.records import Record

IN_PROGRESS = "idempotency-in-progress"


class SmallvilleError(Exception):
    """The base of all errors of this package."""


class Unreachable(SmallvilleError):
    """Nobody answers at the address, or the connection broke and was not to be had again."""


class TookTooLong(SmallvilleError):
    """What was waited for was not over in time."""


class WorkStopped(SmallvilleError):
    """Work is paused, has failed, was cancelled or refused; `work` is its document."""

    def __init__(self, work: Record, reason: str) -> None:
        super().__init__(reason)
        self.work = work


class Refused(SmallvilleError):
    """The service has refused a request: its problem document (RFC 9457).

    `code` is stable and names the case, `detail` says what to do. `candidates` are the names
    that may be meant, `errors` the members of the request that are wrong.
    """

    statuses: ClassVar[frozenset[int]] = frozenset()

    def __init__(self, problem: dict[str, Any], *, request_id: str = "") -> None:
        self.problem, self.request_id = problem, request_id
        self.status = int(problem.get("status", 0))
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", ""))
        self.errors: list[dict[str, str]] = list(problem.get("errors", []))
        self.candidates: list[str] = list(problem.get("candidates", []))
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        wrong = [
            f"{error.get('parameter') or error.get('pointer')}: {error.get('detail')}"
            for error in self.errors[1:]  # the first is the detail
        ]
        meant = [f"candidates: {', '.join(self.candidates)}"] if self.candidates else []
        return "; ".join([f"{self.status} {self.code}: {self.detail}", *wrong, *meant])


class NotAllowed(Refused):
    """The token is missing or not valid, or its user may not do this."""

    statuses = frozenset({401, 403})


class NotFound(Refused):
    """There is nothing of that name, or it is not yours to see."""

    statuses = frozenset({404})


class Conflict(Refused):
    """The state of things does not allow it."""

    statuses = frozenset({409, 412})


class Invalid(Refused):
    """The request is wrong: `errors` names its members."""

    statuses = frozenset({400, 422})


def refusal_of(response: httpx2.Response) -> Refused:
    """Return the error of a response whose body has been read."""
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {"status": response.status_code, "detail": response.text[:300]}
    problem.setdefault("status", response.status_code)
    return refusal(problem, request_id=response.headers.get("X-Request-ID", ""))


def refusal(problem: dict[str, Any], *, request_id: str = "") -> Refused:
    """Return the error of a problem document."""
    kinds = (
        kind for kind in Refused.__subclasses__() if problem.get("status") in kind.statuses
    )
    return next(kinds, Refused)(problem, request_id=request_id)
