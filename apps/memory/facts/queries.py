"""Lasting facts as of any tick, and their history."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.django_support.text_search import JsonContains, contains
from apps.memory.facts.events import FactKind
from apps.memory.facts.models import FactRow
from apps.memory.facts.rules import Fact, fact_of


def current_facts(simulation_id: UUID, agent: str, *, as_of_tick: int) -> tuple[Fact, ...]:
    """Return the agent's facts as of the end of the tick, in order of their numbers."""
    rows = FactRow.objects.filter(
        _valid_at(as_of_tick), simulation_id=simulation_id, agent=agent
    )
    return tuple(fact_of(row) for row in rows.order_by("number").values())


def fact_versions(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    only_current: bool = False,
    kind: str = "",
    search: str | None = None,
) -> QuerySet[FactRow]:
    """Return the versions of the agent's facts up to the end of the tick, without an order.

    The filters: those that hold then, of one kind, `search` in the texts.
    """
    rows = FactRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__lte=as_of_tick
    )
    if only_current:
        rows = rows.filter(_valid_at(as_of_tick))
    if kind:
        rows = rows.filter(kind=kind)
    if search is not None:
        rows = rows.filter(
            contains(search, "opinion", "other") | Q(JsonContains("statements", search))
        )
    return rows


def related_pairs(
    simulation_id: UUID, agents: Iterable[str], *, as_of_tick: int
) -> dict[tuple[str, str], Fact]:
    """Return the relationships of the agents among each other, by (agent, other)."""
    slugs = list(agents)
    rows = FactRow.objects.filter(
        _valid_at(as_of_tick),
        simulation_id=simulation_id,
        kind=FactKind.RELATIONSHIP,
        agent__in=slugs,
        other__in=slugs,
    )
    return {(row["agent"], row["other"]): fact_of(row) for row in rows.order_by("pk").values()}


def _valid_at(tick: int) -> Q:
    """Return the condition that a version is valid at the end of the tick."""
    return Q(from_tick__lte=tick) & (Q(to_tick=None) | Q(to_tick__gt=tick))
