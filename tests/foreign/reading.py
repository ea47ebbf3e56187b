"""Exports are read by the programs that they are for, unmodified and in their own environments.

Run by `make test-foreign`; no part of `make test`.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from apps.archives.exports import EXPORTERS
from apps.dialogue.models import UtteranceRow
from apps.llm.models import ModelCallRow
from apps.memory.queries import list_all_memories
from apps.simulation.models import SimulationRow
from tests.support.exported_towns import SPEAKERS, town_with_a_talk, write_folder
from tests.support.towns import shared_fixture

pytestmark = pytest.mark.django_db

HERE = Path(__file__).parent
ENVIRONMENTS = Path(os.environ.get("FOREIGN_VENVS", ".venv-foreign")).absolute()
SAM = "Sam Moore"


town = shared_fixture(town_with_a_talk)


def run(program: str, *arguments: str, home: Path) -> str:
    """Return what a program of an environment prints; it has a home of its own."""
    environment, _, name = program.partition("/")
    result = subprocess.run(
        [ENVIRONMENTS / environment / "bin" / name, *arguments],
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "SOTOPIA_STORAGE_BACKEND": "local",
            "COLUMNS": "80",
        },
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr or result.stdout
    return result.stdout


def test_scout_scans_the_transcripts(town: SimulationRow, tmp_path: Path) -> None:
    write_folder(town, EXPORTERS["inspect-scout"], tmp_path / "transcripts")
    arguments = (str(HERE / "read_scout.py"), str(tmp_path / "transcripts"), "scans", "mayor")
    found = json.loads(run("scout/python", *arguments, home=tmp_path).splitlines()[-1])
    assert found["complete"]
    calls = ModelCallRow.objects.filter(simulation_id=town.pk)
    read = {one["info"]["agent"]: one for one in found["transcripts"]}
    assert set(read) == {"isabella-rodriguez", "sam-moore"}
    for agent, transcript in read.items():
        own = calls.filter(stream=agent).order_by("tick", "pk")
        assert [event[1] for event in transcript["events"]] == [one.call_id for one in own]
        assert transcript["roles"].count("assistant") == own.count()
        assert transcript["info"]["message_count"] == len(transcript["texts"])
        assert (
            transcript["info"]["metadata"]["fallbacks"]
            == own.filter(outcome="fell_back").count()
        )
        # Scout's own count of the messages with the word.
        hits = found["hits"][f"{town.pk}.{agent}.2023-02-13"]
        assert hits == sum(text.lower().count("mayor") for text in transcript["texts"])
    assert found["hits"][f"{town.pk}.sam-moore.2023-02-13"] > 0


def test_concordia_log_shows_the_turns(town: SimulationRow, tmp_path: Path) -> None:
    [path] = write_folder(town, EXPORTERS["concordia-log"], tmp_path)

    def shown(command: str, *arguments: str) -> Any:
        text = run(
            "concordia/concordia-log", "--json", command, str(path), *arguments, home=tmp_path
        )
        return json.loads(text)

    assert set(SPEAKERS) < set(shown("entities"))
    assert shown("overview")["entry_type_counts"]["entity"] > 10
    first = UtteranceRow.objects.filter(simulation_id=town.pk).order_by("tick").first()
    assert first is not None
    said = {act["step"]: act["action"] for act in shown("actions", SAM)}
    assert f'{SAM} -- "{first.text}"' in said[first.tick]
    context = shown("context", SAM, "--step", str(first.tick))
    assert any("Isabella Rodriguez" in text for text in context["observations"])
    assert "mayor" in "".join(context["action_prompt"])
    assert "reaction.decision" in context["all_components"]
    memories = list_all_memories(town.pk, as_of_tick=town.committed_tick, agent="sam-moore")
    assert len(shown("memories", SAM)) == memories.count()
    assert any(hit["step"] == first.tick for hit in shown("search", "run for mayor"))


def test_sotopia_renders_the_episodes(town: SimulationRow, tmp_path: Path) -> None:
    write_folder(town, EXPORTERS["sotopia"], tmp_path / ".sotopia" / "data")
    text = run("sotopia/python", str(HERE / "read_sotopia.py"), home=tmp_path)
    found = json.loads(text.splitlines()[-1])
    rows = UtteranceRow.objects.filter(simulation_id=town.pk)
    assert found["profiles"] == len(SPEAKERS)
    assert len(found["episodes"]) == rows.values("conversation").distinct().count() > 0
    [episode] = [one for one in found["episodes"] if one["agents"][0] == SAM][:1]
    assert "mayor" in episode["goals"][0]
    rendered = "\n".join(episode["lines"])
    conversation = episode["pk"].removeprefix(f"{town.pk}-").replace("-", "/", 1)
    texts = (
        rows.filter(conversation=conversation).order_by("tick").values_list("text", flat=True)
    )
    places = [rendered.index(f'said: "{text}"') for text in texts]
    assert places == sorted(places)
    assert len(places) > 1
