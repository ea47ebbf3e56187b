"""Writes an archive of a simulation: its history up to the committed tick (V5)."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from apps import history
from apps.archives.archive_format import (
    EMBEDDING_CALLS,
    EMBEDDINGS,
    EVENTS,
    FORMAT,
    MANIFEST,
    MODEL_CALLS,
    PROMPT_PARTS,
    VERSION,
    WORLD,
    WORLD_FILE,
    CallLine,
    EmbeddingCallLine,
    EmbeddingLine,
    EventLine,
    Manifest,
    Member,
    PartLine,
    SimulationOfArchive,
)
from apps.archives.exports import StreamedZip, chunks_of
from apps.django_support.keyset import pages_of
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.models import EventRow
from apps.eventlog.store import HASHED, LogHash
from apps.history import SimulationRow, WorldFolders
from apps.kernel.batches import batches
from apps.llm.embeddings import stored_vectors, text_key
from apps.llm.model_spec import BUILT_IN_EMBEDDINGS
from apps.llm.prompts.parts import PromptPartRow, unpacked
from apps.memory.events import MemoriesRetrieved, MemoryFormed
from apps.simulation import queries
from apps.simulation.events import SimulationCreated
from apps.simulation.ports import Ports
from apps.world.loading import world_named
from apps.world.problems import UnknownWorld

ROWS_PER_PAGE = 500
WRITTEN_BY = "smallville 0.1.0"
_CALL_FIELDS = tuple(name for name in CallLine.model_fields if name != "prompt")


@dataclass(slots=True)
class _Contents:
    """What the members so far refer to: parts of prompts, texts with vectors; their events."""

    log: LogHash = field(default_factory=LogHash)
    parts: set[int] = field(default_factory=set)
    texts: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    queries: set[str] = field(default_factory=set)


def write_archive(ports: Ports, row: SimulationRow) -> Iterator[bytes]:
    """Yield the bytes of the archive; the rows are read page by page.

    A simulation may run meanwhile: committed ticks do not change.

    The files of its world are left out if they have changed since its creation.
    """
    until_tick = row.committed_tick
    created = queries.get_creation(row.pk)
    contents, file = _Contents(), StreamedZip()
    contents.texts[created.embedding_model, created.embedding_dimensions] = set()
    yield from file.add(EVENTS, _event_lines(row, until_tick, contents))
    yield from file.add(MODEL_CALLS, _call_lines(row, until_tick, contents))
    yield from file.add(PROMPT_PARTS, _part_lines(contents))
    yield from file.add(EMBEDDING_CALLS, _embedding_call_lines(row, until_tick))
    yield from file.add(EMBEDDINGS, _embedding_lines(row, contents))
    for name, path in sorted(_world_files(ports.worlds, created).items()):
        yield from file.add(f"{WORLD}{name}", chunks_of(path))
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        written_by=WRITTEN_BY,
        simulation=_simulation(row, until_tick),
        log_sha256=contents.log.hexdigest(),
        members={
            name: Member(
                bytes=one.bytes,
                sha256=one.sha256,
                lines=0 if name.startswith(WORLD) else one.pieces,
            )
            for name, one in file.members.items()
        },
    )
    yield from file.add(MANIFEST, [manifest.model_dump_json(indent=1).encode()])
    yield from file.close()


def _simulation(row: SimulationRow, until_tick: int) -> SimulationOfArchive:
    values = {name: getattr(row, name) for name in SimulationOfArchive.model_fields}
    return SimulationOfArchive(**values | {"committed_tick": until_tick})


def _event_lines(row: SimulationRow, until_tick: int, contents: _Contents) -> Iterator[bytes]:
    for page in history.pages_of_log(row.pk, until_tick=_last_tick(row, until_tick)):
        for event in page:
            contents.log.add(tuple(getattr(event, name) for name in HASHED))
            _note_texts(event, contents)
            yield _line(EventLine, event, EventLine.model_fields)


def _last_tick(row: SimulationRow, until_tick: int) -> int:
    """Return the last tick of the log that belongs to the history.

    The changes of a branch are an event of the tick after the last one that it shares.
    """
    changes = history.events_of(row.pk, until_tick=until_tick + 1, streams=[SIMULATION_STREAM])
    last = changes.reverse().first()
    return until_tick if last is None else max(until_tick, last.tick)


def _note_texts(event: EventRow, contents: _Contents) -> None:
    """Note the texts whose vectors belong to the history."""
    if event.type == MemoryFormed.type:
        key = (event.data["embedded_by"], event.data["dimensions"])
        contents.texts.setdefault(key, set()).add(text_key(event.data["description"]))
    elif event.type == MemoriesRetrieved.type:
        contents.queries.add(text_key(event.data["query"]))


def _call_lines(row: SimulationRow, until_tick: int, contents: _Contents) -> Iterator[bytes]:
    # Later interviews would get the ids of those that are left out.
    for page in pages_of(
        history.calls_of_history(row.pk, until_tick=until_tick), ROWS_PER_PAGE
    ):
        parts = {int(part) for call in page for _, *ids in call.prompt for part in ids}
        rows = PromptPartRow.objects.filter(pk__in=parts).values_list("pk", "sha256")
        hashes = {pk: bytes(digest).hex() for pk, digest in rows}
        contents.parts |= parts
        for call in page:
            prompt = [[role, *(hashes[int(one)] for one in ids)] for role, *ids in call.prompt]
            yield _line(CallLine, call, _CALL_FIELDS, prompt=prompt)


def _part_lines(contents: _Contents) -> Iterator[bytes]:
    for ids in batches(sorted(contents.parts), ROWS_PER_PAGE):
        rows = PromptPartRow.objects.filter(pk__in=ids).order_by("pk")
        for part in rows:
            yield _as_line(
                PartLine(sha256=bytes(part.sha256).hex(), text=unpacked(part.content))
            )


def _embedding_call_lines(row: SimulationRow, until_tick: int) -> Iterator[bytes]:
    calls = history.embedding_calls_of_history(row.pk, until_tick=until_tick)
    for page in pages_of(calls, ROWS_PER_PAGE):
        for call in page:
            yield _line(EmbeddingCallLine, call, EmbeddingCallLine.model_fields)


def _embedding_lines(row: SimulationRow, contents: _Contents) -> Iterator[bytes]:
    for (model, dimensions), of_memories in sorted(contents.texts.items()):
        # A built-in model computes the vectors of queries when they are needed. The database
        # has one only if a memory of some simulation has the same text: they are left out.
        is_built_in = model in BUILT_IN_EMBEDDINGS
        keys = of_memories if is_built_in else of_memories | contents.queries
        for batch in batches(sorted(keys), ROWS_PER_PAGE):
            found = stored_vectors(
                batch, model=model, dimensions=dimensions, simulation_id=row.pk
            )
            for key, vector in sorted(found.items()):
                halves = np.asarray(vector, dtype="<f2").tobytes()
                yield _as_line(
                    EmbeddingLine(
                        model=model,
                        dimensions=dimensions,
                        text_sha256=key,
                        vector=base64.b64encode(halves).decode(),
                    )
                )


def _world_files(worlds: WorldFolders, created: SimulationCreated) -> Mapping[str, Path]:
    """Return the files of the simulation's world by their path in its folder.

    Hidden files are left out; there are none if the world has changed or is gone.
    """
    try:
        world = world_named(created.world, worlds)
        queries.ensure_world_unchanged(created, world.digest)
    except (UnknownWorld, queries.WorldChanged):
        return {}
    files = (path for path in world.directory.rglob("*") if path.is_file())
    named = {path.relative_to(world.directory).as_posix(): path for path in files}
    return {name: path for name, path in named.items() if WORLD_FILE.fullmatch(WORLD + name)}


def _line(kind: type[BaseModel], row: object, names: Iterable[str], **others: Any) -> bytes:
    values = {name: getattr(row, name) for name in names}
    return _as_line(kind(**values, **others))


def _as_line(line: BaseModel) -> bytes:
    """Return compact JSON. Floats of events stay as they are: `log_sha256` covers them."""
    values = line.model_dump(mode="python")
    text = json.dumps(values, ensure_ascii=True, separators=(",", ":"), default=_plain)
    return text.encode() + b"\n"


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
