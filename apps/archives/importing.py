"""Imports an archive as a simulation, in one transaction: all of it, or nothing (V5)."""

import base64
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import UUID, uuid4

import numpy as np
from django.db import DataError, IntegrityError, transaction

from apps import history
from apps.archives.archive_format import (
    EMBEDDING_CALLS,
    EMBEDDINGS,
    EVENTS,
    MODEL_CALLS,
    PROMPT_PARTS,
    ArchiveInvalid,
    CallLine,
    EmbeddingCallLine,
    EmbeddingLine,
    EventLine,
    PartLine,
)
from apps.archives.archive_reading import Archive
from apps.archives.log_rules import ReadLog, ensure_log_fits
from apps.eventlog.codec import UnknownEventType, UnreadableEvent
from apps.eventlog.rebuild import rebuild
from apps.eventlog.store import LoggedEvent, LogOutOfOrder, insert_events
from apps.history import SimulationRow
from apps.kernel.errors import SmallvilleError
from apps.lineage.branches import is_branch
from apps.llm.calls.prompt_storage import store_parts
from apps.llm.embeddings import as_halves, store_vectors
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import BUILT_IN_EMBEDDINGS, ModelSpec
from apps.llm.models import EmbeddingCallRow, ModelCallRow
from apps.llm.prompts.parts import part_key
from apps.memory.projections import VectorMissing
from apps.simulation import queries
from apps.simulation.models import ClockRow
from apps.simulation.ports import Ports
from apps.world.loading import load_world, world_named
from apps.world.problems import UnknownWorld

HALF_BYTES = 2
_LOG_ERRORS = (
    UnknownEventType,
    UnreadableEvent,
    LogOutOfOrder,
    VectorMissing,
    queries.SimulationUnknown,  # the log has no creation
)


class SimulationExists(SmallvilleError):
    """There is a simulation of the archive's id already; import it under a new id."""


def import_archive(
    ports: Ports,
    file: IO[bytes],
    *,
    owner_id: int | None = None,
    has_new_id: bool = False,
    adds_world: bool = False,
) -> SimulationRow:
    """Import the archive; the rows of projections are rebuilt from its log.

    A process that is killed meanwhile leaves no row of it. The simulation is paused. A branch
    has its whole history in its archive; it is imported as a simulation without a parent and
    gets a new id in any case.

    :param has_new_id: whether the simulation gets a new id instead of that of the archive.
    :param adds_world: whether the world of the archive is added if there is none of its name.
    :raises ArchiveInvalid: if the archive is damaged, or an event is of an unknown type.
    :raises ArchiveVersionUnknown: if another version of the format wrote it.
    :raises SimulationExists: if there is a simulation of its id.
    :raises UnknownWorld: if there is no such world here.
    :raises WorldChanged: if the world of that name has other files.
    """
    archive = Archive(file)
    simulation_id = archive.manifest.simulation.id
    if has_new_id or is_branch(simulation_id):
        simulation_id = uuid4()
    try:
        with transaction.atomic():
            row = _create_row(archive, simulation_id, owner_id)
            _import_calls(archive, simulation_id, _import_parts(archive))
            log = _import_events(ports, archive, simulation_id)
            _import_embeddings(archive, simulation_id, log.texts)
            rebuild(ports.store, simulation_id)
            _create_clocks(row)
            _ensure_world(ports, archive, row, log, adds_world=adds_world)
    except _LOG_ERRORS as error:
        raise ArchiveInvalid(f"the log cannot be imported: {error}") from error
    except (DataError, IntegrityError, ValueError) as error:
        # The further lines of an error of the database quote its rows.
        what = str(error) if isinstance(error, ValueError) else str(error).partition("\n")[0]
        raise ArchiveInvalid(f"the archive has values that cannot be stored: {what}") from error
    return row


def _create_row(archive: Archive, simulation_id: UUID, owner_id: int | None) -> SimulationRow:
    simulation = archive.manifest.simulation
    # A deleted simulation may be kept for its branches.
    if SimulationRow.with_deleted.filter(pk=simulation_id).exists():
        raise SimulationExists(
            f"there is a simulation {simulation_id} already; import the archive under a new id"
        )
    model = ModelSpec.from_json(simulation.model)
    return SimulationRow.objects.create(
        pk=simulation_id,
        name=simulation.name,
        owner_id=owner_id,
        world=simulation.world,
        seed=simulation.seed,
        model=model.to_json(),
        committed_tick=simulation.committed_tick,
        reason="imported; not yet run here",
    )


