"""Queries of interviews."""

from typing import ClassVar
from uuid import UUID

from django.db.models import QuerySet

from apps.django_support.text_search import contains
from apps.interaction.models import InterviewRow
from apps.kernel.errors import NotFound


class InterviewUnknown(NotFound):
    """The simulation has no interview of that id."""

    code: ClassVar[str] = "interview-unknown"


def get_interview(simulation_id: UUID, interview_id: UUID) -> InterviewRow:
    """Return the interview.

    :raises InterviewUnknown: if the simulation has none of the id.
    """
    row = InterviewRow.objects.filter(simulation_id=simulation_id, pk=interview_id).first()
    if row is None:
        raise InterviewUnknown(f"there is no interview {interview_id} in this simulation")
    return row


def list_interviews(
    simulation_id: UUID,
    *,
    agent: str | None = None,
    search: str | None = None,
) -> QuerySet[InterviewRow]:
    """Return the interviews without an order; `search` is a text in question or answer."""
    rows = InterviewRow.objects.filter(simulation_id=simulation_id)
    if agent is not None:
        rows = rows.filter(agent=agent)
    if search is not None:
        rows = rows.filter(contains(search, "question", "answer"))
    return rows
