"""Writes a history as a log of concordia, for its program concordia-log and its pages.

The file is what `concordia.utils.structured_logging.SimulationLog.from_json` reads. A step is a
tick, and an entry is the turn of an agent: what it did, what it perceived, the memories that it
formed, and one component for each model call. Parts of prompts are stored once, in the
content store. What users and the simulation did are entries of the game master.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import chain, groupby
from typing import Any

from apps import history
from apps.agents.events import (
    ActionBegan,
    DoorKnocked,
    EntryTried,
    Noticed,
    TurnedAway,
    WalkBegan,
)
from apps.archives.exports import EXPORTERS, ExportedFile
from apps.dialogue.events import Said
from apps.django_support.keyset import pages_of
from apps.eventlog.models import EventRow
from apps.history import SimulationRow
from apps.kernel.batches import batches
from apps.kernel.game_time import GameCalendar
from apps.llm.models import ModelCallRow
from apps.llm.prompts.parts import PromptPartRow, unpacked
from apps.memory.events import MemoryFormed

FILE_NAME = "simulation_log.json"
ROWS_PER_PAGE = 500
HASH_CHARACTERS = 16
"""Of the ids in concordia's content store."""

Json = dict[str, Any]
# A call, and its prompt as references to the content store.
_Call = tuple[ModelCallRow, list[Json]]

_DONE = {ActionBegan.type, WalkBegan.type, EntryTried.type, DoorKnocked.type}


@EXPORTERS.register(
    "concordia-log",
    description="The turns as a log of Concordia, for its program concordia-log.",
)
def concordia_files(row: SimulationRow) -> Iterator[ExportedFile]:
    """Yield the one file with the log up to the committed tick."""
    yield ExportedFile(name=FILE_NAME, pieces=_pieces(row))


def _pieces(row: SimulationRow) -> Iterator[bytes]:
    names = history.names_of_agents(row.pk, as_of_tick=row.committed_tick)
    parts: set[int] = set()  # of the prompts so far, as in an archive
    yield b'{"entries": ['
    yield from _separated(map(_encoded, _entries(row, names, parts)))
    yield b'], "content_store": {'
    yield from _separated(_contents(parts))
    yield b'}, "entity_memories": {'
    yield from _separated(_memories(row, names))
    yield b"}}\n"


def _separated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for number, piece in enumerate(pieces):
        yield b",\n" + piece if number else piece


def _encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def _entries(row: SimulationRow, names: Mapping[str, str], parts: set[int]) -> Iterator[Json]:
    calendar = history.calendar_of(row.pk)
    events_of_log: Iterator[EventRow | _Call] = chain.from_iterable(
        history.pages_of_log(row.pk, until_tick=row.committed_tick)
    )
    calls_of_log: Iterator[EventRow | _Call] = _calls(row, parts)
    rows = merge(events_of_log, calls_of_log, key=_turn_of)
    for (tick, stream), found in groupby(rows, key=_turn_of):
        turn = list(found)
        events = [one for one in turn if isinstance(one, EventRow)]
        calls = [one for one in turn if not isinstance(one, EventRow)]
        name = names.get(stream)
        if name is None:
            yield from (_entry_of_game_master(row.world, calendar, event) for event in events)
            continue
        value = _components(name, events, calls)
        if value:
            act = value.get("__act__", {}).get("Value", "")
            yield _entry(
                calendar,
                tick,
                name,
                component="entity_action",
                kind="entity",
                summary=f"Step {tick} {name} --- {act or ', '.join(value)}",
                data={"key": f"Entity [{name}]", "value": value},
            )


def _turn_of(one: EventRow | _Call) -> tuple[int, str]:
    row = one if isinstance(one, EventRow) else one[0]
    return row.tick, row.stream


def _calls(row: SimulationRow, parts: set[int]) -> Iterator[_Call]:
    for page in pages_of(
        history.calls_of_history(row.pk, until_tick=row.committed_tick), ROWS_PER_PAGE
    ):
        used = {int(part) for call in page for _, *ids in call.prompt for part in ids}
        rows = PromptPartRow.objects.filter(pk__in=used).values_list("pk", "sha256")
        ids = {pk: _content_id(digest) for pk, digest in rows}
        parts |= used
        for call in page:
            yield call, [{"_ref": ids[int(one)]} for _, *refs in call.prompt for one in refs]


