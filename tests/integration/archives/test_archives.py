"""A simulation in one file: exported, imported, and equal to the one that it was."""

import base64
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from apps import wiring
from apps.agents.events import AgentJoined, WalkBegan
from apps.archives.archive_format import (
    EMBEDDING_CALLS,
    EMBEDDINGS,
    EVENTS,
    MANIFEST,
    MODEL_CALLS,
    PROMPT_PARTS,
    ArchiveInvalid,
    ArchiveVersionUnknown,
)
from apps.archives.exporting import write_archive
from apps.archives.importing import SimulationExists, import_archive
from apps.eventlog.models import EventRow
from apps.eventlog.rebuild import check
from apps.eventlog.store import HASHED, LogHash, log_sha256
from apps.lineage.branches import is_branch
from apps.llm.calls.queries import answering_models
from apps.llm.embeddings import store_vectors, stored_vectors, text_key
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import HASHING, HASHING_DIMENSIONS, ModelSpec, UnknownModel
from apps.llm.models import SHARED, EmbeddingCallRow, EmbeddingRow, ModelCallRow
from apps.llm.opening import Models
from apps.llm.port import CallPurpose
from apps.memory.events import MemoriesRetrieved
from apps.memory.models import MemoryRow
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.events import SimulationCreated
from apps.simulation.models import SimulationRow
from apps.simulation.queries import WorldChanged
from apps.world.folders import WorldFolders
from apps.world.problems import UnknownWorld
from tests.support.snapshots import simulated
from tests.support.towns import live, shared_fixture

pytestmark = pytest.mark.django_db

Change = Callable[[bytes], bytes]


morning = shared_fixture(lambda: simulated("2023-02-13T08:00"))
"""A morning of three agents."""


@pytest.fixture(scope="module")
def archive(morning: SimulationRow, django_db_blocker: DjangoDbBlocker) -> bytes:
    with django_db_blocker.unblock():
        return b"".join(write_archive(wiring.ports(), morning))


def imported(archive: bytes, **options: Any) -> SimulationRow:
    return import_archive(wiring.ports(), io.BytesIO(archive), **options)


def changed(archive: bytes, member: str, change: Change, *, in_manifest: bool = True) -> bytes:
    """Return the archive with another member; its entry in the manifest fits if asked."""
    source = zipfile.ZipFile(io.BytesIO(archive))
    contents = {name: source.read(name) for name in source.namelist()}
    contents[member] = change(contents[member])
    if in_manifest and member != MANIFEST:
        manifest = json.loads(contents[MANIFEST])
        manifest["members"][member] = described(contents[member])
        contents[MANIFEST] = json.dumps(manifest).encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as target:
        for name, content in contents.items():
            target.writestr(name, content)
    return written.getvalue()


def described(content: bytes) -> dict[str, Any]:
    return {
        "bytes": len(content),
        "sha256": sha256(content).hexdigest(),
        "lines": content.count(b"\n"),
    }


