"""Rankings of a survey's answers: requested, judged by people or a judge, with their tasks."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from django.db.models import QuerySet
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import Clock, ResourceURL, Serializer
from apps.api.http.lists import (
    ListView,
    Paged,
    list_parameters,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import THINKING, ApiView, Errors, operation
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.surveys import SurveyView
from apps.api.resources.work import (
    LimitedWork,
    OfKind,
    SimulationWorkView,
    TokenLimit,
    WorkRequests,
    progress_of_work,
    views_of_requests,
    views_of_work,
)
from apps.evaluation.expected_calls import answers_of_tasks, expected_of_ranking
from apps.evaluation.models import RankingJudgementRow, RankingRow, RankingTaskRow, SurveyRow
from apps.evaluation.rankings import commands as rankings
from apps.evaluation.rankings import queries as ranking_queries
from apps.evaluation.rankings.commands import RANKINGS, UnusableRanks
from apps.evaluation.rankings.judging import JudgeUnknown, judging_model
from apps.evaluation.rankings.queries import (
    CONDITIONS_MAX,
    HUMAN,
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
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import Reason
from apps.simulation.engine.run_estimates import estimate_work
from apps.work.kinds import WorkUnknown


class RequestedRanking(RankingRequest):
    """Who ranks the answers of a survey, and which of them."""

    reason: Reason = ""
    """The reason; it is stored with the ranking."""


class RankingEstimate(WorkEstimate):
    """The expected use of a ranking; none of one by people."""

    tasks = serializers.IntegerField(min_value=0, help_text="Questions to rank.")
    left_out = serializers.IntegerField(
        min_value=0, help_text="Questions without an answer under one of the conditions."
    )


RankingProgress = progress_of_work(ranking_queries.RankingProgress, "RankingProgress")


class ConditionRanking(LimitedWork):
    """A ranking of the answers of a survey and its progress."""

    id = serializers.UUIDField()
    status_url = ResourceURL(
        "getRanking", simulation="simulation_id", survey="survey_id", ranking="id"
    )
    judge = serializers.CharField()
    seed = serializers.IntegerField(min_value=0)
    conditions = serializers.ListField(child=serializers.CharField())
    left_out = serializers.IntegerField(
        min_value=0, help_text="Questions without an answer under one of the conditions."
    )
    progress = RankingProgress()


class BlindAnswer(Serializer):
    """An answer without its condition."""

    letter = serializers.CharField()
    answer = serializers.CharField()


class RankingTask(Serializer):
    """The answers to one question of one agent at one moment, in random order."""

    id = serializers.UUIDField()
    agent = serializers.CharField()
    as_of = Clock(source="as_of_tick")
    question = serializers.CharField()
    category = serializers.CharField()
    text = serializers.CharField(help_text="The question as it was asked.")
    answers = BlindAnswer(many=True)
    your_ranks = serializers.DictField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="The ranks that you have given, by letter; null if you have not.",
    )
    your_reason = serializers.CharField(
        help_text='The reason that you have given with them; "" if you have not.'
    )


class NextRankingTask(Serializer):
    """The next task that you have not ranked, and your progress."""

    tasks = serializers.IntegerField(min_value=0, help_text="All tasks of the ranking.")
    ranked = serializers.IntegerField(min_value=0, help_text="Those that you have ranked.")
    agent_name = serializers.CharField(
        allow_null=True, help_text="The name of the agent that was asked; null without a task."
    )
    task = RankingTask(allow_null=True, help_text="Null if you have ranked all.")


class RankingTaskFilters(Paged):
    """The filters and the order of the tasks of a ranking."""

    is_ranked = serializers.BooleanField(
        required=False, help_text="Only tasks that you have ranked, or only the others."
    )
    search = search_parameter("agent, category, question")
    order = order_parameter("number")


class SubmittedRanks(RequestModel):
    """The ranks of the answers of a task."""

    ranks: dict[str, Annotated[int, Field(ge=1, le=CONDITIONS_MAX)]]
    """A rank for each letter, 1 for the most believable answer; equal ones may have the same
    rank."""
    reason: Reason = ""
    """The reason for the ranks; it is stored with them."""


# The columns of downloads have the order of the fields: a new one is put last.
class Judgement(Serializer):
    """The ranks that an evaluator has given, by condition."""

    task = serializers.UUIDField(source="task_id")
    evaluator = serializers.CharField()
    agent = serializers.CharField(source="task.agent")
    as_of = Clock(source="task.as_of_tick")
    question = serializers.CharField(source="task.question")
    category = serializers.CharField(source="task.category")
    ranks = serializers.DictField(
        child=serializers.FloatField(),
        help_text="1 is the most believable; equal ones have the mean of their places.",
    )
    reason = serializers.CharField()
    parse_error = serializers.CharField(
        help_text='Why a model\'s ranks are not valid; "" if they are.'
    )
    model_calls = serializers.ListField(child=serializers.CharField())
    recorded_at = serializers.DateTimeField(
        source="judged_at", help_text="By the service's clock."
    )
    written_by = serializers.CharField(
        source="task.written_by",
        help_text=f'The user whose answer the condition `{HUMAN}` has; "" without one.',
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


class RankingRequests(WorkRequests, _RankingsView):
    """The rankings of a survey; a request needs the right to command, as a judge costs."""

    address: ClassVar[str] = SurveyView.address
    errors: ClassVar[Errors] = (WorkUnknown,)
    body_model = RequestedRanking
    estimated_as = RankingEstimate
    searched: ClassVar = {"judge": "judge", "by": "by", "reason": "reason"}
    survey_row: SurveyRow

    def load_resources(self, **names: str) -> None:
        """Load the survey.

        :raises WorkUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        self.survey_row = self.survey_of(names)

    def rows(self) -> QuerySet[RankingRow]:
        """Return the rankings of the survey."""
        return RANKINGS.rows.filter(survey=self.survey_row)

    def record(self, requested: RequestedRanking) -> RankingRow:
        """Rank the answers of a finished survey by condition, blind and in random order."""
        by = self.user.get_username()
        return rankings.request_ranking(
            self.survey_row, requested, by=by, reason=requested.reason
        )

    def estimate(self, requested: RequestedRanking) -> dict[str, Any]:
        """Return the values of `RankingEstimate`."""
        plan = plan_ranking(self.survey_row, requested)
        answers = answers_of_tasks([task.answers for task in plan.tasks])
        found = estimate_work(
            self.context.id,
            expected_of_ranking(answers, requested.judge),
            agents=[task.agent for task in plan.tasks],
            model=judging_model(self.context.id, requested.judge),
        )
        return work_estimate(found, tasks=answers.tasks, left_out=plan.left_out)


class RankingView(_RankingsView, SimulationWorkView):
    """A view below a ranking."""

    address: ClassVar[str] = f"{SurveyView.address}/rankings/{{ranking}}"
    parameter = "ranking"
    resumption = TokenLimit

    def found_by(self, **names: str) -> dict[str, Any]:
        """Return the survey."""
        return {"survey": self.survey_of(names)}


VIEWS = views_of_work(RankingView, tag="evaluation") + views_of_requests(
    RankingRequests,
    tag="evaluation",
    route="/rankings",
    request_id="requestRanking",
    rate=THINKING,
    errors=(JudgeUnknown, SurveyNotFinished, UnusableRanking),
)


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
            row, requested.ranks, by=evaluator, reason=requested.reason
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
