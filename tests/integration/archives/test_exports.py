"""Exports for other programs keep the published schemas of their files.

`make test-foreign` has the programs themselves read them.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from apps.archives.exports import EXPORTERS
from apps.dialogue.models import UtteranceRow
from apps.eventlog.models import EventRow
from apps.llm.models import ModelCallRow
from apps.memory.queries import list_all_memories
from apps.simulation.models import SimulationRow
from tests.support.exported_towns import SPEAKERS, town_with_a_talk, write_folder
from tests.support.towns import shared_fixture
from tools.exports import inspect_scout

pytestmark = pytest.mark.django_db

SAM, ISABELLA = "sam-moore", "isabella-rodriguez"
SCOUT_TYPES = {
    "transcript_id": "VARCHAR", "source_type": "VARCHAR", "source_id": "VARCHAR",
    "source_uri": "VARCHAR", "date": "VARCHAR", "task_set": "VARCHAR", "task_id": "VARCHAR",
    "task_repeat": "BIGINT", "agent": "VARCHAR", "agent_args": "VARCHAR", "model": "VARCHAR",
    "model_options": "VARCHAR", "score": "VARCHAR", "success": "BOOLEAN",
    "message_count": "BIGINT", "total_time": "DOUBLE", "total_tokens": "BIGINT",
    "error": "VARCHAR", "limit": "VARCHAR", "messages": "VARCHAR", "events": "VARCHAR",
}  # fmt: skip
"""The columns of Scout 0.6 with their types (its `TRANSCRIPT_SCHEMA_FIELDS`)."""


town = shared_fixture(town_with_a_talk)


def transcripts_in(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of all files, with messages and events as values."""
    table = duckdb.read_parquet(str(folder / "*.parquet"))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]
    for row in rows:
        row["messages"], row["events"] = json.loads(row["messages"]), json.loads(row["events"])
    return rows


