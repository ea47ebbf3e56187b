"""`manage.py evaluate_conditions SIMULATION --out FOLDER`: the paper's evaluation (E1-E3)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps.console.estimate import use_in_words
from apps.console.options import agents_at, committed_tick_of
from apps.console.work_here import OPERATOR, carry_out_here
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.expected_calls import (
    answers_of_tasks,
    answers_that_wait,
    expected_answers,
    expected_of_ranking,
    expected_of_survey,
)
from apps.evaluation.models import RankingRow
from apps.evaluation.questionnaires.typed_questions import get_questionnaire
from apps.evaluation.rankings.commands import RANKINGS, request_ranking
from apps.evaluation.rankings.judging import JUDGES, judging_model
from apps.evaluation.rankings.ranking_plan import RankingRequest, plan_ranking
from apps.evaluation.rankings.report_pages import write_report
from apps.evaluation.rankings.reports import RankingReport
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey
from apps.interaction.conditions import CONDITIONS, condition_named
from apps.llm.estimates import Estimate
from apps.simulation import queries
from apps.simulation.engine.run_estimates import estimate_work


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
            row = RANKINGS.get(options["ranking"])
            judge, ranked = row.judge, answers_that_wait(row)
        elif options["survey"]:
            survey = SURVEYS.get(options["survey"])
            ranked = answers_of_tasks(
                [
                    task.answers
                    for task in plan_ranking(survey, _ranking_request_of(options)).tasks
                ]
            )
        else:
            request = _request_of(options)
            ranked = expected_answers(request, options["per_category"])
            self._write_use(
                f"survey: {request.interviews:,} interviews,",
                estimate_work(
                    queries.model_of(simulation),
                    expected_of_survey(request),
                    simulation_id=simulation,
                ),
            )
        self._write_use(
            f"ranking: {ranked.tasks:,} questions,",
            estimate_work(
                judging_model(simulation, judge),
                expected_of_ranking(ranked, judge),
                simulation_id=simulation,
            ),
        )

    def _write_use(self, what: str, found: Estimate) -> None:
        self.stdout.write(use_in_words(found, what))

    def _evaluate(self, options: dict[str, Any]) -> RankingReport:
        """Take each step that is missing; what was done before is not done again."""
        ranking_id = options["ranking"]
        if not ranking_id:
            survey_id = (
                options["survey"]
                or request_survey(
                    options["simulation"],
                    _request_of(options),
                    by=OPERATOR,
                    reason="evaluation",
                ).pk
            )
            survey = carry_out_here(SURVEYS, survey_id, self.stdout, option="--survey")
            ranking_id = request_ranking(survey, _ranking_request_of(options), by=OPERATOR).pk
        ranking = carry_out_here(RANKINGS, ranking_id, self.stdout, option="--ranking")
        return write_report(ranking, options["out"])


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
    lines = [f"{report.judge}: {report.rankings:,} rankings of {report.tasks:,} questions"]
    lines += [
        f"{one.condition:44} {one.mu:6.2f} ({one.sigma:.2f})  mean rank {one.mean_rank:.2f}"
        for one in report.conditions
    ]
    for name, test in (
        ("Kruskal-Wallis", report.kruskal_wallis),
        ("Friedman", report.friedman),
    ):
        if test.p is not None:
            lines.append(f"{name}: {test.statistic:.2f}, p = {test.p:.3g}")
    if report.effect_size is not None:
        lines.append(f"d = {report.effect_size:.2f}")
    return lines
