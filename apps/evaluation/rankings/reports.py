"""Reports of rankings: who ranked what, the statistics, and the figures of the paper beside."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any
from uuid import UUID

from apps import history
from apps.evaluation.models import RankingRow
from apps.evaluation.questionnaires.typed_questions import shipped_questionnaires
from apps.evaluation.rankings.condition_statistics import (
    RankedAnswers,
    RankingStatistics,
    statistics_of,
)
from apps.evaluation.rankings.judging import judge_name
from apps.evaluation.rankings.queries import (
    RATINGS_OF_PAPER,
    judgements_of,
    presented_conditions,
    ranking_progress,
)
from apps.evaluation.surveys.queries import progress_of
from apps.llm.model_spec import OFFLINE

_NOT_PLAIN = {"row", "is_of_paper"}
BY_RULES = "the rule-based model, which is no language model"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingReport(RankingStatistics):
    """The statistics of a ranking over its valid judgements so far."""

    row: RankingRow
    is_of_paper: bool
    """Whether the questionnaire is the paper's, so that its ratings can stand beside."""
    ranking: UUID
    questionnaire: str
    judge: str
    """The name of the judge, or "people"."""
    answered_by: str
    """The model that gave the ranked answers."""
    without_value: Mapping[str, int]
    """The answers of the survey without a value, by `no_value` of interviews."""
    evaluators: int
    seed: int
    tasks: int
    left_out: int
    invalid: int

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        values = {name: one for name, one in asdict(self).items() if name not in _NOT_PLAIN}
        return values | {"ranking": str(self.ranking)}


def report_of(row: RankingRow) -> RankingReport:
    """Return the report of a ranking as it is now.

    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    rows = judgements_of(row).order_by("task__number", "evaluator")
    valid, evaluators = [], set()
    for judgement in rows.filter(parse_error=""):
        evaluators.add(judgement.evaluator)
        presented = presented_conditions(
            judgement.task, seed=row.seed, evaluator=judgement.evaluator
        )
        valid.append(
            RankedAnswers(
                ranks={name: judgement.ranks[name] for name in presented.values()},
                category=judgement.task.category,
            )
        )
    progress = ranking_progress([row.pk])[row.pk]
    by_people = row.judge == RankingRow.Judge.PEOPLE
    is_of_paper = row.survey.questionnaire == shipped_questionnaires()["paper"].to_json()
    printed = RATINGS_OF_PAPER if is_of_paper else {}
    model = history.model_of(row.survey.simulation_id)
    found = statistics_of(row.conditions, valid, seed=row.seed)
    rated = []
    for one in found.conditions:
        mu, sigma = printed.get(one.condition, (None, None))
        rated.append(replace(one, paper_mu=mu, paper_sigma=sigma))
    values: dict[str, Any] = {field.name: getattr(found, field.name) for field in fields(found)}
    return RankingReport(
        **values | {"conditions": tuple(rated)},
        row=row,
        is_of_paper=is_of_paper,
        ranking=row.pk,
        questionnaire=row.survey.questionnaire["name"],
        judge="people" if by_people else judge_name(row),
        answered_by=BY_RULES if model.server == OFFLINE else model.chat_model,
        without_value=progress_of([row.survey_id])[row.survey_id].without_value,
        evaluators=len(evaluators),
        seed=row.seed,
        tasks=progress.total,
        left_out=row.left_out,
        invalid=progress.invalid,
    )
