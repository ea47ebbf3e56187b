"""`manage.py operate` carries out operations of the interface, with its checks and messages."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller

pytestmark = pytest.mark.django_db

ID = "simulation={}"


def operated(*arguments: str, **options: Any) -> str:
    """Return what the command prints."""
    told = io.StringIO()
    call_command("operate", *arguments, stdout=told, **options)
    return told.getvalue()


class TestOperation:
    def test_reads_with_parameters_as_the_interface_does(
        self, town: str, isabella: Caller
    ) -> None:
        id_ = town.rpartition("/")[2]
        arguments = ("listMemories", ID.format(id_), "agent=isabella-rodriguez", "limit=3")
        told = operated(*arguments, user="isabella")
        expected = isabella.get(f"{town}/agents/isabella-rodriguez/memories", limit=3).json()
        assert json.loads(told)["results"] == expected["results"]

    def test_takes_members_of_a_body(self, lived: SimulationRow, isabella: Caller) -> None:
        User.objects.create_superuser("root")
        at = "at=2023-02-13T06:00:00"
        told = json.loads(operated("forkSimulation", ID.format(lived.pk), at, "name=Once more"))
        assert (told["name"], told["parent"]["id"]) == ("Once more", str(lived.pk))
        branch = SimulationRow.objects.get(pk=told["id"])
        assert branch.committed_tick == 2_160
        branch.delete()

    def test_takes_the_body_of_a_file(self, isabella: Caller, tmp_path: Path) -> None:
        file = tmp_path / "mood.yaml"
        asked = {
            "name": "mood",
            "title": "Mood",
            "questions": [{"name": "now", "text": "How?"}],
        }
        file.write_text(yaml.safe_dump(asked))
        assert json.loads(operated("addQuestionnaire", body=file, user="isabella"))["name"]
        assert isabella.get("/questionnaires/mood").json()["title"] == "Mood"

    def test_writes_bytes_to_a_file(self, town: str, tmp_path: Path) -> None:
        file, id_ = tmp_path / "town.zip", town.rpartition("/")[2]
        told = operated("exportSimulation", ID.format(id_), output=file, user="isabella")
        assert told == f"{file}: {file.stat().st_size:,} bytes\n"
        assert "events.jsonl" in zipfile.ZipFile(file).namelist()

    def test_repeats_the_lists_of_a_parameter(self, town: str, tmp_path: Path) -> None:
        file, id_ = tmp_path / "news.svg", town.rpartition("/")[2]
        about = "about=[Isabella, Valentine]"
        operated(
            *("getPlot", ID.format(id_), "plot=news", "topic=party", about),
            output=file,
            user="isabella",
        )
        assert file.read_text().startswith("<?xml")


class TestErrors:
    def test_are_those_of_the_interface(self, town: str, isabella: Caller) -> None:
        id_ = ID.format(town.rpartition("/")[2])
        with pytest.raises(CommandError, match=r"there is no plot 'actvity'; .*'activity'"):
            operated("getPlot", id_, "plot=actvity", user="isabella")
        with pytest.raises(CommandError, match="/at"):
            operated("forkSimulation", id_, "at=never", user="isabella")
        User.objects.create_user("stranger")
        with pytest.raises(CommandError, match="there is no simulation"):
            operated("getSimulation", id_, user="stranger")

    def test_name_what_the_command_misses(self, isabella: Caller) -> None:
        with pytest.raises(CommandError, match="did you mean 'forkSimulation'"):
            operated("forkSimulaton", user="isabella")
        with pytest.raises(CommandError, match="the path needs simulation=VALUE"):
            operated("getSimulation", user="isabella")
        with pytest.raises(CommandError, match="'isabella' is no NAME=VALUE"):
            operated("getSimulation", "isabella", user="isabella")
        with pytest.raises(CommandError, match="there is no administrator"):
            operated("listSimulations")
