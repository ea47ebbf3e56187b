"""Rankings of a survey's answers: requested, judged by people or a judge, with their tasks."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.api.http.rate_limits import THINKING
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView, Errors
from apps.api.resources.costs import work_estimate
from apps.api.resources.ranking_serializers import (
    ConditionRanking,
    Judgement,
    NextRankingTask,
    RankingEstimate,
    RankingTask,
    RankingTaskFilters,
    RequestedRanking,
    SubmittedRanks,
)
from apps.api.resources.surveys import SurveyView
from apps.api.resources.work import (
    OfKind,
    SimulationWorkView,
    TokenLimit,
    WorkList,
    views_of_work,
)
from apps.evaluation.expected_calls import answers_of_tasks, expected_of_ranking
from apps.evaluation.models import (
    RankingJudgementRow,
    RankingRow,
    RankingTaskRow,
    SurveyRow,
)
from apps.evaluation.rankings import commands as rankings
from apps.evaluation.rankings import queries as ranking_queries
from apps.evaluation.rankings.commands import RANKINGS, UnusableRanks
from apps.evaluation.rankings.judging import JudgeUnknown, judging_model
from apps.evaluation.rankings.queries import (
    NotRankedByPeople,
    RankingTaskUnknown,
    presented_conditions,
)
from apps.evaluation.rankings.ranking_plan import (
    RankingRequest,
    SurveyNotFinished,
    UnusableRanking,
    plan_ranking,
)
from apps.evaluation.surveys.commands import SURVEYS
from apps.simulation.engine.run_estimates import estimate_work
from apps.work.kinds import WorkUnknown


def ranking_request_of(requested: dict[str, Any]) -> RankingRequest:
    """Return the request that a validated body makes."""
    return RankingRequest(
        judge=requested["judge"],
        seed=requested["seed"],
        conditions=requested.get("conditions", ()),
        questions_per_category=requested.get("questions_per_category"),
        tokens_max=requested.get("tokens_max"),
    )


class _RankingsView(OfKind, SimulationView):
    kind = RANKINGS
    shown_as = ConditionRanking

    def values_of(self, rows: Sequence[RankingRow]) -> list[dict[str, Any]]:
        """Return the values of the rankings with their simulation."""
        return [one | {"simulation_id": self.context.id} for one in super().values_of(rows)]

    def survey_of(self, names: Mapping[str, str]) -> SurveyRow:
        """Return the survey that the path names.

        :raises WorkUnknown: if there is none.
        """
        survey_id = parse_resource_id(names["survey"], WorkUnknown, "there is no survey")
        return SURVEYS.get(survey_id, simulation_id=self.context.id)


class Rankings(WorkList, _RankingsView):
    """The rankings of a survey; a request needs the right to command, as a judge costs."""

    address: ClassVar[str] = SurveyView.address
    errors: ClassVar[Errors] = (WorkUnknown,)
    survey_row: SurveyRow

    query = list_parameters("judge, by, reason", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": THINKING}

    def load_resources(self, **names: str) -> None:
        """Load the survey.

        :raises WorkUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        self.survey_row = self.survey_of(names)

    @operation("listRankings", "/rankings", "evaluation", page_of_items(ConditionRanking))
    def get(self, request: Request, **_names: str) -> Any:
        """List the rankings of a survey, by default the latest first."""
        rows = RANKINGS.rows.filter(survey=self.survey_row)
        return self.listed(rows, "judge", "by", "reason")

    @operation(
        "requestRanking",
        "/rankings",
        "evaluation",
        {202: ConditionRanking},
        request=RequestedRanking,
        examples={
            "By people": {"judge": "people", "seed": 7, "questions_per_category": 1},
            "By the simulation's model": {"judge": "model", "tokens_max": 1_000_000},
            "By rule, of two conditions": {
                "judge": "rule",
                "conditions": ["full", "no-reflection"],
            },
        },
        errors=(JudgeUnknown, SurveyNotFinished, UnusableRanking),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Rank the answers of a finished survey by condition, blind and in random order."""
        requested = self.body(RequestedRanking)
        row = rankings.request_ranking(
            self.survey_row,
            ranking_request_of(requested),
            by=self.user.get_username(),
            reason=requested.get("reason", ""),
        )
        return self.accepted(row)


class RankingEstimates(SurveyView):
    """The estimate of a ranking, before it is requested."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateRanking",
        "/rankings/estimate",
        "evaluation",
        RankingEstimate,
        request=RequestedRanking,
        examples={
            "By the simulation's model": {"judge": "model"},
            "As each evaluator of the paper had them": {
                "judge": "model",
                "questions_per_category": 1,
            },
        },
        errors=(JudgeUnknown, SurveyNotFinished, UnusableRanking),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Estimate calls, tokens and cost of a ranking without asking anything."""
        requested = ranking_request_of(self.body(RequestedRanking))
        plan = plan_ranking(self.work_row, requested)
        answers = answers_of_tasks([task.answers for task in plan.tasks])
        found = estimate_work(
            judging_model(self.context.id, requested.judge),
            expected_of_ranking(answers, requested.judge),
            simulation_id=self.context.id,
        )
        shown = work_estimate(found, tasks=answers.tasks, left_out=plan.left_out)
        return Response(self.represent(RankingEstimate, shown))


class RankingView(_RankingsView, SimulationWorkView):
    """A view below a ranking."""

    address: ClassVar[str] = f"{SurveyView.address}/rankings/{{ranking}}"
    parameter = "ranking"
    resumption = TokenLimit
    resumption_example: ClassVar = {"tokens_max": 2_000_000}

    def found_by(self, **names: str) -> dict[str, Any]:
        """Return the survey."""
        return {"survey": self.survey_of(names)}


VIEWS = views_of_work(RankingView, tag="evaluation")


class RankingTasks(ListView, RankingView):
    """The tasks of a ranking, as the user is to see them."""

    query = RankingTaskFilters

    @operation("listRankingTasks", "/tasks", "evaluation", page_of_items(RankingTask))
    def get(self, request: Request, **_names: str) -> Any:
        """List what there is to rank: questions in random order, answers without conditions.

        The letters of the answers are drawn for each question and user.
        """
        evaluator = self.user.get_username()
        given = ranking_queries.judgements_given(self.work_row, evaluator)
        rows = ranking_queries.tasks_of(self.work_row)
        is_ranked = self.parameters.get("is_ranked")
        if is_ranked is not None:
            rows = rows.filter(pk__in=given) if is_ranked else rows.exclude(pk__in=given)
        found = [row for row in rows if self.contains_search(row.agent, row.category, row.text)]

        def shown(page: list[RankingTaskRow]) -> list[dict[str, Any]]:
            seed = self.work_row.seed
            return [_blind(row, seed, evaluator, given.get(row.pk)) for row in page]

        return self.page(found, RankingTask, prepare=shown, number=("number",))


class NextTask(RankingView):
    """The next task of an evaluator, as a page on which people rank needs it."""

    errors: ClassVar[Errors] = (NotRankedByPeople,)

    @operation("getNextRankingTask", "/next-task", "evaluation", NextRankingTask)
    def get(self, request: Request, **_names: str) -> Response:
        """Show the first task that you have not ranked, and your progress.

        The answer names no condition, as the other ones of a ranking do.
        """
        ranking, evaluator = self.work_row, self.user.get_username()
        found = ranking_queries.next_task(ranking, evaluator)
        row = found.task
        shown = {
            "tasks": found.tasks,
            "ranked": found.ranked,
            "agent_name": row and agent_queries.name_of_agent(self.context.id, row.agent),
            "task": row and _blind(row, ranking.seed, evaluator, None),
        }
        return Response(self.represent(NextRankingTask, shown))


class RankingJudgement(RankingView):
    """The judgement of a user on a task; every member can judge, but for itself only."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "submitRanks",
        "/tasks/{task}/judgement",
        "evaluation",
        RankingTask,
        request=SubmittedRanks,
        examples={"With a tie": {"ranks": {"A": 2, "B": 1, "C": 2, "D": 4}}},
        errors=(NotRankedByPeople, RankingTaskUnknown, UnusableRanks),
    )
    def post(self, request: Request, task: str, **_names: str) -> Response:
        """Submit your ranks of the answers of a task; later ones replace them."""
        ApiView.require_right(self, Right.COMMAND)  # of the token, which may only read
        requested = self.body(SubmittedRanks)
        task_id = parse_resource_id(task, RankingTaskUnknown, "there is no task")
        row = ranking_queries.get_ranking_task(self.work_row, task_id)
        evaluator = self.user.get_username()
        judgement = rankings.submit_ranks(
            row, requested["ranks"], by=evaluator, reason=requested.get("reason", "")
        )
        shown = _blind(row, self.work_row.seed, evaluator, judgement)
        return Response(self.represent(RankingTask, shown))


