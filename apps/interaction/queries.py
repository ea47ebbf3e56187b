"""Interviews that were held, the latest first."""

from typing import ClassVar
from uuid import UUID

from django.db.models import QuerySet

from apps.interaction.models import InterviewRow
from apps.kernel.errors import NotFound


class InterviewUnknown(NotFound):
    """There is no such interview."""

    code: ClassVar[str] = "interview-unknown"


def get_interview(simulation_id: UUID, interview_id: UUID) -> InterviewRow:
    """Return the interview.

    :raises InterviewUnknown: if the simulation has none of that id.
    """
    row = InterviewRow.objects.filter(simulation_id=simulation_id, pk=interview_id).first()
    if row is None:
        raise InterviewUnknown(f"there is no interview {interview_id} in this simulation")
    return row


def list_interviews(
    simulation_id: UUID, *, agent: str | None = None, before: int | None = None
) -> QuerySet[InterviewRow]:
    """Return the interviews, the latest first; `before` is the number of a page's last."""
    rows = InterviewRow.objects.filter(simulation_id=simulation_id)
    if agent is not None:
        rows = rows.filter(agent=agent)
    if before is not None:
        rows = rows.filter(number__lt=before)
    return rows.order_by("-number")
