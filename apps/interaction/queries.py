"""Queries of interviews."""

from uuid import UUID

from django.db.models import QuerySet

from apps.django_support.text_search import contains
from apps.interaction.models import InterviewRow


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
