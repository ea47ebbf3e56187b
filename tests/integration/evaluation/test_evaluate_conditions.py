"""The command that does the evaluation of the paper from start to end, and goes on with it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.evaluation.models import RankingJudgementRow, RankingRow, SurveyRow
from apps.evaluation.questionnaires.typed_questions import read_questionnaire
from apps.evaluation.surveys.commands import SurveyRequest, request_survey
from apps.eventlog.store import log_sha256
from apps.interaction.conditions import FULL
from apps.work.rows import WorkState
from tests.support.snapshots import simulated

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {
    "report.json", "conditions.csv", "pairs.csv", "ratings.svg", "report.md", "report.html",
    "judgements.jsonl",
}  # fmt: skip
CONDITIONS = ["full", "no-observation-no-reflection-no-planning"]


def evaluated(folder: Path, *options: str) -> str:
    """Return what the command prints."""
    printed = StringIO()
    call_command("evaluate_conditions", *options, out=folder, seed=4, stdout=printed)
    return printed.getvalue()


def estimated(*options: str) -> str:
    """Return what the command expects to use, without asking anything."""
    printed = StringIO()
    call_command("evaluate_conditions", *options, estimate=True, seed=4, stdout=printed)
    return printed.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_asks_ranks_and_reports_once(tmp_path: Path) -> None:
    row = simulated("2023-02-13T07:00")
    before = log_sha256(row.pk)
    asked = [str(row.pk), "--agents", "klaus-mueller", "--conditions", *CONDITIONS]
    printed = evaluated(tmp_path / "first", *asked)
    assert "rule judge" in printed
    first = contents(tmp_path / "first")
    assert first.keys() == FILES
    report = json.loads(first["report.json"])
    assert {one["condition"] for one in report["conditions"]} == set(CONDITIONS)
    assert report["rankings"] == report["tasks"] > 20
    assert len(first["judgements.jsonl"].splitlines()) == report["rankings"]
    assert log_sha256(row.pk) == before

    # A ranking that lost some of its judgements goes on, and comes to the same report.
    ranking = RankingRow.objects.get()
    lost = RankingJudgementRow.objects.order_by("-task__number")[:5]
    RankingJudgementRow.objects.filter(pk__in=[one.pk for one in lost]).delete()
    RankingRow.objects.update(state=WorkState.PENDING)
    evaluated(tmp_path / "again", str(row.pk), "--ranking", str(ranking.pk))
    assert contents(tmp_path / "again") == first

    # The answers of a survey can be ranked anew, some questions of each category only.
    survey = SurveyRow.objects.get()
    evaluated(tmp_path / "some", str(row.pk), "--survey", str(survey.pk), "--per-category", "1")
    assert json.loads(contents(tmp_path / "some")["report.json"])["tasks"] == 5
    assert SurveyRow.objects.count() == 1

    with pytest.raises(
        CommandError, match="there is no agent 'nobody' at this moment; there are"
    ):
        evaluated(tmp_path, str(row.pk), "--agents", "nobody")
    with pytest.raises(CommandError, match="is not committed"):
        evaluated(tmp_path, str(row.pk), "--at", "2023-02-15T08:00")


def test_says_that_another_process_is_at_the_survey(tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10")
    questions = {"name": "self", "questions": [{"name": "who", "text": "Who are you?"}]}
    request = SurveyRequest(
        questionnaire=read_questionnaire(questions),
        agents={row.committed_tick: ["klaus-mueller"]},
        conditions=[FULL],
    )
    survey = request_survey(row.pk, request, by="a researcher")
    SurveyRow.objects.update(state=WorkState.RUNNING, seen_at=timezone.now())
    with pytest.raises(CommandError, match=r"another process is at the survey; .*--survey"):
        evaluated(tmp_path, str(row.pk), "--survey", str(survey.pk))


def test_estimates_the_steps_that_are_missing(tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10")
    asked = [str(row.pk), "--agents", "klaus-mueller", "--conditions", *CONDITIONS]
    of_survey, of_ranking = estimated(*asked).splitlines()
    assert of_survey.startswith("survey: 50 interviews, 50 calls, ")
    assert of_ranking.startswith("ranking: 25 questions, 25 calls, ")
    assert of_ranking.endswith(", cost 0.00")
    one_of_each = [*asked, "--per-category", "1"]
    assert "ranking: 5 questions, 5 calls, " in estimated(*one_of_each)
    assert not SurveyRow.objects.exists()
    with pytest.raises(CommandError, match="name the folder of the report: --out FOLDER"):
        call_command("evaluate_conditions", *asked)

    # What is asked and ranked already is not counted again.
    evaluated(tmp_path, *one_of_each)
    survey, ranking = SurveyRow.objects.get(), RankingRow.objects.get()
    lost = RankingJudgementRow.objects.order_by("task__number")[:2]
    RankingJudgementRow.objects.filter(pk__in=[one.pk for one in lost]).delete()
    of_rest = estimated(str(row.pk), "--ranking", str(ranking.pk))
    assert of_rest.startswith("ranking: 2 questions, 2 calls, ")
    again = [str(row.pk), "--survey", str(survey.pk), "--per-category", "1"]
    assert estimated(*again).startswith("ranking: 5 questions, 5 calls, ")