def _components(name: str, events: list[EventRow], calls: list[_Call]) -> Json:
    """Return the components of a turn by their keys; concordia knows the first two keys."""
    value: Json = {}
    acts = [event for event in events if _act_text(name, event)]
    if acts:
        causes = _model_calls_behind(acts, events)
        value["__act__"] = {
            "Key": name,
            "Value": "\n".join(_act_text(name, event) for event in acts),
            "Prompt": next((refs for call, refs in calls if call.call_id in causes), []),
        }
    formed = [event.data for event in events if event.type == MemoryFormed.type]
    perceived = [one["description"] for one in formed if one.get("perceived")]
    observations = list(dict.fromkeys([*_sights(events), *perceived]))
    if observations:
        value["__observation__"] = {"Key": "Observation", "Value": observations}
    if formed:
        descriptions = [one["description"] for one in formed]
        value["memories"] = {"Key": "Memories formed", "Value": descriptions}
    times: Counter[str] = Counter()
    for call, refs in calls:
        times[call.task] += 1
        again = f" ({times[call.task]})" if times[call.task] > 1 else ""
        value[f"{call.task}{again}"] = {
            "Key": call.task,
            "Value": json.dumps(call.answer, ensure_ascii=False),
            "Prompt": refs,
            "Model call": call.call_id,
            "Model": call.model,
            "Outcome": call.outcome,
        }
    return value


def _model_calls_behind(acts: Iterable[EventRow], events: Iterable[EventRow]) -> set[str]:
    """Return the ids of the calls that led to the acts by way of events of the same turn."""
    by_id = {event.event_id: event for event in events}
    found: set[str] = set()
    for act in acts:
        event: EventRow | None = act
        while event is not None:
            found |= set(event.model_calls)
            event = by_id.pop(event.cause, None)
    return found


def _act_text(name: str, event: EventRow) -> str:
    if event.type == Said.type:
        return f'{name} -- "{event.data["text"]}"'
    return str(event.data["description"]) if event.type in _DONE else ""


def _sights(events: list[EventRow]) -> Iterator[str]:
    for event in events:
        if event.type == TurnedAway.type:
            yield event.data["why"]
        elif event.type == Noticed.type:
            for sight in event.data["sights"]:
                what = f"{sight['subject'].rpartition(': ')[2]}: " if sight["is_object"] else ""
                yield f"{what}{sight['description']}"


def _entry_of_game_master(world: str, calendar: GameCalendar, event: EventRow) -> Json:
    return _entry(
        calendar,
        event.tick,
        world,
        component="game_master",
        kind="step",
        summary=f"Step {event.tick} {world} --- {event.type}",
        data={
            "key": f"{world} --- {event.type}",
            "value": {event.type: {"Key": event.event_id, "Value": event.data}},
        },
    )


def _entry(
    calendar: GameCalendar,
    tick: int,
    name: str,
    *,
    component: str,
    kind: str,
    summary: str,
    data: Json,
) -> Json:
    return {
        "step": tick,
        "timestamp": calendar.time_at(tick).isoformat(),
        "entity_name": name,
        "component_name": component,
        "entry_type": kind,
        "summary": summary,
        "deduplicated_data": data,
    }


def _contents(parts: set[int]) -> Iterator[bytes]:
    for ids in batches(sorted(parts), ROWS_PER_PAGE):
        for part in PromptPartRow.objects.filter(pk__in=ids).order_by("pk"):
            yield _pair(_content_id(part.sha256), _encoded(unpacked(part.content)))


def _memories(row: SimulationRow, names: Mapping[str, str]) -> Iterator[bytes]:
    calendar = history.calendar_of(row.pk)
    for agent, name in names.items():
        memories = history.list_all_memories(
            row.pk, agent=agent, as_of_tick=row.committed_tick
        ).order_by("number")
        lines = [
            f"[{calendar.time_at(memory.formed_tick)}] {memory.description}"
            for page in pages_of(memories, ROWS_PER_PAGE)
            for memory in page
        ]
        yield _pair(name, _encoded(lines))


def _pair(key: str, value: bytes) -> bytes:
    return _encoded(key) + b": " + value


def _content_id(digest: bytes | memoryview) -> str:
    return bytes(digest).hex()[:HASH_CHARACTERS]
