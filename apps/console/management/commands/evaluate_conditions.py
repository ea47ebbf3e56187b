"""`manage.py evaluate_conditions SIMULATION --out FOLDER`: the paper's evaluation (E1-E3)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.console.evaluation_estimate import ranking_line, survey_line
from apps.console.moments import agents_at, committed_tick_of
from apps.console.termination import exit_at_termination
from apps.django_support.progress_bar import progress_bar
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.models import RankingRow, SurveyRow
from apps.evaluation.questionnaires.queries import get_questionnaire
from apps.evaluation.rankings import commands as rankings
from apps.evaluation.rankings.commands import (
    judge_ranking,
    request_ranking,
    resume_ranking,
)
from apps.evaluation.rankings.judges import JUDGES
from apps.evaluation.rankings.ranking_estimates import (
    answers_of_plan,
    answers_that_wait,
    estimate_ranking,
    expected_answers,
)
from apps.evaluation.rankings.ranking_plan import RankingRequest, plan_ranking
from apps.evaluation.rankings.report_folder import write_report
from apps.evaluation.rankings.reports import RankingReport
from apps.evaluation.surveys import commands as surveys
from apps.evaluation.surveys.commands import (
    SurveyRequest,
    answer_survey,
    request_survey,
    resume_survey,
)
from apps.interaction.conditions import CONDITIONS, condition_named
from apps.simulation import queries

_BY = "the operator"


class Command(ServiceCommand):
    help = "Ask agents a questionnaire under conditions, rank the answers, write a report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("--out", type=Path, help="the folder of the report")
        parser.add_argument("--questionnaire", default="paper")
        parser.add_argument("--conditions", nargs="+", default=[*CONDITIONS])
        parser.add_argument("--agents", nargs="+", help="slugs; all agents, if left out")
        parser.add_argument("--at", help="a game time or a tick; the committed one by default")
        parser.add_argument(
            "--judge",
            choices=[RankingRow.Judge.MODEL.value, *JUDGES],
            default="rule",
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--per-category", type=int, help="random questions of each one")
        parser.add_argument(
            "--survey", type=UUID, help="continue this survey, or rank it again"
        )
        parser.add_argument("--ranking", type=UUID, help="continue this ranking")
        parser.add_argument(
            "--estimate",
            action="store_true",
            help="print the expected use of the steps that are missing, and ask nothing",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["out"] is None and not options["estimate"]:
            raise CommandError("name the folder of the report: --out FOLDER")
        if options["estimate"]:
            self._estimate(options)
            return
        report = self._evaluate(options)
        for line in _lines_of(report):
            self.stdout.write(line)

    def _estimate(self, options: dict[str, Any]) -> None:
        """Write what the steps that are missing would use."""
        simulation, judge = options["simulation"], options["judge"]
        if options["ranking"]:
            row = _row_of(RankingRow, options["ranking"], "ranking")
            judge, ranked = row.judge, answers_that_wait(row)
        elif options["survey"]:
            survey = _row_of(SurveyRow, options["survey"], "survey")
            ranked = answers_of_plan(plan_ranking(survey, _ranking_request_of(options)))
        else:
            request = _request_of(options)
            ranked = expected_answers(request, options["per_category"])
            self.stdout.write(survey_line(simulation, request))
        self.stdout.write(ranking_line(estimate_ranking(simulation, judge, ranked)))

    def _evaluate(self, options: dict[str, Any]) -> RankingReport:
        """Take each step that is missing; what was done before is not done again."""
        if options["ranking"]:
            ranking = _row_of(RankingRow, options["ranking"], "ranking")
        else:
            survey = _survey_of(options)
            with exit_at_termination(f"--survey {survey.pk}"):
                self._answer(survey)
                ranking = request_ranking(survey, _ranking_request_of(options), by=_BY)
        with exit_at_termination(f"--ranking {ranking.pk}"):
            self._judge(ranking)
            return write_report(ranking, options["out"])

    def _judge(self, ranking: RankingRow) -> None:
        """Have all tasks of the ranking judged."""
        self.stdout.write(f"ranking {ranking.pk}")
        self.stdout.flush()
        if ranking.state == RankingRow.State.PAUSED:
            resume_ranking(ranking)
        with progress_bar("judgement") as on_progress:
            judge_ranking(wiring.ports(), ranking.pk, on_progress=on_progress)
        ranking.refresh_from_db()
        if ranking.state not in (RankingRow.State.FINISHED, RankingRow.State.OPEN):
            problem = rankings.unfinished_problem(ranking)
            raise CommandError(f"{problem}; continue it with --ranking {ranking.pk}")

    def _answer(self, survey: SurveyRow) -> None:
        """Have all interviews of the survey answered."""
        self.stdout.write(f"survey {survey.pk}")
        self.stdout.flush()
        with progress_bar("interview") as on_progress:
            answer_survey(wiring.ports(), survey.pk, on_progress=on_progress)
        survey.refresh_from_db()
        if survey.state != SurveyRow.State.FINISHED:
            problem = surveys.unfinished_problem(survey)
            raise CommandError(f"{problem}; continue it with --survey {survey.pk}")


def _survey_of(options: dict[str, Any]) -> SurveyRow:
    """Return a new survey, or the one to continue."""
    if not options["survey"]:
        return request_survey(
            options["simulation"], _request_of(options), by=_BY, reason="evaluation"
        )
    survey: SurveyRow = _row_of(SurveyRow, options["survey"], "survey")
    return resume_survey(survey) if survey.state == SurveyRow.State.PAUSED else survey


def _row_of(kind: Any, row_id: UUID, name: str) -> Any:
    row = kind.objects.filter(pk=row_id).first()
    if row is None:
        raise CommandError(f"there is no {name} {row_id}")
    return row


def _request_of(options: dict[str, Any]) -> SurveyRequest:
    row = queries.get_simulation(options["simulation"])
    tick = committed_tick_of(row, options["at"])
    agents = agents_at(row.pk, as_of_tick=tick, requested=options["agents"])
    return SurveyRequest(
        questionnaire=get_questionnaire(row.owner, options["questionnaire"]),
        agents={tick: agents},
        conditions=[condition_named(name) for name in options["conditions"]],
    )


def _ranking_request_of(options: dict[str, Any]) -> RankingRequest:
    return RankingRequest(
        judge=options["judge"],
        seed=options["seed"],
        questions_per_category=options["per_category"],
    )


def _lines_of(report: RankingReport) -> list[str]:
    found = report.statistics
    lines = [f"{report.judge}: {found.rankings:,} rankings of {report.tasks:,} questions"]
    lines += [
        f"{one.condition:44} {one.rating.mu:6.2f} ({one.rating.sigma:.2f})  mean rank "
        f"{one.mean_rank:.2f}"
        for one in found.conditions
    ]
    for name, test in (("Kruskal-Wallis", found.kruskal_wallis), ("Friedman", found.friedman)):
        if test.p is not None:
            lines.append(f"{name}: {test.statistic:.2f}, p = {test.p:.3g}")
    if found.effect_size is not None:
        lines.append(f"d = {found.effect_size:.2f}")
    return lines
