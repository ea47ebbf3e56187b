"""The retrievals behind an event, with the scores of that time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.events.lookup import (
    causes_by_event,
    event_id_of,
    settled_events_of_turn,
)
from apps.dialogue import events as dialogue_events
from apps.eventlog.models import EventRow
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """A retrieval made for an event; `events` and `sources` are those of its memories."""

    event: str
    made_for: str
    recalled: MemoriesRetrieved
    as_of_tick: int
    memories: tuple[RankedMemory, ...]
    events: Mapping[int, str]
    sources: Mapping[int, str]


def retrievals_for(context: SimulationContext, event: EventRow) -> Iterator[Retrieval]:
    """Yield the retrievals of the event's turn that were made for what it is about."""
    if event.type == MemoriesRetrieved.type:
        yield _retrieval(context, event, event)
        return
    purposes = _PURPOSES.get(event.type, frozenset())
    for row in settled_events_of_turn(
        context, event.stream, event.tick, types=[MemoriesRetrieved]
    ):
        if row.data["purpose"] in purposes:
            yield _retrieval(context, row, event)


def _retrieval(context: SimulationContext, row: EventRow, event: EventRow) -> Retrieval:
    data: dict[str, Any] = dict(row.data)
    recalled = MemoriesRetrieved(
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
    sources = causes_by_event(context, list(events.values()))
    return Retrieval(
        event=event_id_of(row),
        made_for=event_id_of(event),
        recalled=recalled,
        as_of_tick=as_of_tick,
        memories=tuple(memories),
        events=events,
        sources={number: sources[made] for number, made in events.items() if made in sources},
    )


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
