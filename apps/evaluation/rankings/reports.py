"""Reports of rankings: who ranked what, the statistics, and the figures of the paper beside."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from apps import history
from apps.evaluation.models import RankingRow
from apps.evaluation.questionnaires.typed_questions import shipped_questionnaires
from apps.evaluation.rankings.condition_statistics import (
    ConditionStatistics,
    RankedAnswers,
    statistics_of,
)
from apps.evaluation.rankings.judging import judge_name
from apps.evaluation.rankings.queries import (
    RATINGS_OF_PAPER,
    judgements_of,
    presented_conditions,
    ranking_progress,
)
from apps.evaluation.statistics.rank_tests import RankTest
from apps.evaluation.surveys.queries import progress_of
from apps.llm.model_spec import OFFLINE

_NOT_PLAIN = {"row", "is_of_paper"}
BY_RULES = "the rule-based model, which is no language model"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedCondition:
    """The figures of a condition."""

    condition: str
    mu: float
    """TrueSkill's mean."""
    sigma: float
    """TrueSkill's standard deviation."""
    mean_rank: float
    """1 for one that always wins."""
    mean_rank_low: float | None
    """The end of a bootstrap interval of 95 %."""
    mean_rank_high: float | None
    first_share: float
    """Rankings in which no other is better."""
    plackett_luce_mu: float
    """By openskill, on another scale."""
    plackett_luce_sigma: float
    paper_mu: float | None
    """As the paper prints it."""
    paper_sigma: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionPair:
    """Two conditions."""

    one: str
    other: str
    dunn_p: float | None
    """Adjusted by Holm-Bonferroni; null if all ranks are equal."""
    nemenyi_p: float | None
    d: float
    """Positive if the first is rated above."""
    won: float
    """Rankings with the first above, ties as half."""
    wins: float
    """The probability of the same, by the ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRank:
    """The mean rank of a condition for the questions of a category."""

    category: str
    condition: str
    mean_rank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingReport:
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
    rankings: int
    invalid: int
    conditions: tuple[RatedCondition, ...]
    """From the highest rating to the lowest."""
    effect_size: float | None
    """Cohen's d of the highest and the lowest rating."""
    kruskal_wallis: RankTest
    friedman: RankTest
    pairs: tuple[ConditionPair, ...]
    by_category: tuple[CategoryRank, ...]

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
    return RankingReport(
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
        rankings=found.rankings,
        invalid=progress.invalid,
        conditions=tuple(
            _rated(one, *printed.get(one.condition, (None, None))) for one in found.conditions
        ),
        effect_size=found.effect_size,
        kruskal_wallis=found.kruskal_wallis,
        friedman=found.friedman,
        pairs=tuple(
            ConditionPair(**asdict(pair.tests), d=pair.d, won=pair.won, wins=pair.wins)
            for pair in found.pairs
        ),
        by_category=tuple(
            CategoryRank(category=category, condition=condition, mean_rank=rank)
            for category, ranks in found.by_category.items()
            for condition, rank in ranks.items()
        ),
    )


def _rated(
    one: ConditionStatistics, paper_mu: float | None, paper_sigma: float | None
) -> RatedCondition:
    interval = one.interval
    return RatedCondition(
        condition=one.condition,
        mu=one.rating.mu,
        sigma=one.rating.sigma,
        mean_rank=one.mean_rank,
        mean_rank_low=None if interval is None else interval.low,
        mean_rank_high=None if interval is None else interval.high,
        first_share=one.first_share,
        plackett_luce_mu=one.plackett_luce.mu,
        plackett_luce_sigma=one.plackett_luce.sigma,
        paper_mu=paper_mu,
        paper_sigma=paper_sigma,
    )
