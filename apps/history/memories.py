"""What the agents of a history remember."""

from dataclasses import dataclass
from uuid import UUID

from apps.django_support.text_search import contains
from apps.memory.models import MemoryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class FormedMemory:
    """A memory of an agent in its words, with its importance, None before it is rated."""

    agent: str
    kind: str
    description: str
    importance: int | None


def memories_formed_since(
    simulation_id: UUID, *, from_tick: int, as_of_tick: int
) -> list[FormedMemory]:
    """Return the memories of all agents that were formed in [from_tick, as_of_tick]."""
    rows = MemoryRow.objects.filter(
        simulation_id=simulation_id, formed_tick__gte=from_tick, formed_tick__lte=as_of_tick
    ).order_by("agent", "number")
    return [
        FormedMemory(
            agent=agent,
            kind=kind,
            description=description,
            importance=rating if rated is not None and rated <= as_of_tick else None,
        )
        for agent, kind, description, rating, rated in rows.values_list(
            "agent", "kind", "description", "rating", "rated_tick"
        )
    ]


def agents_remembering(simulation_id: UUID, text: str, *, as_of_tick: int) -> list[str]:
    """Return the agents with a memory whose words contain the text, in order."""
    rows = MemoryRow.objects.filter(
        contains(text, "description"), simulation_id=simulation_id, formed_tick__lte=as_of_tick
    )
    return sorted(set(rows.order_by().values_list("agent", flat=True)))
