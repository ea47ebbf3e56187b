"""Traces an event: its causes, the plan and the reaction behind it, retrieved memories."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Any, ClassVar

from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.events.retrieval_traces import retrievals_for
from apps.api.resources.events.serializers import CAUSES_MAX, parse_event_id
from apps.eventlog.event import Event
from apps.eventlog.models import EventRow
from apps.eventlog.queries import causes_of, events_of_turn, find_event, place_of_row
from apps.kernel.errors import NotFound
from apps.llm import queries as llm_queries
from apps.llm.queries import ModelCallUnknown
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryFormed
from apps.planning import events as planning_events
from apps.planning import queries as plan_queries
from apps.planning.queries import Planned
from apps.planning.rules import Level
from apps.reaction.events import Weighed

RETRIEVALS_MAX = 10
EVIDENCE_MAX = 50
CALLS_MAX = 10
_LEVELS: tuple[Level, ...] = ("action", "hour", "outline")


class EventUnknown(NotFound):
    """The settled log holds no such event."""

    code: ClassVar[str] = "event-unknown"


def get_event(context: SimulationContext, event_id: str) -> EventRow:
    """Return a committed event.

    :raises EventUnknown: if there is none of that id.
    """
    row = _find_event(context, event_id)
    if row is None or row.tick > context.as_of_tick:
        raise EventUnknown(f"no settled event of this simulation has the id {event_id}")
    return row


def trace(context: SimulationContext, event: EventRow) -> dict[str, Any]:
    """Return the values of `Why`."""
    causes = list(_causes(context, event))
    plan = [
        (planned, _planning_event(context, event.stream, planned))
        for planned in _plan(context, event)
    ]
    plan_events = [by for _, by in plan if by is not None]
    reaction = _reaction(context, [event, *causes], plan_events)
    behind = [event] if reaction is None or reaction.pk == event.pk else [event, reaction]
    made = plan_events[:1] if "plan_item" in event.data else []
    retrievals = [found for one in behind for found in retrievals_for(context, one)]
    return {
        "event": event,
        "causes": causes,
        "conversation": event.data.get("conversation"),
        "plan": _steps(plan),
        "reaction": reaction,
        "retrievals": retrievals[:RETRIEVALS_MAX],
        "evidence": _evidence(context, event),
        "model_calls": list(_calls(context, [*behind, *made]))[:CALLS_MAX],
    }


def _find_event(context: SimulationContext, event_id: str) -> EventRow | None:
    place = parse_event_id(event_id)
    return None if place is None else find_event(context.id, place)


def _causes(context: SimulationContext, event: EventRow) -> Iterator[EventRow]:
    """Yield the cause of the event, the cause of that event, and so on."""
    seen = {str(place_of_row(event))}
    cause = event.cause
    while cause and cause not in seen and len(seen) <= CAUSES_MAX:
        seen.add(cause)
        row = _find_event(context, cause)
        if row is None:
            return
        yield row
        cause = row.cause


def _plan(context: SimulationContext, event: EventRow) -> tuple[Planned, ...]:
    """Return the plan item that the event carries out, or the plan for its moment."""
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


def _steps(plan: list[tuple[Planned, EventRow | None]]) -> dict[str, Any] | None:
    """Return the values of `PlanBehind`."""
    steps: dict[str, Any] = dict.fromkeys(_LEVELS)
    for planned, by in plan:
        event = None if by is None else str(place_of_row(by))
        steps[planned.item.level] = {"item": planned.item, "event": event}
    return steps if plan else None


def _events_of_turn(
    context: SimulationContext, stream: str, tick: int, *, types: Collection[type[Event]]
) -> Iterable[EventRow]:
    """Return the committed events of a stream's tick of these types."""
    if tick > context.as_of_tick:
        return ()
    return events_of_turn(context.id, stream, tick, types=types)


def _planning_event(
    context: SimulationContext, agent: str, planned: Planned
) -> EventRow | None:
    """Return the event that planned the item."""
    for row in _events_of_turn(
        context, agent, planned.planned_tick, types=planning_events.EVENTS
    ):
        if any(item["number"] == planned.item.number for item in row.data.get("items", ())):
            return row
    return None


def _reaction(
    context: SimulationContext, chain: list[EventRow], plan_events: list[EventRow]
) -> EventRow | None:
    """Return the agent's nearest decision to react among the causes, else the plan's causes."""
    of_plan = (cause for made in plan_events for cause in _causes(context, made))
    for row in (*chain, *of_plan):
        if row.type == Weighed.type and row.stream == chain[0].stream:
            return row
    return None


def _evidence(context: SimulationContext, event: EventRow) -> list[Any]:
    """Return the memories that a memory derives from, each with the cause of its event."""
    if event.type != MemoryFormed.type or not event.data["evidence"]:
        return []
    numbers = event.data["evidence"][:EVIDENCE_MAX]
    rows: dict[int, Any] = {
        **memory_queries.numbered(context.id, event.stream, numbers, as_of_tick=event.tick)
    }
    places = [parse_event_id(row.event_id) for row in rows.values()]
    causes = causes_of(context.id, [place for place in places if place is not None])
    sources = {str(place): cause for place, cause in causes.items()}
    for row in rows.values():
        row.source = sources.get(row.event_id)
    return [rows[number] for number in numbers if number in rows]


def _calls(context: SimulationContext, events: Iterable[EventRow]) -> Iterator[dict[str, Any]]:
    """Yield the model calls of the events, each once."""
    seen: set[str] = set()
    for row in events:
        for call_id in _call_ids(context, row):
            if call_id in seen:
                continue
            seen.add(call_id)
            try:
                call = llm_queries.get_model_call(context.id, call_id)
            except ModelCallUnknown:
                continue  # a record that was not copied with the log
            yield asdict(call) | {"for": str(place_of_row(row))}


def _call_ids(context: SimulationContext, event: EventRow) -> list[str]:
    """Return the event's calls; a turn's memories are rated together, by the first's."""
    calls = list(event.model_calls)
    if event.type != MemoryFormed.type or calls:
        return calls
    formed = _events_of_turn(context, event.stream, event.tick, types=[MemoryFormed])
    return [call for row in formed for call in row.model_calls]
