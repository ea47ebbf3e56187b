"""Writes the model calls of a history as transcripts for Inspect Scout.

A transcript is the day of an agent: Scout's scanners judge a transcript as a whole, and what is
looked for, such as a contradiction or a slip out of the role, shows between the calls of a day.
The columns are those of Scout's transcript database, documented on its page "Transcript
Database"; columns besides them are metadata there. Times are game times without a zone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from apps import history
from apps.archives.exports import EXPORTERS, ExportedFile, pieces_of
from apps.django_support.keyset import pages_of
from apps.history import SimulationRow
from apps.kernel.game_time import GameCalendar
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.models import ModelCallRow
from apps.reports.tables import Table, ensure_parquet_available, write_parquet

SOURCE_TYPE = "smallville"
CALLS_PER_PAGE = 500
FILE_CHARACTERS_MIN = 32_000_000
"""A file ends after the transcript with which it is this long, so that memory is bounded."""

TEXT, NUMBER, FRACTION = "VARCHAR", "BIGINT", "DOUBLE"
COLUMNS: Mapping[str, str] = {
    "transcript_id": TEXT, "source_type": TEXT, "source_id": TEXT, "date": TEXT,
    "task_set": TEXT, "task_id": TEXT, "task_repeat": NUMBER, "agent": TEXT,
    "agent_args": TEXT, "model": TEXT, "model_options": TEXT, "message_count": NUMBER,
    "total_time": FRACTION, "total_tokens": NUMBER, "messages": TEXT, "events": TEXT,
}  # fmt: skip
METADATA_COLUMNS: Mapping[str, str] = {
    "simulation": TEXT, "seed": NUMBER, "agent_name": TEXT, "calls": NUMBER,
    "repaired_answers": NUMBER, "fallbacks": NUMBER, "cost": FRACTION,
}  # fmt: skip

Json = dict[str, Any]


@EXPORTERS.register(
    "inspect-scout",
    description="A transcript of the model calls of each agent and day, for Inspect Scout.",
    ensure_available=ensure_parquet_available,
)
def scout_files(row: SimulationRow) -> Iterator[ExportedFile]:
    """Yield Parquet files with the transcripts up to the committed tick, at least one."""
    transcripts = _transcripts(row)
    columns = {**COLUMNS, **METADATA_COLUMNS}
    with TemporaryDirectory() as folder:
        number, first = 1, next(transcripts, None)
        while number == 1 or first is not None:
            path = Path(folder) / f"transcripts-{number:04}.parquet"
            rows = _rows_of_file(first, transcripts)
            write_parquet(Table(name=path.stem, columns=columns, rows=rows), path)
            yield ExportedFile(name=path.name, pieces=pieces_of(path))
            number, first = number + 1, next(transcripts, None)


def _rows_of_file(first: Json | None, transcripts: Iterator[Json]) -> Iterator[Json]:
    row, size = first, 0
    while row is not None:
        yield row
        size += len(row["messages"]) + len(row["events"])
        row = next(transcripts, None) if size < FILE_CHARACTERS_MIN else None


def _transcripts(row: SimulationRow) -> Iterator[Json]:
    calendar = history.calendar_of(row.pk)
    names = history.names_of_agents(row.pk, as_of_tick=row.committed_tick)
    for day, (first_tick, last_tick) in enumerate(_days(calendar, row.committed_tick), start=1):
        of_day = history.calls_of_history(row.pk, until_tick=last_tick).filter(
            tick__gte=first_tick
        )
        for agent in of_day.order_by("stream").values_list("stream", flat=True).distinct():
            calls = of_day.filter(stream=agent).order_by("tick", "pk")
            transcript = _Transcript(calendar=calendar)
            for page in pages_of(calls, CALLS_PER_PAGE):
                transcript.add(history.fetch_messages(page))
            date = f"{calendar.time_at(first_tick):%Y-%m-%d}"
            yield {
                # Scout makes a file name of it.
                "transcript_id": f"{row.pk}.{agent}.{date}",
                "source_type": SOURCE_TYPE,
                "source_id": str(row.pk),
                "task_set": row.world,
                "task_id": f"{agent}/{date}",
                "task_repeat": day,
                "agent": agent,
                "agent_args": None,
                "model_options": json.dumps(row.model),
                "simulation": row.name,
                "seed": row.seed,
                "agent_name": names.get(agent, agent),
                **transcript.columns(),
            }


def _days(calendar: GameCalendar, until_tick: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last tick of each day, from midnight to midnight."""
    first = 0
    while first <= until_tick:
        midnight = datetime.combine(calendar.time_at(first), datetime.min.time())
        following = calendar.tick_at(midnight + timedelta(days=1))
        yield first, min(following - 1, until_tick)
        first = following


