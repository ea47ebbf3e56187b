"""Summary descriptions as of any tick."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from apps.memory.summary.models import SelfSummaryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentSummary:
    """A summary description that holds from `from_tick` on and is due again at `due_tick`."""

    core: str
    occupation: str
    feeling: str
    text: str
    from_tick: int
    due_tick: int


def current_summary(
    simulation_id: UUID, agent: str, *, as_of_tick: int
) -> CurrentSummary | None:
    """Return the agent's summary as of the end of the tick, None before the first."""
    row = (
        SelfSummaryRow.objects.filter(
            Q(to_tick=None) | Q(to_tick__gt=as_of_tick),
            simulation_id=simulation_id,
            agent=agent,
            from_tick__lte=as_of_tick,
        )
        .order_by("-from_tick")
        .first()
    )
    if row is None:
        return None
    return CurrentSummary(
        core=row.core,
        occupation=row.occupation,
        feeling=row.feeling,
        text=row.text,
        from_tick=row.from_tick,
        due_tick=row.due_tick,
    )