class TestRoundTrip:
    def test_gives_the_same_log_rows_and_calls(
        self, morning: SimulationRow, archive: bytes
    ) -> None:
        copy = imported(archive, has_new_id=True)
        assert copy.pk != morning.pk
        assert copy.committed_tick == morning.committed_tick
        assert log_sha256(copy.pk) == log_sha256(morning.pk)
        assert check(wiring.event_store(), copy.pk).problems == ()
        assert rows_of(copy) == rows_of(morning)
        assert calls_of(copy) == calls_of(morning)
        assert calls_of(copy)

    def test_keeps_which_models_embedded_texts(self, morning: SimulationRow) -> None:
        for tick, purpose in ((3, CallPurpose.TURN), (4, CallPurpose.INTERVIEW)):
            EmbeddingCallRow.objects.create(
                simulation_id=morning.pk, tick=tick, stream="maria-lopez", purpose=purpose,
                server="vectors", model="small", served_model="small-2", server_version="1.2",
                prompt_tokens=9, latency_ms=1, cost=1, texts=2, characters=9, setbacks=["429"],
            )  # fmt: skip
        archive = b"".join(write_archive(wiring.ports(), morning))
        copy = imported(archive, has_new_id=True)
        again = b"".join(write_archive(wiring.ports(), copy))
        [line] = member_lines(again, EMBEDDING_CALLS)
        assert [line] == member_lines(archive, EMBEDDING_CALLS)
        assert (line["tick"], line["served_model"], line["texts"]) == (3, "small-2", 2)
        [told] = [
            one
            for one in answering_models(copy.pk, until_tick=copy.committed_tick)
            if one.server == "vectors"
        ]
        assert (told.served_model, told.server_version, told.calls) == ("small-2", "1.2", 1)

    def test_is_the_same_file_every_time(self, morning: SimulationRow, archive: bytes) -> None:
        assert b"".join(write_archive(wiring.ports(), morning)) == archive

    def test_is_the_same_file_whatever_other_simulations_remember(
        self, morning: SimulationRow, archive: bytes
    ) -> None:
        asked = EventRow.objects.filter(
            simulation_id=morning.pk, type=MemoriesRetrieved.type
        ).values_list("data__query", flat=True)
        texts = sorted(set(asked))
        computed = HashingEmbedding(HASHING_DIMENSIONS, HASHING).embed(texts)
        vectors = {text_key(text): one for text, one in zip(texts, computed, strict=True)}
        assert len(stored_vectors([*vectors], model=HASHING, dimensions=HASHING_DIMENSIONS)) < (
            len(vectors)
        ), "no memory has the words of some queries"
        store_vectors(vectors, HASHING, HASHING_DIMENSIONS)
        assert b"".join(write_archive(wiring.ports(), morning)) == archive

    def test_replaces_a_deleted_simulation(
        self, morning: SimulationRow, archive: bytes
    ) -> None:
        history = log_sha256(morning.pk)
        lifecycle.delete_simulation(wiring.ports(), morning.pk)
        copy = imported(archive)
        assert str(copy.pk) == manifest_of(archive)["simulation"]["id"]
        assert log_sha256(copy.pk) == history

    def test_stores_each_part_of_prompts_once(self, archive: bytes) -> None:
        lines = member_lines(archive, PROMPT_PARTS)
        assert len({line["sha256"] for line in lines}) == len(lines)
        references = [
            key
            for call in member_lines(archive, MODEL_CALLS)
            for _, *keys in call["prompt"]
            for key in keys
        ]
        assert set(references) == {line["sha256"] for line in lines}
        assert len(references) > len(lines)

    def test_has_the_history_up_to_the_committed_tick_only(
        self, morning: SimulationRow
    ) -> None:
        earlier = SimulationRow.objects.get(pk=morning.pk)
        earlier.committed_tick = 2_600
        cut = b"".join(write_archive(wiring.ports(), earlier))
        copy = imported(cut, has_new_id=True)
        assert log_sha256(copy.pk) == log_sha256(morning.pk, until_tick=2_600)
        assert copy.committed_tick == 2_600


class TestBranches:
    def test_have_their_whole_history_in_their_archive(self, morning: SimulationRow) -> None:
        spec = ForkSpec(name="another seed", at_tick=2_700, seed=8)
        branch = fork_simulation(wiring.ports(), morning.pk, spec)
        archive = b"".join(write_archive(wiring.ports(), branch))
        copy = imported(archive)
        assert not is_branch(copy.pk)
        assert log_sha256(copy.pk) == log_sha256(branch.pk)
        assert queries.get_creation(copy.pk).seed == 8
        assert calls_of(copy) == calls_of(branch)
        assert calls_of(copy)
        assert check(wiring.event_store(), copy.pk).problems == ()
        shared_past = log_sha256(copy.pk, until_tick=2_700)
        assert shared_past == log_sha256(morning.pk, until_tick=2_700)


