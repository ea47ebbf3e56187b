"""Rows of memories as of the end of a tick, and conditions on them."""

from uuid import UUID

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from apps.memory.models import MemoryRow, RepetitionRow, RetrievalRow
from apps.memory.rules import UNRATED_IMPORTANCE

RETRIEVED = "last_retrieved_tick"


def rows_as_of(simulation_id: UUID, as_of_tick: int) -> QuerySet[MemoryRow]:
    """Return the memories of a simulation, annotated with what depends on the tick."""
    of_memory = {
        "simulation_id": simulation_id,
        "agent": OuterRef("agent"),
        "number": OuterRef("number"),
    }
    valid = Q(to_tick=None) | Q(to_tick__gt=as_of_tick)
    valid &= Q(from_tick__lte=as_of_tick)
    retrieved = RetrievalRow.objects.filter(valid, **of_memory).order_by("-from_tick")
    repeated = RepetitionRow.objects.filter(valid, **of_memory).order_by("-from_tick")
    is_rated = Q(rated_tick__lte=as_of_tick)
    annotations = {
        RETRIEVED: Subquery(retrieved.values("from_tick")[:1]),
        "last_repeated_tick": Subquery(repeated.values("from_tick")[:1]),
        "times": Coalesce(Subquery(repeated.values("times")[:1]), 1),
        "rated": Case(When(is_rated, then=Value(True)), default=Value(False)),
        "superseded": Case(
            When(superseded_tick__lte=as_of_tick, then=F("superseded_tick")), default=None
        ),
        "importance": Case(When(is_rated, then=F("rating")), default=Value(UNRATED_IMPORTANCE)),
    }
    rows = MemoryRow.objects.filter(simulation_id=simulation_id, formed_tick__lte=as_of_tick)
    return rows.annotate(**annotations)


def formed_or_repeated(simulation_id: UUID, agent: str, from_tick: int, to_tick: int) -> Q:
    """Return the condition that a memory of the agent was formed or repeated in the ticks."""
    ticks = (from_tick, to_tick)
    repeated = RepetitionRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__range=ticks
    )
    return Q(formed_tick__range=ticks) | Q(number__in=repeated.values("number"))


def holds_at(tick: int) -> Q:
    """Return the condition that a memory is not superseded by the end of the tick."""
    return Q(superseded_tick=None) | Q(superseded_tick__gt=tick)
