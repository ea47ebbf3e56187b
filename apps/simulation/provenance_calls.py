"""The model calls behind events: those recorded with them, and those behind a memory (V6)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.eventlog.models import EventRow
from apps.eventlog.queries import event_id_of_row
from apps.llm.calls import queries as llm_queries
from apps.llm.calls.prompt_storage import fetch_messages
from apps.memory.events import MemoriesRated, MemoryFormed, MemoryOrigin
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT
from apps.reflection.llm_tasks.consolidation import CONSOLIDATION
from apps.reflection.llm_tasks.insights import INSIGHTS

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
            shown = vars(call) | {"for": str(event_id_of_row(row))}
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
