"""Traces an event: its causes, the plan and the reaction behind it, retrieved memories."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.events.presentation import place_of
from apps.dialogue import events as dialogue_events
from apps.eventlog.event import Event
from apps.eventlog.models import EventRow
from apps.eventlog.queries import causes_of, events_of_turn, find_event, place_of_row
from apps.llm import queries as llm_queries
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_vectors
from apps.llm.queries import ModelCall, ModelCallUnknown
from apps.memory import queries as memory_queries
from apps.memory.events import MemoriesRecalled, MemoryFormed, Weights
from apps.memory.purposes import RetrievalPurpose
from apps.memory.recall import recall
from apps.memory.retrieval import RankedMemory
from apps.planning import events as planning_events
from apps.planning import queries as plan_queries
from apps.planning.queries import Planned
from apps.reaction import events as reaction_events
from apps.reaction.events import Weighed
from apps.reflection import events as reflection_events
from apps.self_summary import events as self_summary_events

CAUSES_MAX = 20
RETRIEVALS_MAX = 10
EVIDENCE_MAX = 50
CALLS_MAX = 10
# The purposes of retrievals whose memories lead to events of a type.
_PURPOSES: Mapping[str, frozenset[RetrievalPurpose]] = {
    event.type: frozenset(purposes)
    for events, purposes in (
        (planning_events.EVENTS, {RetrievalPurpose.PLANNING, RetrievalPurpose.YESTERDAY}),
        (reaction_events.EVENTS, {RetrievalPurpose.REACTION}),
        (dialogue_events.EVENTS, {RetrievalPurpose.UTTERANCE}),
        (reflection_events.EVENTS, {RetrievalPurpose.INSIGHTS}),
        (
            self_summary_events.EVENTS,
            {
                RetrievalPurpose.CORE_CHARACTERISTICS,
                RetrievalPurpose.DAILY_OCCUPATION,
                RetrievalPurpose.RECENT_PROGRESS,
            },
        ),
    )
    for event in events
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """A retrieval made for an event; `events` and `sources` are those of its memories."""

    event: str
    made_for: str
    recalled: MemoriesRecalled
    as_of_tick: int
    memories: tuple[RankedMemory, ...]
    events: Mapping[int, str]
    sources: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The origin of an event; `plan` is from the action up, each with its event."""

    causes: tuple[EventRow, ...]
    plan: tuple[tuple[Planned, str | None], ...]
    reaction: EventRow | None
    retrievals: tuple[Retrieval, ...]
    evidence: tuple[Any, ...]
    sources: Mapping[str, str]
    calls: tuple[tuple[str, ModelCall], ...]


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
        plan=tuple((planned, None if by is None else _id(by)) for planned, by in plan),
        reaction=reaction,
        retrievals=tuple(
            retrieval for one in behind for retrieval in _retrievals(context, one)
        )[:RETRIEVALS_MAX],
        evidence=tuple(evidence),
        sources=_sources(context, [memory.event_id for memory in evidence]),
        calls=tuple(_calls(context, [*behind, *([made] if made else [])]))[:CALLS_MAX],
    )


def _causes(context: SimulationContext, event: EventRow) -> Iterator[EventRow]:
    """Yield the event before it, the one before that, and so on."""
    seen = {_id(event)}
    cause = event.cause
    while cause and cause not in seen and len(seen) <= CAUSES_MAX:
        seen.add(cause)
        row = _event(context, cause)
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
    for row in _turn(context, agent, planned.planned_tick, types=planning_events.EVENTS):
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


def _retrievals(context: SimulationContext, event: EventRow) -> Iterator[Retrieval]:
    """Yield the retrievals of the event's turn that were made for what it is about."""
    if event.type == MemoriesRecalled.type:
        yield _retrieval(context, event, event)
        return
    purposes = _PURPOSES.get(event.type, frozenset())
    for row in _turn(context, event.stream, event.tick, types=[MemoriesRecalled]):
        if row.data["purpose"] in purposes:
            yield _retrieval(context, row, event)


