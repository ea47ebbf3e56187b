"""The retrievals behind an event, with the scores of that time."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.events.serializers import parse_event_id
from apps.dialogue import events as dialogue_events
from apps.eventlog.models import EventRow
from apps.eventlog.queries import causes_of, events_of_turn, place_of_row
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_vectors
from apps.memory import queries as memory_queries
from apps.memory.events import MemoriesRetrieved, Weights
from apps.memory.purposes import RetrievalPurpose
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.summary import events as self_summary_events
from apps.planning import events as planning_events
from apps.reaction import events as reaction_events
from apps.reflection import events as reflection_events

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


def retrievals_for(context: SimulationContext, event: EventRow) -> Iterator[dict[str, Any]]:
    """Yield the retrievals that were made for the event, as `RetrievalThen` takes them."""
    if event.type == MemoriesRetrieved.type:
        yield _retrieval(context, event, event)
        return
    purposes = _PURPOSES.get(event.type, frozenset())
    if event.tick > context.as_of_tick:
        return
    for row in events_of_turn(context.id, event.stream, event.tick, types=[MemoriesRetrieved]):
        if row.data["purpose"] in purposes:
            yield _retrieval(context, row, event)


def _retrieval(context: SimulationContext, row: EventRow, event: EventRow) -> dict[str, Any]:
    data: dict[str, Any] = dict(row.data)
    recalled = MemoriesRetrieved(
        purpose=data["purpose"],
        query=data["query"],
        weights=Weights(**data["weights"]),
        decay=data["decay"],
        numbers=tuple(data["numbers"]),
    )
    tick = event.tick - 1
    memories = _scored(context, row.stream, recalled, tick)
    rows = memory_queries.numbered(
        context.id, row.stream, [memory.number for memory in memories], as_of_tick=tick
    )
    events = {number: found.event_id for number, found in rows.items()}
    places = [place for one in events.values() if (place := parse_event_id(one)) is not None]
    causes = {str(place): cause for place, cause in causes_of(context.id, places).items()}
    return {
        "event": str(place_of_row(row)),
        "for": str(place_of_row(event)),
        "purpose": recalled.purpose,
        "query": recalled.query,
        "clock": tick,
        "decay": recalled.decay,
        "memories": [
            asdict(memory)
            | {
                "event": events.get(memory.number, ""),
                "source": causes.get(events.get(memory.number, "")),
            }
            for memory in memories
        ],
    }


def _scored(
    context: SimulationContext, agent: str, recalled: MemoriesRetrieved, as_of_tick: int
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
    ranked = retrieve(
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
