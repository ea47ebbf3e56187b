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

from apps.evaluation.models import RankingJudgementRow, SurveyRow
from apps.evaluation.questionnaires.typed_questions import get_questionnaire
from apps.evaluation.rankings.commands import request_ranking
from apps.evaluation.rankings.ranking_plan import RankingRequest
from apps.evaluation.surveys.commands import NOBODY_KNOWN, SurveyRequest, request_survey
from apps.interaction.conditions import condition_named
from apps.interaction.models import InterviewRow
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState
from tests.support.processes import Stack, database_url, is_awaited, stack, wait_until
from tests.support.snapshots import simulated

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 120.0
CONDITIONS = ("full", "no-reflection")
RANKING = RankingRequest(judge="rule", seed=4)
TERMINATED = 128 + signal.SIGTERM


def test_goes_on_after_sigterm_in_the_survey_and_in_the_ranking(tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",))
    undisturbed, terminated = tmp_path / "undisturbed", tmp_path / "terminated"
    survey = request(row)
    call_command("carry_out", str(survey.pk), stdout=StringIO())
    survey.refresh_from_db()
    ranking = request_ranking(survey, RANKING, by="a test")
    call_command("carry_out", str(ranking.pk), output=undisturbed, stdout=StringIO())
    survey.delete()
    survey = request(row)
    with stack(tmp_path) as processes:
        asked = str(survey.pk)
        told = told_by_terminated(processes, is_under_way, "llm_modelcallrow", asked)
        survey.refresh_from_db()
        assert f"interrupted by SIGTERM; continue it with carry_out {survey.pk}" in told
        assert (survey.state, survey.seen_at) == (WorkState.PENDING, None)
        assert states_of_interviews() == {
            WorkState.DONE,
            WorkState.PENDING,
        }

        call_command("carry_out", asked, stdout=StringIO())
        survey.refresh_from_db()
        ranking = request_ranking(survey, RANKING, by="a test")
        asked, table = str(ranking.pk), RankingJudgementRow._meta.db_table
        told = told_by_terminated(processes, RankingJudgementRow.objects.exists, table, asked)
        ranking.refresh_from_db()
        assert f"interrupted by SIGTERM; continue it with carry_out {ranking.pk}" in told
        assert (ranking.state, ranking.seen_at) == (WorkState.PENDING, None)
        assert 0 < RankingJudgementRow.objects.count() < ranking.rankingtaskrow_set.count()

        last = start(processes, asked, "--output", str(terminated))
        assert processes.running[last].wait(SECONDS_MAX) == 0, processes.log_of(last)
    assert contents(terminated) == contents(undisturbed)


def request(row: SimulationRow) -> SurveyRow:
    """Request the questionnaire of the paper of the agents of a simulation."""
    asked = SurveyRequest(
        questionnaire=get_questionnaire(None, "paper"),
        agents={row.committed_tick: ["isabella-rodriguez"]},
        conditions=[condition_named(name) for name in CONDITIONS],
    )
    return request_survey(row.pk, asked, by="a test")


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
    processes.start(name, "manage.py", "carry_out", *asked)
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