class TestVectors:
    def test_of_a_built_in_model_that_it_does_not_compute_are_refused(
        self, archive: bytes
    ) -> None:
        stored = EmbeddingRow.objects.count()
        forged = changed(archive, EMBEDDINGS, with_vectors_of(0.0))
        with pytest.raises(ArchiveInvalid, match="not the one that 'hashing-v1' computes"):
            imported(forged, has_new_id=True)
        assert EmbeddingRow.objects.count() == stored

    def test_of_a_built_in_model_are_those_of_texts_of_the_log(self, archive: bytes) -> None:
        def with_another(lines: bytes) -> bytes:
            first = json.loads(lines.splitlines()[0])
            return lines + line_of(first | {"text_sha256": text_key("The cafe is closed")})

        with pytest.raises(ArchiveInvalid, match="no text for the vector"):
            imported(changed(archive, EMBEDDINGS, with_another), has_new_id=True)

    def test_of_another_model_are_read_by_the_simulation_and_its_branches_only(
        self, morning: SimulationRow, archive: bytes
    ) -> None:
        key = text_key(memory_of(morning).description)
        shared_one = {key: [1.0] * HASHING_DIMENSIONS}
        store_vectors(shared_one, REMOTE, HASHING_DIMENSIONS)
        copy = imported(remotely_embedded(archive, 0.5), has_new_id=True)
        other = imported(remotely_embedded(archive, 0.25), has_new_id=True)
        spec = ForkSpec(name="a branch", at_tick=2_000)
        branch = fork_simulation(replace(wiring.ports(), open_models=built_in), copy.pk, spec)
        for row, number in ((copy, 0.5), (branch, 0.5), (other, 0.25), (morning, 1.0)):
            found = stored_vectors(
                [key], model=REMOTE, dimensions=HASHING_DIMENSIONS, simulation_id=row.pk
            )
            assert found == {key: [number] * HASHING_DIMENSIONS}
        for row, number in ((copy, 0.5), (branch, 0.5), (other, 0.25)):
            assert list(memory_of(row).embedding) == [number] * HASHING_DIMENSIONS
            assert check(wiring.event_store(), row.pk).problems == ()
        exported = b"".join(write_archive(wiring.ports(), copy))
        assert member_lines(exported, EMBEDDINGS) == member_lines(
            remotely_embedded(archive, 0.5), EMBEDDINGS
        )
        for row in (branch, copy):
            lifecycle.delete_simulation(wiring.ports(), row.pk)
        assert set(EmbeddingRow.objects.filter(model=REMOTE).values_list("origin")) == {
            (SHARED,),
            (other.pk,),
        }


REMOTE = "a-remote-model"


def built_in(spec: ModelSpec, seed: int) -> Models:
    """Return the models with the embedding of this installation, which has no server."""
    return wiring.models_of(spec.model_copy(update={"embedding_model": HASHING}), seed)


