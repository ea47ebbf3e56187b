"""Archives of earlier versions are read by this one: their logs, their rows, their prompts."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.archives.importing import import_archive
from apps.eventlog.codec import EventRegistry
from apps.eventlog.models import EventRow
from apps.eventlog.rebuild import check, rebuild
from apps.eventlog.store import EventStore, log_sha256
from apps.eventlog.upcasting import Data, Upcaster
from apps.llm.models import ModelCallRow
from apps.memory.models import MemoryRow
from apps.simulation.models import SimulationRow
from apps.world.folders import WorldFolders

FIXTURES = Path(__file__).parents[2] / "fixtures" / "archives"

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What an archive is known to hold since it was written."""

    log_sha256: str
    events: int
    calls: int
    memories: int


# An archive is added at a release, and none is ever written again.
ARCHIVES = {
    "2026-11": Kept(
        log_sha256="51a33a8b1f592d370ddfa5b5ada77005e76182522970ac52f92eba5b534c821e",
        events=275,
        calls=34,
        memories=38,
    )
}


def imported(name: str, folder: Path) -> SimulationRow:
    """Import the archive with its world into an installation without worlds."""
    ports = replace(wiring.ports(), worlds=WorldFolders(folder))
    with (FIXTURES / f"{name}.zip").open("rb") as file:
        return import_archive(ports, file, adds_world=True)


def test_every_archive_is_listed() -> None:
    assert {path.stem for path in FIXTURES.glob("*.zip")} == set(ARCHIVES)


@pytest.mark.parametrize("name", ARCHIVES)
class TestArchives:
    def test_are_imported_and_rebuilt(self, name: str, tmp_path: Path) -> None:
        row, kept = imported(name, tmp_path), ARCHIVES[name]
        found = Kept(
            log_sha256=log_sha256(row.pk),
            events=EventRow.objects.filter(simulation_id=row.pk).count(),
            calls=ModelCallRow.objects.filter(simulation_id=row.pk).count(),
            memories=MemoryRow.objects.filter(simulation_id=row.pk).count(),
        )
        assert found == kept
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_are_read_whole(self, name: str, tmp_path: Path) -> None:
        row = imported(name, tmp_path)
        for agent in agent_queries.tracks(row.pk, from_tick=0).values():
            action = agent.action_at(row.settled_tick)
            assert action is not None
            assert action.description
        for call in ModelCallRow.objects.filter(simulation_id=row.pk):
            system, user = call.messages
            assert (system["role"], user["role"]) == ("system", "user")
            assert user["content"].strip()


def described(data: Data) -> dict[str, Any]:
    """Return the data of a memory whose text was named `words`."""
    return {("description" if name == "words" else name): data[name] for name in data}


NOTED = Upcaster(old="memory.noted.v1", new="memory.formed.v1", convert=described)


def test_old_types_are_converted_by_a_rebuild_and_stay_on_the_log(tmp_path: Path) -> None:
    row, older = imported("2026-11", tmp_path), uuid4()
    for event in EventRow.objects.filter(simulation_id=row.pk).order_by("position"):
        event.pk, event.simulation_id = None, older
        if event.type == NOTED.new:
            event.type, event.data["words"] = NOTED.old, event.data.pop("description")
        event.save()
    history = log_sha256(older)
    store = EventStore(EventRegistry(wiring.EVENTS, [NOTED]), wiring.event_store().projector)
    rebuild(store, older)
    assert memories_of(older) == memories_of(row.pk)
    assert len(memories_of(older)) == ARCHIVES["2026-11"].memories
    assert log_sha256(older) == history
    types = EventRow.objects.filter(simulation_id=older).values_list("type", flat=True)
    assert NOTED.old in types
    assert NOTED.new not in types


def memories_of(simulation_id: UUID) -> list[tuple[Any, ...]]:
    rows = MemoryRow.objects.filter(simulation_id=simulation_id).order_by("agent", "number")
    return list(rows.values_list("agent", "number", "description", "rating", "formed_tick"))
