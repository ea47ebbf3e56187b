"""A simulation leaves a service as one file, and arrives in it again over HTTP."""

import io
import zipfile
from pathlib import Path

import duckdb
import pytest
from pytest_django import Settings

from apps import wiring
from apps.access.models import StoredResponse
from apps.archives.imports import UNFINISHED_MAX
from apps.archives.models import FilePieceRow
from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.ranking import work

pytestmark = pytest.mark.django_db

IMPORTS = "/imports"
ZIP, BYTES = "application/zip", "application/octet-stream"


@pytest.fixture
def archive(town: str, isabella: Caller) -> bytes:
    response = isabella.get(f"{town}/export")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == BYTES
    assert response.headers["Content-Disposition"].endswith('.zip"')
    return b"".join(response.streaming_content)


def test_klaus_imports_what_isabella_has_exported(
    archive: bytes, lived: SimulationRow, town: str, isabella: Caller, klaus: Caller
) -> None:
    problem(klaus.get(f"{town}/export"), 404, "simulation-unknown")
    response = klaus.send(IMPORTS, archive, ZIP)
    assert response.status_code == 201, response.content
    simulation = response.json()
    assert response.headers["Location"].endswith(f"/simulations/{simulation['id']}")
    assert simulation["status"] == "paused"
    copy = SimulationRow.objects.get(pk=simulation["id"])
    assert log_sha256(copy.pk) == log_sha256(lived.pk)
    own = f"/simulations/{copy.pk}"
    for below in ("/state", "/world"):
        theirs = isabella.get(town + below).json()
        assert plain(klaus.get(own + below).json(), own) == plain(theirs, town)
    for below in ("/agents", "/conversations", "/memories", "/model-calls"):
        everything = isabella.everything(town + below)
        assert plain(klaus.everything(own + below), own) == plain(everything, town)
    problem(isabella.get(own), 404, "simulation-unknown")


def test_interviews_stay_where_they_were_given(
    town: str, isabella: Caller, klaus: Caller, lived: SimulationRow
) -> None:
    before = isabella.get(f"{town}/export")
    archive = b"".join(before.streaming_content)
    asked = isabella.post(
        f"{town}/agents/isabella-rodriguez/interviews", {"question": "Who are you?"}
    )
    assert asked.status_code in {200, 201}, asked.content
    after = isabella.get(f"{town}/export")
    assert b"".join(after.streaming_content) == archive


def plain(shown: object, address: str) -> str:
    """Return what is shown, without addresses and ids of the simulation."""
    simulation = address.rpartition("/")[2]
    return repr(shown).replace(simulation, "id")


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"", BYTES, 422, "archive-invalid"),
        (b"{}", ZIP, 422, "archive-invalid"),
        (b"{}", "application/json", 415, "unsupported-media-type"),
    ],
)
def test_another_body_is_rejected(
    isabella: Caller, body: bytes, kind: str, status: int, code: str
) -> None:
    problem(isabella.send(IMPORTS, body, kind), status, code)


def test_a_damaged_file_leaves_nothing_behind(archive: bytes, klaus: Caller) -> None:
    before = SimulationRow.objects.count()
    problem(klaus.send(IMPORTS, archive[:-9_000], ZIP), 422, "archive-invalid")
    assert klaus.everything(IMPORTS) == []
    damaged = bytearray(archive)
    damaged[2_000] ^= 0x55  # in a member
    told = problem(klaus.send(IMPORTS, bytes(damaged), ZIP), 422, "archive-invalid")
    assert SimulationRow.objects.count() == before
    [failed] = klaus.everything(IMPORTS)
    assert (failed["state"], failed["problem"]["detail"]) == ("failed", told["detail"])
    assert not FilePieceRow.objects.exists()
    assert klaus.post(f"{IMPORTS}/{failed['id']}/resume", {}).status_code == 202
    work()
    again = klaus.get(f"{IMPORTS}/{failed['id']}").json()
    assert (again["state"], again["problem"]["code"]) == ("failed", "archive-invalid")
    assert "send it again" in again["problem"]["detail"]


