"""The provenance of an event: causes, plan, reaction, retrievals, evidence, calls (V6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from typing import Any
from uuid import UUID

from apps.dialogue import events as dialogue_events
from apps.dialogue.events import Said
from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.eventlog.event import EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import (
    causes_of,
    chains_of_causes,
    events_of_turns,
    find_events,
)
from apps.llm.calls import queries as llm_queries
from apps.llm.calls.prompt_storage import fetch_messages
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_vectors
from apps.memory import queries as memory_queries
from apps.memory.events import (
    SUMMARY_PURPOSES,
    MemoriesRated,
    MemoriesRetrieved,
    MemoryFormed,
    MemoryOrigin,
    RetrievalPurpose,
    SelfSummarised,
    Weights,
)
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.mean_squares import mean_squares, query_vector
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.rules import CANDIDATES_MAX
from apps.planning import events as planning_events
from apps.planning import queries as plan_queries
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT
from apps.planning.queries import LEVELS, Planned
from apps.reaction import events as reaction_events
from apps.reaction.events import ReactionDecided
from apps.reflection import events as reflection_events
from apps.reflection.llm_tasks.consolidation import CONSOLIDATION
from apps.reflection.llm_tasks.insights import INSIGHTS
from apps.simulation import queries
from apps.simulation.models import SimulationRow

CAUSES_MAX = 20
RETRIEVALS_MAX = 10
EVIDENCE_MAX = 50
CALLS_MAX = 10

# The purposes of retrievals whose memories lead to events of a type.
_PURPOSES: Mapping[str, frozenset[RetrievalPurpose]] = {
    event.type: frozenset(purposes)
    for events, purposes in (
        (planning_events.EVENTS, {RetrievalPurpose.PLANNING}),
        (reaction_events.EVENTS, {RetrievalPurpose.REACTION}),
        # The decision to talk holds the first words of a conversation.
        (dialogue_events.EVENTS, {RetrievalPurpose.UTTERANCE, RetrievalPurpose.REACTION}),
        (reflection_events.EVENTS, {RetrievalPurpose.INSIGHTS}),
        ((SelfSummarised,), SUMMARY_PURPOSES),
    )
    for event in events
}


def provenance_of(
    simulation: SimulationRow, event: EventRow, *, as_of_tick: int, is_brief: bool = False
) -> dict[str, Any]:
    """Return the origin of a committed event, one step deep, as known at the end of the tick.

    `event`, `causes` and `reaction` are rows of the log. `plan` has by level the `item` and
    the id of its `event`; it is None without a plan. `retrievals`, `evidence` and
    `model_calls` have memories and calls, with the ids of the events that they belong to.

    With `is_brief`, the memories of retrievals are their numbers, as recorded, because the
    scores of each are one more ranking of the memory stream, evidence has no causes, and
    calls have no messages. The event of a retrieval has its scores.
    """
    plan = _planning_events(simulation, event)
    plan_events = [by for _, by in plan if by is not None]
    chains = chains_of_causes(simulation.pk, [event, *plan_events], limit=CAUSES_MAX)
    causes = chains[event.pk]
    reaction = _reaction([event, *causes], [chains[made.pk] for made in plan_events])
    behind = [event] if reaction is None or reaction.pk == event.pk else [event, reaction]
    made = plan_events[:1] if "plan_item" in event.data else []
    made += _sources(simulation, [event, *made])
    calls = list(
        calls_of(
            simulation.pk, [*behind, *made], as_of_tick=as_of_tick, has_messages=not is_brief
        )
    )
    found = _retrievals(simulation, behind, is_brief=is_brief)
    retrievals = list(islice(found, RETRIEVALS_MAX))
    if not is_brief:
        _add_sources(simulation, event, retrievals)
    return {
        "event": event,
        "causes": causes,
        "conversation": event.data.get("conversation"),
        "plan": _steps(plan),
        "reaction": reaction,
        "retrievals": retrievals,
        "evidence": _evidence(simulation, event, is_brief=is_brief),
        "model_calls": calls[:CALLS_MAX],
    }


def _sources(simulation: SimulationRow, events: Iterable[EventRow]) -> list[EventRow]:
    """Return the events that have planned the actions which the events repeat."""
    ids = [one.data["reused_from"] for one in events if one.data.get("reused_from")]
    return list(find_events(simulation.pk, [*map(EventId.parse, ids)]).values())


def _causes_by_event(simulation: SimulationRow, event_ids: Iterable[str]) -> dict[str, str]:
    """Return the cause of each of the events that has one."""
    places = [EventId.parse(event_id) for event_id in event_ids]
    return {str(place): cause for place, cause in causes_of(simulation.pk, places).items()}


def _steps(plan: list[tuple[Planned, EventRow | None]]) -> dict[str, Any] | None:
    steps: dict[str, Any] = dict.fromkeys(LEVELS)
    for planned, by in plan:
        event = None if by is None else by.event_id
        steps[planned.item.level] = {"item": planned.item, "event": event}
    return steps if plan else None


def _planning_events(
    simulation: SimulationRow, event: EventRow
) -> list[tuple[Planned, EventRow | None]]:
    """Return what the event carries out, or the plan for its moment, each with its event."""
    agent, number = event.stream, event.data.get("plan_item", 0)
    plan = plan_queries.lineage_at(simulation.pk, agent, tick=event.tick, number=number)
    ticks = {one.planned_tick for one in plan if one.planned_tick <= simulation.committed_tick}
    rows = events_of_turns(simulation.pk, agent, ticks, types=planning_events.EVENTS)
    by_item = {
        (row.tick, item["number"]): row
        for row in reversed(rows)
        for item in row.data.get("items", ())
    }
    return [(one, by_item.get((one.planned_tick, one.item.number))) for one in plan]


def _reaction(
    behind: Sequence[EventRow], behind_plan: Iterable[Sequence[EventRow]]
) -> EventRow | None:
    """Return the agent's nearest decision to react among the causes, else the plan's causes."""
    for row in chain(behind, *behind_plan):
        if row.type == ReactionDecided.type and row.stream == behind[0].stream:
            return row
    return None


def _evidence(simulation: SimulationRow, event: EventRow, *, is_brief: bool) -> list[Any]:
    """Return the memories that a memory derives from, each with the cause of its event."""
    if event.type != MemoryFormed.type or not event.data["evidence"]:
        return []
    numbers = event.data["evidence"][:EVIDENCE_MAX]
    rows: dict[int, Any] = {
        **memory_queries.numbered(simulation.pk, event.stream, numbers, as_of_tick=event.tick)
    }
    events = [] if is_brief else [row.event_id for row in rows.values()]
    causes = _causes_by_event(simulation, events)
    for row in rows.values():
        row.source = causes.get(row.event_id)
    return [rows[number] for number in numbers if number in rows]


def _retrievals(
    simulation: SimulationRow, events: Sequence[EventRow], *, is_brief: bool
) -> Iterator[dict[str, Any]]:
    """Yield for events of one agent the retrievals of their turns that were made for them."""
    if events[0].type == MemoriesRetrieved.type:
        yield _retrieval(simulation, events[0], events[0])
    rest = [
        one for one in events if one.type in _PURPOSES and one.tick <= simulation.committed_tick
    ]
    ticks = {one.tick for one in rest}
    rows = events_of_turns(simulation.pk, events[0].stream, ticks, types=[MemoriesRetrieved])
    for event in rest:
        for row in rows:
            if row.tick == event.tick and row.data["purpose"] in _PURPOSES[event.type]:
                facts = _retrieval_facts(row, event)
                yield facts if is_brief else _retrieval(simulation, row, event)


def _retrieval(simulation: SimulationRow, row: EventRow, event: EventRow) -> dict[str, Any]:
    """Return a retrieval, with the scores as of that time.

    An utterance records the memories in its prompt: what the outline says already is not shown.
    """
    memories = _scored(simulation, row, event.tick - 1)
    if event.type == Said.type:
        memories = [one for one in memories if one.number in event.data["memories"]]
    return _retrieval_facts(row, event) | {"memories": [*map(asdict, memories)]}


def _add_sources(
    simulation: SimulationRow, event: EventRow, retrievals: Iterable[dict[str, Any]]
) -> None:
    """Add to memories that were retrieved behind an event their own events, and the causes."""
    memories = [memory for one in retrievals for memory in one["memories"]]
    numbers = {memory["number"] for memory in memories}
    rows = memory_queries.numbered(simulation.pk, event.stream, numbers, as_of_tick=event.tick)
    events = {number: row.event_id for number, row in rows.items()}
    causes = _causes_by_event(simulation, events.values())
    for memory in memories:
        memory["event"] = events.get(memory["number"], "")
        memory["source"] = causes.get(memory["event"])


def _retrieval_facts(row: EventRow, event: EventRow) -> dict[str, Any]:
    """Return a retrieval as recorded, with the numbers of its memories."""
    return {
        "event": row.event_id,
        "for": event.event_id,
        "purpose": row.data["purpose"],
        "query": row.data["query"],
        "clock": event.tick - 1,
        "decay": row.data["decay"],
        "memories": row.data["numbers"],
    }


def _scored(simulation: SimulationRow, row: EventRow, tick: int) -> list[RankedMemory]:
    """Return the memories in the prompt with their scores at that time.

    They were the best of the ranking, or of that about an agent, which may be anywhere in the
    ranking; the vector of the query is stored.
    """
    created = queries.get_creation(simulation.pk, at_tick=row.tick)
    settings = created.settings.retrieval
    numbers, query = row.data["numbers"], row.data["query"]
    if not numbers:
        return []
    vectors = open_vectors(
        ModelSpec.from_json(simulation.model),
        simulation_id=simulation.pk,
        tick=tick,
        stream=row.stream,
    )
    rank = partial(
        retrieve,
        simulation.pk,
        row.stream,
        query_vector(
            vectors.vectors([query])[query],
            settings.query_words,
            partial(mean_squares, simulation.pk, row.stream, as_of_tick=tick),
        ),
        as_of_tick=tick,
        rated_by_tick=row.tick,
        tick_seconds=settings.tick_seconds,
        weights=Weights(**row.data["weights"]),
        decay=row.data["decay"],
    )
    ranked = rank(limit=CANDIDATES_MAX)
    if not {memory.number for memory in ranked}.issuperset(numbers):
        ranked = rank(limit=None)
    by_number = {memory.number: memory for memory in ranked}
    return [by_number[number] for number in numbers if number in by_number]


# The task whose answer holds a memory of the origin, with its importance.
_TASKS: Mapping[str, str] = {
    MemoryOrigin.CONVERSATION: TAKEAWAYS.name,
    MemoryOrigin.LEARNED: TAKEAWAYS.name,
    MemoryOrigin.AGREED: TAKEAWAYS.name,
    MemoryOrigin.DECLINED: TAKEAWAYS.name,
    MemoryOrigin.OPINION: TAKEAWAYS.name,
    MemoryOrigin.PLAN_NOTE: TAKEAWAYS.name,
    MemoryOrigin.INSIGHT: INSIGHTS.name,
    MemoryOrigin.CONSOLIDATION: CONSOLIDATION.name,
    MemoryOrigin.INNER_VOICE: OWN_THOUGHT.name,
    MemoryOrigin.DECIDED: OWN_THOUGHT.name,
}


def calls_of(
    simulation_id: UUID,
    events: Iterable[EventRow],
    *,
    as_of_tick: int,
    has_messages: bool = True,
) -> Iterator[dict[str, Any]]:
    """Yield the model calls of the events up to the end of the tick, each once.

    A call whose record was not copied with the log is left out. Without `has_messages` the
    prompts are not read.
    """
    events_by_call: dict[str, EventRow] = {}
    for row in events:
        for call_id in _call_ids(row, as_of_tick):
            events_by_call.setdefault(call_id, row)
    if not events_by_call:
        return
    calls = llm_queries.model_calls_of(simulation_id, events_by_call.keys())
    if has_messages:
        fetch_messages(calls.values())
    for call_id, row in events_by_call.items():
        if call_id in calls:
            call = calls[call_id]
            shown = vars(call) | {"for": row.event_id}
            yield shown | {"messages": call.messages} if has_messages else shown


def _call_ids(event: EventRow, as_of_tick: int) -> list[str]:
    """Return the calls of the event; of a memory, those that created and rated it."""
    if event.type != MemoryFormed.type:
        return list(event.model_calls)
    turn = EventRow.objects.filter(
        simulation_id=event.simulation_id, stream=event.stream, tick=event.tick
    )
    turn = turn.exclude(type=MemoriesRated.type).order_by("ordinal")
    task = _TASKS.get(event.data.get("origin", ""), IMPORTANCE.name)
    made = [call for row in turn for call in row.model_calls if f"/{task}/" in call]
    return made + _rating_calls(event, as_of_tick)


def _rating_calls(event: EventRow, as_of_tick: int) -> list[str]:
    """Return the calls of the later event that rated the memory, if it was rated later."""
    if event.data.get("rated", True):
        return []
    rated = EventRow.objects.filter(
        simulation_id=event.simulation_id,
        stream=event.stream,
        tick__gt=event.tick,
        tick__lte=as_of_tick,
        type=MemoriesRated.type,
        data__numbers__contains=[event.data["number"]],
    ).first()
    return list(rated.model_calls) if rated is not None else []
