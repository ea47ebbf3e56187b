"""Traces an event: its causes, the plan and the reaction behind it, retrieved memories."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.events.lookup import (
    causes_by_event,
    event_id_of,
    find_event_by_id,
    settled_events_of_turn,
)
from apps.api.resources.events.retrieval_traces import Retrieval, retrievals_for
from apps.eventlog.models import EventRow
from apps.llm import queries as llm_queries
from apps.llm.models import ModelCallRow
from apps.llm.queries import ModelCallUnknown
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryFormed
from apps.planning import events as planning_events
from apps.planning import queries as plan_queries
from apps.planning.queries import Planned
from apps.reaction.events import Weighed

CAUSES_MAX = 20
RETRIEVALS_MAX = 10
EVIDENCE_MAX = 50
CALLS_MAX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The origin of an event; `plan` is from the action up, each with its event."""

    causes: tuple[EventRow, ...]
    plan: tuple[tuple[Planned, str | None], ...]
    reaction: EventRow | None
    retrievals: tuple[Retrieval, ...]
    evidence: tuple[Any, ...]
    sources: Mapping[str, str]
    calls: tuple[tuple[str, ModelCallRow], ...]


def trace(context: SimulationContext, event: EventRow) -> Trace:
    """Return the origin of the event."""
    causes = list(_causes(context, event))
    plan = [
        (planned, _planned_by(context, event.stream, planned))
        for planned in _plan(context, event)
    ]
    plan_events = [made for _, made in plan if made is not None]
    reaction = _reaction(context, [event, *causes], plan_events)
    behind = [event] if reaction is None or reaction.pk == event.pk else [event, reaction]
    evidence = _evidence(context, event)
    made = plan_events[0] if plan_events and "plan_item" in event.data else None
    return Trace(
        causes=tuple(causes),
        plan=tuple((planned, None if by is None else event_id_of(by)) for planned, by in plan),
        reaction=reaction,
        retrievals=tuple(
            retrieval for one in behind for retrieval in retrievals_for(context, one)
        )[:RETRIEVALS_MAX],
        evidence=tuple(evidence),
        sources=causes_by_event(context, [memory.event_id for memory in evidence]),
        calls=tuple(_calls(context, [*behind, *([made] if made else [])]))[:CALLS_MAX],
    )


def _causes(context: SimulationContext, event: EventRow) -> Iterator[EventRow]:
    """Yield the event before it, the one before that, and so on."""
    seen = {event_id_of(event)}
    cause = event.cause
    while cause and cause not in seen and len(seen) <= CAUSES_MAX:
        seen.add(cause)
        row = find_event_by_id(context, cause)
        if row is None:
            return
        yield row
        cause = row.cause


def _plan(context: SimulationContext, event: EventRow) -> tuple[Planned, ...]:
    """Return the plan item that the event acts out, or what was planned for its moment."""
    number = event.data.get("plan_item", 0)
    if not number:
        item = plan_queries.item_at(
            context.id,
            event.stream,
            level="action",
            tick=event.tick,
            as_of_tick=event.tick,
        )
        number = 0 if item is None else item.number
    return plan_queries.lineage_of(context.id, event.stream, number, as_of_tick=event.tick)


def _planned_by(context: SimulationContext, agent: str, planned: Planned) -> EventRow | None:
    """Return the event that planned the item."""
    for row in settled_events_of_turn(
        context, agent, planned.planned_tick, types=planning_events.EVENTS
    ):
        if any(item["number"] == planned.item.number for item in row.data.get("items", ())):
            return row
    return None


def _reaction(
    context: SimulationContext, chain: Iterable[EventRow], plan_events: Iterable[EventRow]
) -> EventRow | None:
    """Return the agent's nearest decision to react among the causes, else the plan's causes."""
    event, *_ = rows = list(chain)
    of_plan = (cause for made in plan_events for cause in _causes(context, made))
    for row in (*rows, *of_plan):
        if row.type == Weighed.type and row.stream == event.stream:
            return row
    return None


def _evidence(context: SimulationContext, event: EventRow) -> list[Any]:
    """Return the memories that a memory was derived from."""
    if event.type != MemoryFormed.type or not event.data["evidence"]:
        return []
    numbers = event.data["evidence"][:EVIDENCE_MAX]
    rows = memory_queries.numbered(context.id, event.stream, numbers, as_of_tick=event.tick)
    return [rows[number] for number in numbers if number in rows]


def _calls(
    context: SimulationContext, events: Iterable[EventRow]
) -> Iterator[tuple[str, ModelCallRow]]:
    """Yield the model calls of the events, each once."""
    seen: set[str] = set()
    for row in events:
        for call_id in _calls_of(context, row):
            if call_id in seen:
                continue
            seen.add(call_id)
            try:
                yield event_id_of(row), llm_queries.get_model_call(context.id, call_id)
            except ModelCallUnknown:
                continue  # a record that was not brought along with the log


def _calls_of(context: SimulationContext, event: EventRow) -> list[str]:
    """Return the event's calls; a turn's memories are rated together, by the first's."""
    calls = list(event.model_calls)
    if event.type != MemoryFormed.type or calls:
        return calls
    formed = settled_events_of_turn(context, event.stream, event.tick, types=[MemoryFormed])
    return [call for row in formed for call in row.model_calls]