def _import_embeddings(archive: Archive, simulation_id: UUID, texts: Mapping[str, str]) -> None:
    """Store the vectors (ADR 87).

    All simulations share those of a built-in model, which are computed from the `texts` by key
    and compared. Those of another model belong to this simulation only.
    """
    for lines in archive.batches(EMBEDDINGS, EmbeddingLine):
        of_model: dict[tuple[str, int], dict[str, list[float]]] = {}
        for line in lines:
            halves = base64.b64decode(line.vector, validate=True)
            if len(halves) != HALF_BYTES * line.dimensions:
                raise ArchiveInvalid(f"the vector of {line.text_sha256} has another length")
            vectors = of_model.setdefault((line.model, line.dimensions), {})
            vectors[line.text_sha256] = np.frombuffer(halves, dtype="<f2").tolist()
        for (model, dimensions), vectors in sorted(of_model.items()):
            if model in BUILT_IN_EMBEDDINGS:
                _ensure_computed(vectors, texts, HashingEmbedding(dimensions, model))
                store_vectors(vectors, model, dimensions)
            else:
                store_vectors(vectors, model, dimensions, origin=simulation_id)


def _ensure_computed(
    vectors: Mapping[str, list[float]], texts: Mapping[str, str], model: HashingEmbedding
) -> None:
    """Check that the vectors are those that the model computes for texts of the log."""
    if unknown := vectors.keys() - texts.keys():
        raise ArchiveInvalid(f"the log has no text for the vector of {min(unknown)}")
    for key, vector in vectors.items():
        [computed] = model.embed([texts[key]])
        if as_halves(computed) != vector:
            raise ArchiveInvalid(
                f"the vector of {key} is not the one that {model.name!r} computes for its "
                "text; export the simulation again"
            )


def _import_parts(archive: Archive) -> dict[str, int]:
    """Store the parts of prompts; return their ids here by sha256."""
    ids: dict[str, int] = {}
    for lines in archive.batches(PROMPT_PARTS, PartLine):
        for line in lines:
            if part_key(line.text).hex() != line.sha256:
                raise ArchiveInvalid(f"the part of prompts {line.sha256} has another text")
        found = store_parts(line.text for line in lines)
        ids |= {key.hex(): part for key, part in found.items()}
    return ids


def _import_calls(archive: Archive, simulation_id: UUID, parts: dict[str, int]) -> None:
    for lines in archive.batches(MODEL_CALLS, CallLine):
        rows = []
        for line in lines:
            values = line.model_dump(exclude={"prompt"})
            try:
                prompt = [[role, *(parts[key] for key in keys)] for role, *keys in line.prompt]
            except KeyError as error:
                raise ArchiveInvalid(f"{PROMPT_PARTS} has no part {error}") from error
            rows.append(ModelCallRow(simulation_id=simulation_id, prompt=prompt, **values))
        ModelCallRow.objects.bulk_create(rows)
    for requests in archive.batches(EMBEDDING_CALLS, EmbeddingCallLine):
        EmbeddingCallRow.objects.bulk_create(
            EmbeddingCallRow(simulation_id=simulation_id, **line.model_dump())
            for line in requests
        )


def _import_events(ports: Ports, archive: Archive, simulation_id: UUID) -> ReadLog:
    log, last = ReadLog(), None
    for lines in archive.batches(EVENTS, EventLine):
        events = [LoggedEvent(**line.model_dump()) for line in lines]
        last = insert_events(
            ports.store.registry, simulation_id, events, after=last, note=log.note
        )
    if last is None:
        raise ArchiveInvalid("the log has no events")
    if history.log_sha256(simulation_id) != archive.manifest.log_sha256:
        raise ArchiveInvalid("the log is not the one that was exported: its hash differs")
    return log


def _create_clocks(row: SimulationRow) -> None:
    """Create the clocks of the agents: all have taken the committed tick."""
    if row.committed_tick == 0:
        return  # the first run prepares the agents
    ClockRow.objects.bulk_create(
        ClockRow(simulation_id=row.pk, agent=one.agent, clock=row.committed_tick + 1)
        for one in history.list_agents(row.pk)
    )


def _ensure_world(
    ports: Ports,
    archive: Archive,
    row: SimulationRow,
    log: ReadLog,
    *,
    adds_world: bool,
) -> None:
    """Check that the log fits the world of its name; add that world if there is none."""
    created = queries.get_creation(row.pk)
    try:
        world = world_named(created.world, ports.worlds)
    except UnknownWorld:
        files = archive.world_files()
        if not (adds_world and files):
            raise
        with _staged_world(ports.worlds.own, created.world, files) as folder:
            world = load_world(folder)
            if world.digest != created.world_sha256:
                raise ArchiveInvalid(
                    "the world of the archive is not the one of its log"
                ) from None
            ensure_log_fits(log, created, archive.manifest.simulation, world)
            folder.rename(ports.worlds.own / created.world)
    else:
        queries.ensure_world_unchanged(created, world.digest)
        ensure_log_fits(log, created, archive.manifest.simulation, world)


@contextmanager
def _staged_world(root: Path, name: str, files: dict[str, bytes]) -> Iterator[Path]:
    """Write the files of a world beside its place for the time of the block."""
    stage = root / f".import-{uuid4().hex}"
    try:
        for path, content in files.items():
            target = stage / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        yield stage / name
    finally:
        shutil.rmtree(stage, ignore_errors=True)
