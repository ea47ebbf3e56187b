"""A survey whose process is killed goes on in another one, and makes no call twice."""

from pathlib import Path

import psycopg
import pytest

from apps.evaluation.models import SurveyRow
from apps.evaluation.questionnaires.typed_questions import read_questionnaire
from apps.evaluation.surveys.commands import SurveyRequest, request_survey
from apps.interaction.conditions import FULL
from apps.interaction.models import InterviewRow
from apps.llm.models import ModelCallRow
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState
from tests.support.lost import lose_process
from tests.support.processes import Stack, database_url, is_awaited, stack, wait_until
from tests.support.snapshots import simulated

SECONDS_MAX = 120.0
QUESTIONS = ("Who are you?", "What will you do today?", "Whom do you know?")
ANSWER = """
from uuid import UUID
from apps import wiring
from apps.evaluation.surveys.commands import SURVEYS
SURVEYS.carry_out(wiring.ports(), UUID("{survey}"))
"""
# A lock on the table holds the process up when it takes an interview, or records its answer.
TABLES = ["interaction_interviewrow", "llm_modelcallrow"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", TABLES)
def test_kill_9_during_a_survey(table: str, tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10", agents=("Isabella Rodriguez",))
    undisturbed, survey = requested(row), requested(row)
    with stack(tmp_path) as processes:
        finish(processes, undisturbed)
        paid = number_of_calls()
        with psycopg.connect(database_url()) as lock:
            lock.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            start(processes, "killed", survey)
            wait_until(
                lambda: is_awaited(table),
                seconds=SECONDS_MAX,
                told=lambda: processes.log_of("killed"),
            )
            processes.kill("killed")
        wait_until(
            lambda: not is_awaited(table),
            seconds=SECONDS_MAX,
            told=lambda: "the server does not notice that its client is gone",
        )
        survey.refresh_from_db()
        assert survey.state == WorkState.RUNNING
        assert not [one for one in answers_of(survey) if one]
        lose_process(SurveyRow.objects.filter(pk=survey.pk))
        lose_process(InterviewRow.objects.filter(seen_at__isnull=False))
        finish(processes, survey)
    assert answers_of(survey) == answers_of(undisturbed)
    assert number_of_calls() == 2 * paid


def requested(row: SimulationRow) -> SurveyRow:
    """Request a survey of three questions to Isabella."""
    questionnaire = read_questionnaire(
        {
            "name": "three",
            "title": "Three questions",
            "questions": [
                {"name": f"q{number}", "text": text} for number, text in enumerate(QUESTIONS)
            ],
        }
    )
    request = SurveyRequest(
        questionnaire=questionnaire,
        agents={row.committed_tick: ["isabella-rodriguez"]},
        conditions=[FULL],
    )
    return request_survey(row.pk, request, by="a test")


def start(processes: Stack, name: str, survey: SurveyRow) -> None:
    """Start a process that answers the survey."""
    processes.start(name, "manage.py", "shell", "-c", ANSWER.format(survey=survey.pk))


def finish(processes: Stack, survey: SurveyRow) -> None:
    """Have a process of its own answer the survey to its end."""
    start(processes, "second", survey)
    assert processes.running.pop("second").wait(SECONDS_MAX) == 0, processes.log_of("second")
    survey.refresh_from_db()
    assert survey.state == WorkState.DONE, processes.log_of("second")


def answers_of(survey: SurveyRow) -> list[str]:
    """Return the answers in order, "" where there is none yet."""
    rows = InterviewRow.objects.filter(surveyinterviewrow__survey=survey).order_by("number")
    answers = [row.answer or "" for row in rows]
    assert len(answers) == len(QUESTIONS)
    return answers


def number_of_calls() -> int:
    """Return how many calls of interviews are recorded."""
    return ModelCallRow.objects.filter(task__startswith="interview.").count()