class TestInspectScout:
    @pytest.fixture
    def transcripts(self, town: SimulationRow, tmp_path: Path) -> dict[str, dict[str, Any]]:
        write_folder(town, EXPORTERS["inspect-scout"], tmp_path)
        return {row["agent"]: row for row in transcripts_in(tmp_path)}

    def test_columns_are_those_of_scout(self, town: SimulationRow, tmp_path: Path) -> None:
        [path] = write_folder(town, EXPORTERS["inspect-scout"], tmp_path)
        table = duckdb.read_parquet(str(path))
        types = dict(zip(table.columns, map(str, table.types), strict=True))
        own = set(inspect_scout.METADATA_COLUMNS)
        assert own.isdisjoint(SCOUT_TYPES)
        assert types.keys() == own | inspect_scout.COLUMNS.keys()
        assert {name: types[name] for name in inspect_scout.COLUMNS} == {
            name: SCOUT_TYPES[name] for name in inspect_scout.COLUMNS
        }

    def test_each_call_is_in_the_transcript_of_its_agent(
        self, town: SimulationRow, transcripts: dict[str, dict[str, Any]]
    ) -> None:
        assert set(transcripts) == {SAM, ISABELLA}
        for agent, transcript in transcripts.items():
            calls = ModelCallRow.objects.filter(simulation_id=town.pk, stream=agent)
            expected = list(calls.order_by("tick", "pk"))
            for call, event in zip(expected, transcript["events"], strict=True):
                assert event["uuid"] == call.call_id
                prompt = [
                    {key: one[key] for key in ("role", "content")} for one in event["input"]
                ]
                assert prompt == call.messages
            assert transcript["calls"] == len(expected)
            assert "/" not in transcript["transcript_id"]

    def test_a_system_message_stands_once_in_the_thread(
        self, transcripts: dict[str, dict[str, Any]]
    ) -> None:
        for transcript in transcripts.values():
            roles = [message["role"] for message in transcript["messages"]]
            assert roles == ["system", *["user", "assistant"] * transcript["calls"]]
            ids = [message["id"] for message in transcript["messages"]]
            assert len(set(ids)) == len(ids) == transcript["message_count"]

    def test_an_answer_is_shown_as_the_model_gave_it(
        self, transcripts: dict[str, dict[str, Any]]
    ) -> None:
        answers = [one for one in transcripts[SAM]["messages"] if one["role"] == "assistant"]
        replaced = [one for one in answers if one["metadata"]["outcome"] == "fell_back"]
        assert len(replaced) == transcripts[SAM]["fallbacks"] > 0
        for answer in replaced:
            assert json.loads(answer["content"]) == {"importances": ["very"]}
            assert answer["metadata"]["used"] != {"importances": ["very"]}

    def test_files_are_bounded(
        self, town: SimulationRow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(inspect_scout, "FILE_CHARACTERS_MIN", 1)
        paths = write_folder(town, EXPORTERS["inspect-scout"], tmp_path)
        assert [path.name for path in paths] == [
            "transcripts-0001.parquet", "transcripts-0002.parquet",
        ]  # fmt: skip
        assert {row["agent"] for row in transcripts_in(tmp_path)} == {SAM, ISABELLA}


class TestConcordiaLog:
    @pytest.fixture
    def log(self, town: SimulationRow, tmp_path: Path) -> dict[str, Any]:
        [path] = write_folder(town, EXPORTERS["concordia-log"], tmp_path)
        found: dict[str, Any] = json.loads(path.read_text())
        return found

    def test_entries_have_the_fields_of_a_simulation_log(self, log: dict[str, Any]) -> None:
        assert set(log) == {"entries", "content_store", "entity_memories"}
        for entry in log["entries"]:
            assert set(entry) == {
                "step", "timestamp", "entity_name", "component_name", "entry_type", "summary",
                "deduplicated_data",
            }  # fmt: skip
            assert entry["entry_type"] in {"entity", "step"}
            assert isinstance(entry["deduplicated_data"]["value"], dict)
        places = [(entry["step"], entry["entity_name"]) for entry in log["entries"]]
        turns = [place for place in places if place[1] in SPEAKERS]
        assert len(set(turns)) == len(turns)
        assert [step for step, _ in places] == sorted(step for step, _ in places)

    def test_contents_are_found_by_their_hash(self, log: dict[str, Any]) -> None:
        store = log["content_store"]
        assert all(
            hashlib.sha256(text.encode()).hexdigest()[:16] == key for key, text in store.items()
        )
        references = {
            reference["_ref"]
            for entry in log["entries"]
            for component in entry["deduplicated_data"]["value"].values()
            for reference in component.get("Prompt", [])
        }
        assert references == set(store)

    def test_acts_are_those_of_the_log(self, town: SimulationRow, log: dict[str, Any]) -> None:
        components = {
            entry["step"]: entry["deduplicated_data"]["value"]
            for entry in log["entries"]
            if entry["entity_name"] == "Sam Moore"
        }
        acts = EventRow.objects.filter(
            simulation_id=town.pk, stream=SAM, type__in=["agents.action-began.v1"]
        )
        for act in acts:
            assert act.data["description"] in components[act.tick]["__act__"]["Value"]
        first = UtteranceRow.objects.filter(simulation_id=town.pk, agent=SAM).earliest("tick")
        spoken = components[first.tick]["__act__"]
        assert f'"{first.text}"' in spoken["Value"]
        prompt = "".join(log["content_store"][one["_ref"]] for one in spoken["Prompt"])
        decided = ModelCallRow.objects.get(
            simulation_id=town.pk,
            call_id=components[first.tick]["reaction.decision"]["Model call"],
        )
        assert prompt == "".join(message["content"] for message in decided.messages)

    def test_memories_are_those_of_each_agent(
        self, town: SimulationRow, log: dict[str, Any]
    ) -> None:
        assert set(log["entity_memories"]) == set(SPEAKERS)
        rows = list_all_memories(town.pk, as_of_tick=town.committed_tick, agent=ISABELLA)
        own = [one.description for one in rows.order_by("number")]
        shown = log["entity_memories"]["Isabella Rodriguez"]
        assert [line.partition("] ")[2] for line in shown] == own


class TestSotopia:
    @pytest.fixture
    def folder(self, town: SimulationRow, tmp_path: Path) -> Path:
        write_folder(town, EXPORTERS["sotopia"], tmp_path)
        return tmp_path

    def test_keys_of_episodes_are_files_beside_them(self, folder: Path) -> None:
        episodes = [json.loads(path.read_text()) for path in (folder / "EpisodeLog").iterdir()]
        for episode in episodes:
            assert (folder / "EpisodeLog" / f"{episode['pk']}.json").exists()
            assert (folder / "EnvironmentProfile" / f"{episode['environment']}.json").exists()
            for agent in episode["agents"]:
                assert (folder / "AgentProfile" / f"{agent}.json").exists()
            assert len(episode["rewards"]) == len(episode["agents"])
            assert len(episode["models"]) == 1 + len(episode["agents"])
        assert episodes

    def test_turns_are_the_utterances(self, town: SimulationRow, folder: Path) -> None:
        for path in (folder / "EpisodeLog").iterdir():
            episode = json.loads(path.read_text())
            tick, _, opener = episode["environment"].removeprefix(f"{town.pk}-").partition("-")
            rows = UtteranceRow.objects.filter(
                simulation_id=town.pk, conversation=f"{tick}/{opener}"
            )
            spoken = [
                text
                for turn in episode["messages"]
                for _, receiver, text in turn
                if receiver == "Environment" and text.startswith("said:")
            ]
            assert spoken == [f'said: "{one.text}"' for one in rows.order_by("tick")]

    def test_a_stranger_knows_neither_background_nor_goal(
        self, town: SimulationRow, folder: Path
    ) -> None:
        opened = UtteranceRow.objects.filter(simulation_id=town.pk, agent=SAM, number=1)
        first = opened.exclude(intent="").earliest("tick")
        key = f"{town.pk}-{first.conversation.replace('/', '-')}"
        [told, heard, *_] = json.loads((folder / "EpisodeLog" / f"{key}.json").read_text())[
            "messages"
        ][0]
        assert (told[0], told[1], heard[1]) == (
            "Environment",
            "Sam Moore",
            "Isabella Rodriguez",
        )
        assert f"Sam Moore's goal: {first.intent}\n" in told[2]
        assert "Sam Moore's goal: Unknown\n" in heard[2]
        assert "Sam Moore's background: Unknown\n" in heard[2]
        environment = json.loads((folder / "EnvironmentProfile" / f"{key}.json").read_text())
        assert environment["agent_goals"] == [first.intent, "Unknown"]
        assert environment["relationship"] == 0


@pytest.mark.parametrize("form", list(EXPORTERS))
def test_later_history_is_left_out(town: SimulationRow, tmp_path: Path, form: str) -> None:
    first = UtteranceRow.objects.filter(simulation_id=town.pk).earliest("tick")
    earlier = SimulationRow.objects.get(pk=town.pk)
    earlier.committed_tick = first.tick - 1
    write_folder(earlier, EXPORTERS[form], tmp_path)
    if form == "sotopia":
        assert not (tmp_path / "EpisodeLog").exists()
    elif form == "concordia-log":
        log = json.loads((tmp_path / "simulation_log.json").read_text())
        assert 0 < max(entry["step"] for entry in log["entries"]) < first.tick
    else:
        files = sorted(tmp_path.glob("*.parquet"))
        assert files
        rows = [str(duckdb.read_parquet(str(path)).fetchall()) for path in files]
        assert not any(first.text in text for text in rows)