def line_of(values: dict[str, Any]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def with_vectors_of(number: float) -> Change:
    """Return what writes vectors that consist of one number."""
    vector = base64.b64encode(np.full(HASHING_DIMENSIONS, number, "<f2").tobytes()).decode()

    def change(lines: bytes) -> bytes:
        return b"".join(
            line_of(json.loads(line) | {"vector": vector}) for line in lines.splitlines()
        )

    return change


def remotely_embedded(archive: bytes, number: float) -> bytes:
    """Return the archive as one of a simulation with a remote embedding model."""

    def renamed(content: bytes) -> bytes:
        return content.replace(b'"hashing-v1"', json.dumps(REMOTE).encode())

    archive = changed(archive, EVENTS, renamed)
    archive = changed(
        archive, EMBEDDINGS, lambda lines: renamed(with_vectors_of(number)(lines))
    )
    log = LogHash()
    for event in member_lines(archive, EVENTS):
        log.add(tuple(event[name] for name in HASHED))
    manifest = manifest_of(archive)
    manifest["log_sha256"] = log.hexdigest()
    manifest["simulation"]["model"]["embedding_model"] = REMOTE
    return changed(archive, MANIFEST, lambda _: json.dumps(manifest).encode())


def memory_of(row: SimulationRow) -> MemoryRow:
    """Return the first memory, with its vector."""
    memories = MemoryRow.objects.filter(simulation_id=row.pk).defer(None)
    return memories.order_by("agent", "number")[0]


class TestErrors:
    def test_an_existing_id(self, archive: bytes) -> None:
        with pytest.raises(SimulationExists, match="new id"):
            imported(archive)

    @pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
    def test_a_truncated_file(self, archive: bytes, share: float) -> None:
        with pytest.raises(ArchiveInvalid, match="end is missing"):
            imported(archive[: int(len(archive) * share)], has_new_id=True)

    @pytest.mark.parametrize("member", [EVENTS, MODEL_CALLS, PROMPT_PARTS, EMBEDDINGS])
    def test_changed_bytes(self, archive: bytes, member: str) -> None:
        info = zipfile.ZipFile(io.BytesIO(archive)).getinfo(member)
        middle = info.header_offset + 60 + info.compress_size // 2
        damaged = bytearray(archive)
        damaged[middle] ^= 0x55
        before = SimulationRow.objects.count()
        with pytest.raises(ArchiveInvalid):
            imported(bytes(damaged), has_new_id=True)
        assert SimulationRow.objects.count() == before

    @pytest.mark.parametrize("member", [EVENTS, MODEL_CALLS, PROMPT_PARTS, EMBEDDINGS])
    def test_a_member_that_is_not_that_of_the_manifest(
        self, archive: bytes, member: str
    ) -> None:
        other = changed(archive, member, lambda it: it + b"{}\n", in_manifest=False)
        with pytest.raises(ArchiveInvalid):
            imported(other, has_new_id=True)

    def test_an_event_with_other_data(self, archive: bytes) -> None:
        """The manifest fits the member, but not the log."""
        other = changed(archive, EVENTS, lambda it: it.replace(b"coffee", b"spirit"))
        with pytest.raises(ArchiveInvalid, match=r"its hash differs|no vector"):
            imported(other, has_new_id=True)

    def test_an_unknown_event_type(self, archive: bytes) -> None:
        other = changed(
            archive, EVENTS, lambda it: it.replace(b"agents.action-began.v1", b"agents.flew.v9")
        )
        with pytest.raises(ArchiveInvalid, match=r"agents\.flew\.v9"):
            imported(other, has_new_id=True)

    def test_an_unknown_field(self, archive: bytes) -> None:
        other = changed(
            archive, MODEL_CALLS, lambda it: it.replace(b'"tick":', b'"mood":1,"tick":', 1)
        )
        with pytest.raises(ArchiveInvalid, match=r"model_calls\.jsonl, line 1, mood"):
            imported(other, has_new_id=True)

    def test_events_in_another_order(self, archive: bytes) -> None:
        other = changed(
            archive, EVENTS, lambda it: b"".join(reversed(it.splitlines(keepends=True)))
        )
        with pytest.raises(ArchiveInvalid, match="cannot follow"):
            imported(other, has_new_id=True)

    def test_another_version(self, archive: bytes) -> None:
        other = changed(
            archive, MANIFEST, lambda it: it.replace(b'"version": 1', b'"version": 2')
        )
        with pytest.raises(ArchiveVersionUnknown, match=r"version 2 .* reads version 1"):
            imported(other, has_new_id=True)

    def test_another_file(self) -> None:
        with pytest.raises(ArchiveInvalid, match="no archive"):
            imported(b"PK not really")

    def test_a_part_of_prompts_that_is_missing(self, archive: bytes) -> None:
        other = changed(
            archive, PROMPT_PARTS, lambda it: b"".join(it.splitlines(keepends=True)[1:])
        )
        with pytest.raises(ArchiveInvalid, match=r"prompt_parts\.jsonl has no part"):
            imported(other, has_new_id=True)

    def test_a_member_outside_the_folder_of_the_world(self, archive: bytes) -> None:
        written = io.BytesIO(archive)
        with zipfile.ZipFile(written, "a") as target:
            target.writestr("world/../../evil", b"")
        with pytest.raises(ArchiveInvalid, match="not those of its manifest"):
            imported(written.getvalue(), has_new_id=True)


def with_event(archive: bytes, kind: str, **values: Any) -> bytes:
    """Return the archive with other values in the first event of a type; all hashes fit."""
    lines = member_lines(archive, EVENTS)
    event = next(line for line in lines if line["type"] == kind)
    event["data"] |= values
    log = LogHash()
    for line in lines:
        log.add(tuple(line[name] for name in HASHED))
    content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    other = changed(archive, EVENTS, lambda _content: content)
    return with_manifest(other, log_sha256=log.hexdigest())


def with_manifest(archive: bytes, **values: Any) -> bytes:
    """Return the archive with other values of its manifest, or of the simulation in it."""

    def change(content: bytes) -> bytes:
        manifest = json.loads(content)
        for name, value in values.items():
            (manifest if name in manifest else manifest["simulation"])[name] = value
        return json.dumps(manifest).encode()

    return changed(archive, MANIFEST, change)


class TestBounds:
    """Bytes are bounded as they are unpacked, before they are held."""

    def test_of_a_file_packed_otherwise(self, archive: bytes) -> None:
        source, written = zipfile.ZipFile(io.BytesIO(archive)), io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_BZIP2) as target:
            for name in source.namelist():
                target.writestr(name, source.read(name))
        with pytest.raises(ArchiveInvalid, match="packed in another way"):
            imported(written.getvalue(), has_new_id=True)

    def test_of_a_list_of_very_many_members(self) -> None:
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as target:
            for number in range(20_000):
                target.writestr(str(number), b"")
        with pytest.raises(ArchiveInvalid, match="list of members"):
            imported(written.getvalue())

    def test_of_all_that_is_unpacked(self, archive: bytes, settings: Settings) -> None:
        settings.IMPORT_UNPACKED_BYTES_MAX = len(archive)
        with pytest.raises(ArchiveInvalid, match="IMPORT_UNPACKED_BYTES_MAX"):
            imported(archive, has_new_id=True)

    def test_of_a_member_that_is_larger_than_it_says(self, archive: bytes) -> None:
        bomb = changed(archive, EVENTS, lambda _it: b" " * 10**7 + b"\n", in_manifest=False)
        with pytest.raises(ArchiveInvalid, match="longer than its manifest says"):
            imported(bomb, has_new_id=True)

    def test_of_a_manifest_that_is_nested_deeply(self, archive: bytes) -> None:
        deep = changed(archive, MANIFEST, lambda _it: b"[" * 10**5)
        with pytest.raises(ArchiveInvalid, match="not JSON"):
            imported(deep, has_new_id=True)


