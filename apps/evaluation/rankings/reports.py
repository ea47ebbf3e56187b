"""Reports of rankings: who ranked what, the statistics, and the figures of the paper beside."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

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

BY_RULES = "the rule-based model, which is no language model"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingReport:
    """A ranking and its statistics, over all valid judgements so far.

    `judge` is the name of the judge, or "people"; `answered_by` the model that has answered, of
    whose answers `without_value` counts those without a value by `NoValue`. With `is_of_paper`
    the questionnaire is the paper's, so that its ratings can stand beside.
    """

    row: RankingRow
    judge: str
    evaluators: int
    tasks: int
    invalid: int
    answered_by: str
    without_value: Mapping[str, int]
    is_of_paper: bool
    statistics: RankingStatistics

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        found, paper = self.statistics, RATINGS_OF_PAPER if self.is_of_paper else {}
        return {
            "ranking": str(self.row.pk),
            "questionnaire": self.row.survey.questionnaire["name"],
            "judge": self.judge,
            "answered_by": self.answered_by,
            "without_value": dict(self.without_value),
            "evaluators": self.evaluators,
            "seed": self.row.seed,
            "tasks": self.tasks,
            "left_out": self.row.left_out,
            "rankings": found.rankings,
            "invalid": self.invalid,
            "conditions": [
                {
                    "condition": one.condition,
                    "mu": one.rating.mu,
                    "sigma": one.rating.sigma,
                    "mean_rank": one.mean_rank,
                    "mean_rank_low": None if one.interval is None else one.interval.low,
                    "mean_rank_high": None if one.interval is None else one.interval.high,
                    "first_share": one.first_share,
                    "plackett_luce_mu": one.plackett_luce.mu,
                    "plackett_luce_sigma": one.plackett_luce.sigma,
                    "paper_mu": paper.get(one.condition, (None, None))[0],
                    "paper_sigma": paper.get(one.condition, (None, None))[1],
                }
                for one in found.conditions
            ],
            "effect_size": found.effect_size,
            "kruskal_wallis": asdict(found.kruskal_wallis),
            "friedman": asdict(found.friedman),
            "pairs": [
                {
                    "one": pair.tests.one,
                    "other": pair.tests.other,
                    "dunn_p": pair.tests.dunn_p,
                    "nemenyi_p": pair.tests.nemenyi_p,
                    "d": pair.d,
                    "won": pair.won,
                    "wins": pair.wins,
                }
                for pair in found.pairs
            ],
            "by_category": [
                {"category": category, "condition": condition, "mean_rank": rank}
                for category, ranks in found.by_category.items()
                for condition, rank in ranks.items()
            ],
        }


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
    paper = shipped_questionnaires()["paper"].to_json()
    model = history.model_of(row.survey.simulation_id)
    return RankingReport(
        row=row,
        judge="people" if by_people else judge_name(row),
        evaluators=len(evaluators),
        tasks=progress.total,
        invalid=progress.invalid,
        answered_by=BY_RULES if model.server == OFFLINE else model.chat_model,
        without_value=progress_of([row.survey_id])[row.survey_id].without_value,
        is_of_paper=row.survey.questionnaire == paper,
        statistics=statistics_of(row.conditions, valid, seed=row.seed),
    )