class RankingJudgements(DownloadableList, RankingView):
    """The judgements of a ranking, with their conditions, in pages or as one file."""

    query = list_parameters("agent, question, evaluator", "recorded_at", more=FormatParameter)

    @operation("listJudgements", "/judgements", "evaluation", page_or_download(Judgement))
    def get(self, request: Request, **_names: str) -> Any:
        """List the judgements of a ranking, which are no longer blind."""
        rows = self.matching(
            ranking_queries.judgements_of(self.work_row),
            "task__agent",
            "task__question",
            "evaluator",
        )
        return self.page(rows, Judgement, recorded_at=("judged_at", "pk"))


def _blind(
    row: RankingTaskRow, seed: int, evaluator: str, given: RankingJudgementRow | None
) -> dict[str, Any]:
    """Return the task without conditions, with what the evaluator has submitted."""
    presented = presented_conditions(row, seed=seed, evaluator=evaluator)
    submitted: dict[str, Any] = {"your_ranks": None, "your_reason": ""}
    if given is not None:
        ranks = {letter: given.ranks[name] for letter, name in presented.items()}
        submitted = {"your_ranks": ranks, "your_reason": given.reason}
    answers = [
        {"letter": letter, "answer": row.answers[name]} for letter, name in presented.items()
    ]
    return vars(row) | {"answers": answers} | submitted
