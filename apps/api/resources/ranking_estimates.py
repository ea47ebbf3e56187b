"""The estimate of a ranking, before it is requested."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.api.http.operation import operation
from apps.api.resources.ranking_serializers import RankingEstimateShown, RequestedRanking
from apps.api.resources.rankings import ranking_request_of
from apps.api.resources.surveys import SurveyView
from apps.evaluation.rankings.judges import JudgeUnknown
from apps.evaluation.rankings.ranking_estimates import answers_of_plan, estimate_ranking
from apps.evaluation.rankings.ranking_plan import (
    SurveyNotFinished,
    UnusableRanking,
    plan_ranking,
)


class RankingEstimates(SurveyView):
    """The estimate of a ranking, before it is requested."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateRanking",
        "/rankings/estimate",
        "evaluation",
        RankingEstimateShown,
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
        plan = plan_ranking(self.survey_row, requested)
        found = estimate_ranking(self.context.id, requested.judge, answers_of_plan(plan))
        shown = {name: getattr(found, name) for name in found.__slots__}
        return Response(
            self.represent(
                RankingEstimateShown,
                shown
                | {
                    "left_out": plan.left_out,
                    "cost": found.cost or 0,
                    "is_priced": found.cost is not None,
                },
            )
        )
