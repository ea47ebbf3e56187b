"""The description of problems that an operation can answer with."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse

from apps.api.http.fields import ProblemDocument
from apps.api.http.problems import PROBLEM_JSON


def refusal(words: str) -> OpenApiResponse:
    """Return how an operation's own refusal is described; its document is the problem's."""
    return OpenApiResponse(ProblemDocument, description=words)


def problem(status: int) -> tuple[int, str]:
    """Return the key of a refusal among an operation's responses."""
    return (status, PROBLEM_JSON)


NO_SUCH_PERSON: dict[tuple[int, str], Any] = {
    problem(404): refusal("There is no such simulation or person (`agent-unknown`).")
}
"""Among the responses of whatever is asked about somebody by a parameter of the query."""