def test_a_world_that_is_missing_here_is_added_and_the_import_resumed(
    archive: bytes, klaus: Caller, settings: Settings, tmp_path: Path
) -> None:
    shipped, settings.SHIPPED_WORLDS = settings.SHIPPED_WORLDS, tmp_path
    wiring.ports.cache_clear()
    told = problem(klaus.send(IMPORTS, archive, ZIP), 422, "unknown-world")
    [paused] = klaus.everything(IMPORTS)
    assert paused["state"] == "paused"
    assert told["detail"].endswith(f"then resume the import {paused['id']}")
    settings.SHIPPED_WORLDS = shipped
    wiring.ports.cache_clear()
    assert klaus.post(f"{IMPORTS}/{paused['id']}/resume", {}).status_code == 202
    work()
    done = klaus.get(f"{IMPORTS}/{paused['id']}").json()
    assert (done["state"], done["problem"]) == ("done", None)
    assert done["progress"]["done"] == done["progress"]["total"] > 0
    assert klaus.get(f"/simulations/{done['simulation']}").status_code == 200
    assert not FilePieceRow.objects.exists()


def test_an_import_is_estimated_and_then_left_to_a_worker(
    archive: bytes, lived: SimulationRow, klaus: Caller
) -> None:
    estimated = klaus.send(f"{IMPORTS}/estimate", archive, ZIP).json()
    assert (estimated["world"], estimated["committed_tick"]) == (
        "smallville",
        lived.committed_tick,
    )
    assert klaus.everything(IMPORTS) == []
    klaus.client.defaults["HTTP_PREFER"] = "respond-async"
    accepted = klaus.send(IMPORTS, archive, ZIP)
    assert accepted.status_code == 202
    assert accepted.headers["Preference-Applied"] == "respond-async"
    assert accepted.json()["progress"]["total"] == estimated["lines"]
    assert accepted.json()["simulation"] is None
    work()
    assert klaus.get(f"{IMPORTS}/{accepted.json()['id']}").json()["state"] == "done"


def test_imports_that_are_not_over_are_limited(archive: bytes, klaus: Caller) -> None:
    klaus.client.defaults["HTTP_PREFER"] = "respond-async"
    asked = [klaus.send(IMPORTS, archive, ZIP) for _ in range(UNFINISHED_MAX)]
    problem(klaus.send(IMPORTS, archive, ZIP), 409, "too-many-imports")
    one = asked[0].json()["id"]
    assert klaus.post(f"{IMPORTS}/{one}/cancel", {}).status_code == 200
    assert not FilePieceRow.objects.filter(of=one).exists()
    assert klaus.send(IMPORTS, archive, ZIP).status_code == 202


def test_a_file_may_be_larger_than_other_bodies(
    archive: bytes, klaus: Caller, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = len(archive) - 1
    assert klaus.send(IMPORTS, archive, ZIP).status_code == 201
    settings.IMPORT_BYTES_MAX = len(archive) - 1
    problem(klaus.send(IMPORTS, archive, ZIP), 413, "body-too-large")


def test_an_import_is_repeated_by_its_key(archive: bytes, klaus: Caller) -> None:
    klaus.client.defaults["HTTP_IDEMPOTENCY_KEY"] = "once"
    first, second = (klaus.send(IMPORTS, archive, ZIP) for _ in range(2))
    assert first.status_code == 201
    assert second.json() == first.json()
    problem(klaus.send(IMPORTS, archive[:-1], ZIP), 422, "idempotency-key-reused")
    # The process has ended between the import and the response.
    StoredResponse.objects.all().delete()
    assert klaus.send(IMPORTS, archive, ZIP).json()["id"] == first.json()["id"]


def test_the_history_is_downloaded_as_tables(
    town: str, isabella: Caller, tmp_path: Path
) -> None:
    response = isabella.get(f"{town}/export", form="parquet")
    assert response.status_code == 200
    file = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    file.extractall(tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == [
        "conversations", "embedding_calls", "events", "memories", "model_calls", "utterances",
    ]  # fmt: skip
    memories = duckdb.read_parquet(str(tmp_path / "memories.parquet")).fetchall()
    assert len(memories) == len(isabella.everything(f"{town}/memories"))


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("inspect-scout", "transcripts-0001.parquet"),
        ("concordia-log", "simulation_log.json"),
        ("sotopia", "AgentProfile/{town}-isabella-rodriguez.json"),
    ],
)
def test_the_history_is_downloaded_for_other_programs(
    town: str, isabella: Caller, form: str, name: str
) -> None:
    response = isabella.get(f"{town}/export", form=form)
    assert response.status_code == 200
    file = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert name.format(town=town.rpartition("/")[2]) in file.namelist()
