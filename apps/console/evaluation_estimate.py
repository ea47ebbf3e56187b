"""The lines that tell what an evaluation of conditions would use."""

from decimal import Decimal
from uuid import UUID

from apps.evaluation.rankings.ranking_estimates import RankingEstimate
from apps.evaluation.surveys.commands import SurveyRequest
from apps.evaluation.surveys.survey_estimates import estimate_survey
from apps.llm.catalogue import price_of
from apps.simulation import queries


def survey_line(simulation_id: UUID, request: SurveyRequest) -> str:
    """Return the estimate of a survey in one line."""
    model = queries.model_of(simulation_id)
    price = price_of(model.chat_model, model.server)
    lines = estimate_survey(simulation_id, request, price)
    return _line(
        f"survey: {request.interviews:,} interviews",
        calls=sum(one.calls for one in lines),
        tokens=sum(one.prompt_tokens + one.completion_tokens for one in lines),
        cost=None if price is None else sum((one.cost for one in lines), Decimal()),
    )


def ranking_line(found: RankingEstimate) -> str:
    """Return the estimate of a ranking in one line."""
    return _line(
        f"ranking: {found.tasks:,} questions",
        calls=found.calls,
        tokens=found.prompt_tokens + found.completion_tokens,
        cost=found.cost,
    )


def _line(what: str, *, calls: int, tokens: int, cost: Decimal | None) -> str:
    costs = "no known price" if cost is None else f"cost {cost:.4f}"
    return f"{what}, {calls:,} calls, {tokens:,} tokens, {costs}"