class TestRules:
    """What no other way into the database lets in, an archive does not bring either."""

    @pytest.mark.parametrize(
        "start", ["9999-12-31T00:00:00", "0001-01-01T00:00:00", "2023-02-13T00:00:00+01:00"]
    )
    def test_the_start_is_that_of_the_world(self, archive: bytes, start: str) -> None:
        other = with_event(archive, SimulationCreated.type, start=start)
        with pytest.raises(ArchiveInvalid, match="start"):
            imported(other, has_new_id=True)

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("name", "Isabella <script>"),
            ("name", "Ann Other"),
            ("age", -5),
            ("traits", []),
            ("wake_minute", 5_000),
            ("home", "Hobbs Cafe: nowhere"),
            ("bed", "Hobbs Cafe: cafe: nothing"),
            ("workplace", "the moon"),
            ("knows", ["the moon"]),
            ("description", " ; "),
            ("tile", [-5, 10**9]),
        ],
    )
    def test_an_agent_is_one_that_can_be_created(
        self, archive: bytes, field: str, value: object
    ) -> None:
        other = with_event(archive, AgentJoined.type, **{field: value})
        with pytest.raises(ArchiveInvalid, match="hours" if "minute" in field else field):
            imported(other, has_new_id=True)

    def test_a_walk_stays_on_the_map(self, archive: bytes) -> None:
        other = with_event(archive, WalkBegan.type, steps=[[3, 10**6]])
        with pytest.raises(ArchiveInvalid, match=r"tile: \[3, 1000000\] is not on the map"):
            imported(other, has_new_id=True)

    def test_settings_are_within_their_bounds(self, archive: bytes) -> None:
        other = with_event(archive, SimulationCreated.type, settings={"vision": 10**6})
        with pytest.raises(ArchiveInvalid, match="vision"):
            imported(other, has_new_id=True)

    @pytest.mark.parametrize(
        ("field", "value"),
        [("seed", -1), ("committed_tick", 10_000_000), ("name", "a\x1b[2Jb"), ("name", " ")],
    )
    def test_the_manifest_is_within_them_too(
        self, archive: bytes, field: str, value: object
    ) -> None:
        with pytest.raises(ArchiveInvalid, match=field):
            imported(with_manifest(archive, **{field: value}), has_new_id=True)

    @pytest.mark.parametrize(
        ("field", "value"), [("embedding_dimensions", 100), ("temperature", 1e9)]
    )
    def test_the_models_are_those_of_the_log(
        self, archive: bytes, field: str, value: object
    ) -> None:
        model = manifest_of(archive)["simulation"]["model"] | {field: value}
        with pytest.raises((ArchiveInvalid, UnknownModel), match=field):
            imported(with_manifest(archive, model=model), has_new_id=True)


