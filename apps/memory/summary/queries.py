"""Summary descriptions as of any tick."""

from dataclasses import dataclass, fields
from uuid import UUID

from django.db.models import Q

from apps.memory.summary.models import SelfSummaryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSummary:
    """A summary description, valid from `from_tick` on and due for renewal at `due_tick`."""

    core: str
    occupation: str
    feeling: str
    text: str
    from_tick: int
    due_tick: int


_FIELDS = [field.name for field in fields(CurrentSummary)]


def current_summary(
    simulation_id: UUID, agent: str, *, as_of_tick: int
) -> CurrentSummary | None:
    """Return the agent's summary as of the end of the tick, None before the first."""
    values = (
        SelfSummaryRow.objects.filter(
            Q(to_tick=None) | Q(to_tick__gt=as_of_tick),
            simulation_id=simulation_id,
            agent=agent,
            from_tick__lte=as_of_tick,
        )
        .order_by("-from_tick")
        .values(*_FIELDS)
        .first()
    )
    return None if values is None else CurrentSummary(**values)
