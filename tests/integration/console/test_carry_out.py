"""`manage.py carry_out` carries requested work out, continues it, and writes its report."""

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.evaluation.models import RankingJudgementRow, RankingRow
from apps.eventlog.store import log_sha256
from apps.experiments.models import ExperimentRow
from apps.replays.models import ModelTrialRow
from apps.work.rows import WorkState
from tests.support.snapshots import simulated
from tests.support.work_of_kinds import DESIGN, REQUESTS, Requested, ranking, replay

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {
    "report.json", "conditions.csv", "pairs.csv", "ratings.svg", "report.md", "report.html",
    "judgements.jsonl",
}  # fmt: skip


def carried_out(work: Requested, **options: Any) -> str:
    """Return what the command prints."""
    printed = StringIO()
    call_command("carry_out", str(work.row.pk), **options, stdout=printed)
    return printed.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("kind", REQUESTS)
def test_carries_work_of_each_kind_out(kind: str) -> None:
    row = simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",))
    work = REQUESTS[kind](row)
    history = log_sha256(row.pk) if kind != "counterfactual" else ""
    assert carried_out(work) == f"{work.kind.noun} {work.row.pk}\n"
    assert work.state == WorkState.DONE
    if history:
        assert log_sha256(row.pk) == history
    assert carried_out(work)  # again: it has nothing left to do


def test_resumes_what_is_paused() -> None:
    work = replay(simulated("2023-02-13T06:10"))
    work.kind.pause(work.row.pk, by="a test")
    carried_out(work)
    assert work.state == WorkState.DONE


def test_resumes_what_has_failed() -> None:
    work = replay(simulated("2023-02-13T06:10"))
    work.kind.rows.update(state=WorkState.FAILED, problem="no answer")
    carried_out(work)
    assert work.state == WorkState.DONE


def test_leaves_what_is_cancelled() -> None:
    work = replay(simulated("2023-02-13T06:10"))
    work.kind.cancel(work.row.pk, by="a test")
    with pytest.raises(CommandError, match=r"the replay is cancelled: cancelled by a test$"):
        carried_out(work)
    assert work.state == WorkState.CANCELLED


def test_a_ranking_that_lost_judgements_comes_to_the_same_report(tmp_path: Path) -> None:
    work = ranking(simulated("2023-02-13T06:10"))
    carried_out(work, output=tmp_path / "first")
    first = contents(tmp_path / "first")
    assert first.keys() == FILES
    report = json.loads(first["report.json"])
    assert {one["condition"] for one in report["conditions"]} == {"full", "no-reflection"}
    assert len(first["judgements.jsonl"].splitlines()) == report["rankings"] == report["tasks"]
    RankingJudgementRow.objects.all().delete()
    RankingRow.objects.update(state=WorkState.PENDING)
    carried_out(work, output=tmp_path / "again")
    assert contents(tmp_path / "again") == first


def test_says_why_work_is_not_carried_out(tmp_path: Path) -> None:
    work = replay(simulated("2023-02-13T06:10"))
    with pytest.raises(CommandError, match="a replay has no report"):
        carried_out(work, output=tmp_path)
    with pytest.raises(CommandError, match=r"there is no work .*: interview, survey, ranking"):
        call_command("carry_out", str(uuid4()))
    work.kind.rows.update(state=WorkState.RUNNING, seen_at=timezone.now())
    with pytest.raises(CommandError, match=r"another process is at the replay; .*carry_out"):
        carried_out(work)


def test_requests_the_model_trial_of_a_file(tmp_path: Path) -> None:
    simulation = simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",))
    file, printed = tmp_path / "cheaper.yaml", StringIO()
    asked = {"simulation": str(simulation.pk), "model": "offline", "calls_per_task": 1}
    file.write_text(yaml.safe_dump(asked | {"to": "2023-02-13T06:05"}))
    call_command("carry_out", str(file), stdout=printed)
    [row] = ModelTrialRow.objects.all()
    assert printed.getvalue() == f"model trial {row.pk}\n"
    assert (row.state, row.to_tick) == (WorkState.DONE, simulation.committed_tick - 30)
    for wrong, words in (
        ({"model": "nowhere"}, "no model server 'nowhere'"),
        ({"simulation": "none"}, "simulation"),
        ({"each": 3}, "each"),
    ):
        file.write_text(yaml.safe_dump(asked | wrong))
        with pytest.raises(CommandError, match=words):
            call_command("carry_out", str(file))


def test_requests_the_experiment_of_a_file(tmp_path: Path) -> None:
    file, printed = tmp_path / "small.yaml", StringIO()
    file.write_text(yaml.safe_dump(DESIGN))
    call_command("carry_out", str(file), output=tmp_path / "report", stdout=printed)
    [row] = ExperimentRow.objects.all()
    assert printed.getvalue() == f"experiment {row.pk}\n"
    assert {"results.csv", "report.md"} <= contents(tmp_path / "report").keys()
    file.write_text(yaml.safe_dump(DESIGN | {"worlds": ["smalville"]}))
    with pytest.raises(CommandError, match="did you mean 'smallville'"):
        call_command("carry_out", str(file))