class TestWorld:
    def test_is_added_if_there_is_none(self, archive: bytes, tmp_path: Path) -> None:
        ports = replace(wiring.ports(), worlds=WorldFolders(tmp_path))
        with pytest.raises(UnknownWorld):
            import_archive(ports, io.BytesIO(archive), has_new_id=True)
        import_archive(ports, io.BytesIO(archive), has_new_id=True, adds_world=True)
        ours = wiring.ports().worlds.find("smallville")
        for name in ("world.yaml", "people.yaml", "map.json"):
            assert (tmp_path / "smallville" / name).read_bytes() == (ours / name).read_bytes()
        assert [path.name for path in tmp_path.iterdir()] == ["smallville"]

    def test_is_never_replaced(self, archive: bytes, tmp_path: Path) -> None:
        other = tmp_path / "smallville"
        other.mkdir()
        for path in (wiring.ports().worlds.find("smallville")).iterdir():
            if path.is_file():
                (other / path.name).write_bytes(path.read_bytes())
        text = (other / "people.yaml").read_text()
        (other / "people.yaml").write_text(text.replace("age: 34", "age: 35", 1))
        ports = replace(wiring.ports(), worlds=WorldFolders(tmp_path))
        with pytest.raises(WorldChanged):
            import_archive(ports, io.BytesIO(archive), has_new_id=True, adds_world=True)


def manifest_of(archive: bytes) -> Any:
    return json.loads(zipfile.ZipFile(io.BytesIO(archive)).read(MANIFEST))


def member_lines(archive: bytes, name: str) -> list[Any]:
    content = zipfile.ZipFile(io.BytesIO(archive)).read(name)
    return [json.loads(line) for line in content.splitlines()]


def rows_of(row: SimulationRow) -> dict[str, list[Any]]:
    """Return the rows of all projections, without keys and ids of the simulation."""
    return {
        model._meta.label: sorted(
            map(repr, model._default_manager.filter(simulation_id=row.pk).values_list(*fields))
        )
        for model in wiring.event_store().projector.models
        for fields in [
            [
                field.attname
                for field in model._meta.concrete_fields
                if not field.primary_key and field.attname != "simulation_id"
            ]
        ]
    }


def calls_of(row: SimulationRow) -> list[Any]:
    fields = [
        field.attname
        for field in ModelCallRow._meta.concrete_fields
        if field.attname not in {"id", "simulation_id", "reused_from", "copied_from"}
    ]
    calls = ModelCallRow.objects.filter(simulation_id=row.pk).order_by("call_id")
    return [({name: getattr(call, name) for name in fields}, call.messages) for call in calls]


def test_events_keep_the_time_of_their_record(morning: SimulationRow, archive: bytes) -> None:
    copy = imported(archive, has_new_id=True)
    times = [
        EventRow.objects.filter(simulation_id=one).order_by("tick", "stream", "ordinal")
        for one in (morning.pk, copy.pk)
    ]
    first, second = (list(rows.values_list("recorded_at", flat=True)) for rows in times)
    assert first == second


@pytest.mark.django_db(transaction=True)
def test_an_imported_simulation_goes_on_as_the_original_does() -> None:
    original = simulated("2023-02-13T06:30")
    archive = b"".join(write_archive(wiring.ports(), original))
    copy = live(imported(archive, has_new_id=True), "2023-02-13T08:00")
    original = live(original, "2023-02-13T08:00")
    assert log_sha256(copy.pk) == log_sha256(original.pk)
    assert check(wiring.event_store(), copy.pk).problems == ()
