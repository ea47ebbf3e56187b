"""What responses about the work that users have requested have in common."""

from typing import Protocol


class WithProblem(Protocol):
    """A row that says why its work has failed or is paused; both texts are "" if not."""

    problem_code: str
    problem: str


def problem_of(row: WithProblem) -> dict[str, str] | None:
    """Return the problem of the row as a response has it, None without one."""
    return {"code": row.problem_code, "detail": row.problem} if row.problem else None
