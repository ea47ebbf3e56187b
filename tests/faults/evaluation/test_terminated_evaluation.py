"""An evaluation that SIGTERM ends twice gives its work back, and comes to the same report."""

import json
import signal
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command

from apps.evaluation.models import RankingJudgementRow, RankingRow, SurveyRow
from apps.evaluation.surveys.commands import NOBODY_KNOWN
from apps.interaction.models import InterviewRow
from apps.work.rows import WorkState
from tests.support.processes import Stack, database_url, is_awaited, stack, wait_until
from tests.support.snapshots import simulated

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 120.0
CONDITIONS = ("full", "no-reflection")
TERMINATED = 128 + signal.SIGTERM


def test_goes_on_after_sigterm_in_the_survey_and_in_the_ranking(tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",))
    asked = [str(row.pk), "--seed", "4", "--conditions", *CONDITIONS]
    undisturbed, terminated = tmp_path / "undisturbed", tmp_path / "terminated"
    call_command("evaluate_conditions", *asked, out=undisturbed, stdout=StringIO())
    RankingRow.objects.all().delete()
    SurveyRow.objects.all().delete()
    asked += ["--out", str(terminated)]
    with stack(tmp_path) as processes:
        told = told_by_terminated(processes, is_under_way, "llm_modelcallrow", *asked)
        survey = SurveyRow.objects.get()
        assert f"interrupted by SIGTERM; continue it with --survey {survey.pk}" in told
        assert (survey.state, survey.seen_at) == (WorkState.PENDING, None)
        assert states_of_interviews() == {
            WorkState.DONE,
            WorkState.PENDING,
        }

        asked += ["--survey", str(survey.pk)]
        table = RankingJudgementRow._meta.db_table
        told = told_by_terminated(processes, RankingJudgementRow.objects.exists, table, *asked)
        ranking = RankingRow.objects.get()
        assert f"interrupted by SIGTERM; continue it with --ranking {ranking.pk}" in told
        assert (ranking.state, ranking.seen_at) == (WorkState.PENDING, None)
        assert 0 < RankingJudgementRow.objects.count() < ranking.rankingtaskrow_set.count()

        last = start(processes, *asked, "--ranking", str(ranking.pk))
        assert processes.running[last].wait(SECONDS_MAX) == 0, processes.log_of(last)
    assert SurveyRow.objects.get().pk == survey.pk
    assert contents(terminated) == contents(undisturbed)


def told_by_terminated(
    processes: Stack, is_due: Callable[[], bool], table: str, *asked: str
) -> str:
    """Send SIGTERM while a process waits to write into the table; return what it has said."""
    name = start(processes, *asked)

    def wait_for(what: Callable[[], bool]) -> None:
        wait_until(what, seconds=SECONDS_MAX, told=lambda: processes.log_of(name))

    wait_for(is_due)
    with psycopg.connect(database_url()) as lock:
        lock.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        wait_for(lambda: is_awaited(table))
        process = processes.running.pop(name)
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == TERMINATED, processes.log_of(name)
    assert "Traceback" not in processes.log_of(name)
    return processes.log_of(name)


def start(processes: Stack, *asked: str) -> str:
    """Start the command, and return the name of its process."""
    name = f"process_{len(list(processes.folder.glob('process_*')))}"
    processes.start(name, "manage.py", "evaluate_conditions", *asked)
    return name


def is_under_way() -> bool:
    """Return whether an interview of the only survey is answered."""
    return WorkState.DONE in states_of_interviews()


def states_of_interviews() -> set[str]:
    """Return the states of the interviews of the only survey that can be asked."""
    rows = InterviewRow.objects.exclude(surveyinterviewrow=None)
    return set(rows.exclude(problem_code=NOBODY_KNOWN).values_list("state", flat=True))


def contents(folder: Path) -> dict[str, Any]:
    """Return the files of a report by name, without the id of the ranking."""
    found: dict[str, Any] = {path.name: path.read_bytes() for path in folder.iterdir()}
    report = json.loads(found["report.json"])
    return found | {"report.json": {**report, "ranking": ""}}