@dataclass(slots=True, kw_only=True)
class _Transcript:
    """The messages and events of the calls so far, and what they used.

    A system message stands in the thread of messages where it differs from the one before. An
    event has the whole prompt of its call.
    """

    calendar: GameCalendar
    messages: list[Json] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    calls: list[ModelCallRow] = field(default_factory=list)
    _system: str = ""

    def add(self, calls: Iterable[ModelCallRow]) -> None:
        """Append the calls, which have their messages."""
        for call in calls:
            prompt = [_message(call, number) for number in range(len(call.messages))]
            answer = _answer(call)
            for message in prompt:
                is_repeated = message["role"] == "system" and message["content"] == self._system
                if not is_repeated:
                    self.messages.append(message)
                if message["role"] == "system":
                    self._system = message["content"]
            self.messages.append(answer)
            self.events.append(_event(call, self.calendar, prompt, answer))
            call.fetched_messages = None  # so that a day of prompts is kept once
            self.calls.append(call)

    def columns(self) -> Json:
        """Return the columns that follow from the calls, of which there is one at least."""
        outcomes = [call.outcome for call in self.calls]
        return {
            "date": self.calendar.time_at(self.calls[0].tick).isoformat(),
            "model": self.calls[-1].model,
            "message_count": len(self.messages),
            "total_time": sum(call.latency_ms for call in self.calls) / 1_000,
            "total_tokens": sum(
                call.prompt_tokens + call.completion_tokens for call in self.calls
            ),
            "calls": len(self.calls),
            "repaired_answers": outcomes.count(AnswerOutcome.REPAIRED),
            "fallbacks": outcomes.count(AnswerOutcome.FELL_BACK),
            "cost": float(sum(call.cost for call in self.calls)),
            "messages": json.dumps(self.messages, ensure_ascii=False),
            "events": json.dumps(self.events, ensure_ascii=False),
        }


def _message(call: ModelCallRow, number: int) -> Json:
    """Return a message of the prompt; its id leads back to the call."""
    return {
        "id": f"{call.call_id}/{number}",
        "role": call.messages[number]["role"],
        "content": call.messages[number]["content"],
        "source": "input",
    }


def _answer(call: ModelCallRow) -> Json:
    """Return what the model answered last, and beside it the answer that was used."""
    raw = call.attempts[-1].get("raw") if call.attempts else None
    answer = json.dumps(call.answer, ensure_ascii=False)
    metadata: Json = {"task": call.task, "outcome": call.outcome}
    if raw is not None:
        metadata["used"] = call.answer
    if call.differences:
        metadata["differences"] = call.differences
    return {
        "id": f"{call.call_id}/answer",
        "role": "assistant",
        "content": answer if raw is None else raw,
        "source": "generate",
        "model": call.model,
        "metadata": metadata,
    }


def _event(
    call: ModelCallRow, calendar: GameCalendar, prompt: list[Json], answer: Json
) -> Json:
    time = calendar.time_at(call.tick).isoformat()
    return {
        "event": "model",
        "uuid": call.call_id,
        "timestamp": time,
        "completed": time,
        "working_start": float(call.tick * calendar.tick_seconds),
        "working_time": call.latency_ms / 1_000,
        "model": call.model,
        "input": prompt,
        "tools": [],
        "tool_choice": "none",
        "config": {},
        "retries": max(len(call.attempts) - 1, 0),
        "output": {
            "model": call.model,
            "choices": [{"message": answer, "stop_reason": "stop"}],
            "usage": {
                "input_tokens": call.prompt_tokens - call.cached_prompt_tokens,
                "input_tokens_cache_read": call.cached_prompt_tokens,
                "output_tokens": call.completion_tokens,
                "total_tokens": call.prompt_tokens + call.completion_tokens,
            },
            "time": call.latency_ms / 1_000,
        },
        "metadata": {"task": call.task, "attempts": call.attempts},
    }