def _retrieval(context: SimulationContext, row: EventRow, event: EventRow) -> Retrieval:
    data: dict[str, Any] = dict(row.data)
    recalled = MemoriesRecalled(
        purpose=data["purpose"],
        query=data["query"],
        weights=Weights(**data["weights"]),
        decay=data["decay"],
        numbers=tuple(data["numbers"]),
    )
    as_of_tick = event.tick - 1
    memories = _scored(context, row.stream, recalled, as_of_tick)
    numbers = [memory.number for memory in memories]
    rows = memory_queries.numbered(context.id, row.stream, numbers, as_of_tick=as_of_tick)
    events = {number: found.event_id for number, found in rows.items()}
    sources = _sources(context, list(events.values()))
    return Retrieval(
        event=_id(row),
        made_for=_id(event),
        recalled=recalled,
        as_of_tick=as_of_tick,
        memories=tuple(memories),
        events=events,
        sources={number: sources[made] for number, made in events.items() if made in sources},
    )


def _scored(
    context: SimulationContext, agent: str, recalled: MemoriesRecalled, as_of_tick: int
) -> list[RankedMemory]:
    """Return the memories in the prompt with their scores at that time.

    They were the best of the ranking; the vector of the query is stored.
    """
    if not recalled.numbers:
        return []
    vectors = open_vectors(
        ModelSpec.from_json(context.row.model),
        simulation_id=context.id,
        tick=as_of_tick,
        stream=agent,
    )
    ranked = recall(
        context.id,
        agent,
        vectors.vectors([recalled.query])[recalled.query],
        as_of_tick=as_of_tick,
        tick_seconds=context.founded.settings.tick_seconds,
        weights=recalled.weights,
        decay=recalled.decay,
        limit=len(recalled.numbers),
    )
    return [memory for memory in ranked if memory.number in recalled.numbers]


def _evidence(context: SimulationContext, event: EventRow) -> list[Any]:
    """Return the memories that a memory was derived from."""
    if event.type != MemoryFormed.type or not event.data["evidence"]:
        return []
    numbers = event.data["evidence"][:EVIDENCE_MAX]
    rows = memory_queries.numbered(context.id, event.stream, numbers, as_of_tick=event.tick)
    return [rows[number] for number in numbers if number in rows]


def _sources(context: SimulationContext, event_ids: Iterable[str]) -> dict[str, str]:
    """Return the cause of each of the events that has one."""
    places = [place for event_id in event_ids if (place := place_of(event_id)) is not None]
    causes = causes_of(context.id, places)
    return {str(place): cause for place, cause in causes.items()}


def _calls(
    context: SimulationContext, events: Iterable[EventRow]
) -> Iterator[tuple[str, ModelCall]]:
    """Yield the model calls of the events, each once."""
    seen: set[str] = set()
    for row in events:
        for call_id in _calls_of(context, row):
            if call_id in seen:
                continue
            seen.add(call_id)
            try:
                yield _id(row), llm_queries.get_model_call(context.id, call_id)
            except ModelCallUnknown:
                continue  # a record that was not brought along with the log


def _calls_of(context: SimulationContext, event: EventRow) -> list[str]:
    """Return the event's calls; a turn's memories are rated together, by the first's."""
    calls = list(event.model_calls)
    if event.type != MemoryFormed.type or calls:
        return calls
    formed = _turn(context, event.stream, event.tick, types=[MemoryFormed])
    return [call for row in formed for call in row.model_calls]


def _turn(
    context: SimulationContext, stream: str, tick: int, *, types: Collection[type[Event]]
) -> Iterable[EventRow]:
    """Return the events of a stream's tick of these types, as far as it is settled."""
    return (
        events_of_turn(context.id, stream, tick, types=types)
        if tick <= context.as_of_tick
        else ()
    )


def _event(context: SimulationContext, event_id: str) -> EventRow | None:
    place = place_of(event_id)
    return None if place is None else find_event(context.id, place)


def _id(row: EventRow) -> str:
    return str(place_of_row(row))
