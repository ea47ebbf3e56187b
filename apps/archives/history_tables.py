"""The tables of a history for analysis: their columns, and their rows as of a tick."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from apps import history
from apps.archives.exports import EXPORTERS, ExportedFile, pieces_of
from apps.django_support.keyset import pages_of
from apps.history import SimulationRow
from apps.kernel.game_time import GameCalendar
from apps.reports.tables import (
    FLAG,
    FRACTION,
    NUMBER,
    NUMBERS,
    TEXT,
    TEXTS,
    TIME,
    Table,
    ensure_parquet_available,
    write_parquet,
)

ROWS_PER_PAGE = 500

TableRow = dict[str, Any]
_Row = TypeVar("_Row", bound=Model)
# Takes the simulation, its calendar and the tick as of which it reads.
_Rows = Callable[[UUID, GameCalendar, int], Iterator[TableRow]]


def _events(simulation_id: UUID, calendar: GameCalendar, tick: int) -> Iterator[TableRow]:
    for page in history.pages_of_log(simulation_id, until_tick=tick):
        for event in page:
            yield {
                "id": event.event_id,
                "tick": event.tick,
                "time": calendar.time_at(event.tick),
                "stream": event.stream,
                "ordinal": event.ordinal,
                "type": event.type,
                "data": json.dumps(event.data, ensure_ascii=False),
                "cause": event.cause or None,
                "model_calls": event.model_calls,
            }


def _memories(simulation_id: UUID, calendar: GameCalendar, tick: int) -> Iterator[TableRow]:
    rows = history.list_all_memories(simulation_id, as_of_tick=tick)
    for memory in _each(rows.order_by("agent", "number")):
        yield {
            "agent": memory.agent,
            "number": memory.number,
            "event": memory.event_id,
            "formed_tick": memory.formed_tick,
            "formed_time": calendar.time_at(memory.formed_tick),
            "kind": memory.kind,
            "origin": memory.origin,
            "description": memory.description,
            "importance": memory.importance,
            "subject": memory.subject or None,
            "evidence": memory.evidence,
            "times": memory.times,
            "last_repeated_tick": memory.last_repeated_tick,
            "last_retrieved_tick": memory.last_retrieved_tick,
            "superseded_tick": memory.superseded,
            "passing_on": memory.passing_on or None,
        }


def _conversations(
    simulation_id: UUID, calendar: GameCalendar, tick: int
) -> Iterator[TableRow]:
    rows = history.list_conversations(simulation_id, as_of_tick=tick)
    for found in pages_of(rows.order_by("from_tick", "agent"), ROWS_PER_PAGE):
        page: list[Any] = [*found]  # the rows are annotated
        ids = [talk.conversation for talk in page]
        members = history.members_of(simulation_id, ids, as_of_tick=tick)
        for talk in page:
            ended: int | None = None if talk.is_open else talk.ended_tick
            yield {
                "id": talk.conversation,
                "opened_by": talk.agent,
                "participants": list(members[talk.conversation]),
                "start_tick": talk.from_tick,
                "start_time": calendar.time_at(talk.from_tick),
                "end_tick": ended,
                "end_time": None if ended is None else calendar.time_at(ended),
                "utterances": talk.utterance_count,
                "by_phone": talk.by_phone,
            }


def _utterances(simulation_id: UUID, calendar: GameCalendar, tick: int) -> Iterator[TableRow]:
    rows = history.list_utterances(simulation_id, as_of_tick=tick)
    for said in _each(rows.order_by("tick", "agent")):
        yield {
            "event": said.event,
            "conversation": said.conversation,
            "tick": said.tick,
            "time": calendar.time_at(said.tick),
            "agent": said.agent,
            "to": said.to,
            "text": said.text,
            "by_phone": said.by_phone,
        }


def _model_calls(simulation_id: UUID, calendar: GameCalendar, tick: int) -> Iterator[TableRow]:
    calls = history.calls_of_history(simulation_id, until_tick=tick, with_evaluations=True)
    for page in pages_of(calls, ROWS_PER_PAGE):
        for call in history.fetch_messages(page):
            yield {
                "id": call.call_id,
                "tick": call.tick,
                "time": calendar.time_at(call.tick),
                "stream": call.stream,
                "task": call.task,
                "template": call.wording_version,
                **call.answered_by,
                "outcome": call.outcome,
                "prompt": json.dumps(call.messages, ensure_ascii=False),
                "answer": json.dumps(call.answer, ensure_ascii=False),
                "prompt_tokens": call.prompt_tokens,
                "cached_prompt_tokens": call.cached_prompt_tokens,
                "completion_tokens": call.completion_tokens,
                "latency_ms": call.latency_ms,
                "cost": float(call.cost),
            }


def _embedding_calls(
    simulation_id: UUID, calendar: GameCalendar, tick: int
) -> Iterator[TableRow]:
    calls = history.embedding_calls_of_history(simulation_id, until_tick=tick)
    for call in _each(calls):
        yield {
            "tick": call.tick,
            "time": calendar.time_at(call.tick),
            "stream": call.stream,
            **call.answered_by,
            "texts": call.texts,
            "prompt_tokens": call.prompt_tokens,
            "latency_ms": call.latency_ms,
            "cost": float(call.cost),
        }


def _each(rows: QuerySet[_Row]) -> Iterator[_Row]:
    for page in pages_of(rows, ROWS_PER_PAGE):
        yield from page


TABLES: Mapping[str, tuple[_Rows, Mapping[str, str]]] = {
    "events": (_events, {
            "id": TEXT, "tick": NUMBER, "time": TIME, "stream": TEXT, "ordinal": NUMBER,
            "type": TEXT, "data": TEXT, "cause": TEXT, "model_calls": TEXTS,
        }),
    "memories": (_memories, {
            "agent": TEXT, "number": NUMBER, "event": TEXT, "formed_tick": NUMBER,
            "formed_time": TIME, "kind": TEXT, "origin": TEXT, "description": TEXT,
            "importance": NUMBER, "subject": TEXT, "evidence": NUMBERS, "times": NUMBER,
            "last_repeated_tick": NUMBER, "last_retrieved_tick": NUMBER,
            "superseded_tick": NUMBER, "passing_on": TEXT,
        }),
    "conversations": (_conversations, {
            "id": TEXT, "opened_by": TEXT, "participants": TEXTS, "start_tick": NUMBER,
            "start_time": TIME, "end_tick": NUMBER, "end_time": TIME, "utterances": NUMBER,
            "by_phone": FLAG,
        }),
    "utterances": (_utterances, {
            "event": TEXT, "conversation": TEXT, "tick": NUMBER, "time": TIME, "agent": TEXT,
            "to": TEXT, "text": TEXT, "by_phone": FLAG,
        }),
    "model_calls": (_model_calls, {
            "id": TEXT, "tick": NUMBER, "time": TIME, "stream": TEXT, "task": TEXT,
            "template": TEXT, "server": TEXT, "model": TEXT, "served_model": TEXT,
            "system_fingerprint": TEXT, "server_version": TEXT, "outcome": TEXT, "prompt": TEXT,
            "answer": TEXT, "prompt_tokens": NUMBER, "cached_prompt_tokens": NUMBER,
            "completion_tokens": NUMBER, "latency_ms": NUMBER, "cost": FRACTION,
        }),
    "embedding_calls": (_embedding_calls, {
            "tick": NUMBER, "time": TIME, "stream": TEXT, "server": TEXT, "model": TEXT,
            "served_model": TEXT, "system_fingerprint": TEXT, "server_version": TEXT,
            "texts": NUMBER, "prompt_tokens": NUMBER, "latency_ms": NUMBER, "cost": FRACTION,
        }),
}  # fmt: skip


@EXPORTERS.register(
    "parquet",
    description="Tables of events, memories, conversations, utterances, model calls and "
    "embedding calls as Parquet files.",
    ensure_available=ensure_parquet_available,
)
def parquet_files(row: SimulationRow) -> Iterator[ExportedFile]:
    """Yield a file for each table, as of the committed tick.

    Columns whose name ends in `_time` or is `time` are game times.
    """
    tick, calendar = row.committed_tick, history.calendar_of(row.pk)
    with TemporaryDirectory() as folder:
        for name, (rows, columns) in TABLES.items():
            path = Path(folder) / f"{name}.parquet"
            table = Table(name=name, columns=columns, rows=rows(row.pk, calendar, tick))
            write_parquet(table, path)
            yield ExportedFile(name=path.name, pieces=pieces_of(path))
