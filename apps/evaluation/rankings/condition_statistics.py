"""Statistics of rankings by condition, as the paper computes them (6.4, 6.5.1), and more."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from math import sqrt
from statistics import fmean

from apps.evaluation.statistics.bootstrap import bootstrap_interval
from apps.evaluation.statistics.rank_tests import (
    RankTest,
    StatisticsUnavailable,
    friedman,
    kruskal_wallis,
    pair_tests,
)
from apps.evaluation.statistics.trueskill import Rating, rate, win_probability


def cohens_d(one: Rating, other: Rating) -> float:
    """Return the difference of the means, in standard deviations of the difference.

    The paper prints d = 8.16 for ratings of 29.89 (0.72) and 21.21 (0.70), and not its formula.
    This one gives 8.64 of them, and no usual one comes nearer: the root of the mean variance
    gives 12.22, the deviation of the better one 12.06, that of the other 12.40. With 8.16, both
    deviations would be 0.752.
    """
    return (one.mu - other.mu) / sqrt(one.sigma**2 + other.sigma**2)


RESAMPLES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedAnswers:
    """One judgement: its ranks by condition, in the order in which the answers were presented.

    Equal ranks are the mean of their places.
    """

    ranks: Mapping[str, float]
    category: str = ""


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
    paper_mu: float | None = None
    """As the paper prints it."""
    paper_sigma: float | None = None


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
class RankingStatistics:
    """All statistics of a ranking."""

    rankings: int
    conditions: tuple[RatedCondition, ...]
    """From the highest rating to the lowest."""
    effect_size: float | None
    """Cohen's d of the highest and the lowest rating."""
    kruskal_wallis: RankTest
    friedman: RankTest
    pairs: tuple[ConditionPair, ...]
    by_category: tuple[CategoryRank, ...]


def statistics_of(
    conditions: Sequence[str], judgements: Sequence[RankedAnswers], *, seed: int
) -> RankingStatistics:
    """Return the statistics of judgements, rated in their order.

    :param seed: that of the bootstrap.
    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    ranks = {name: [one.ranks[name] for one in judgements] for name in conditions}
    ratings = _trueskill(conditions, judgements)
    ordered = sorted(conditions, key=lambda name: -ratings[name].mu)
    has_two = bool(judgements) and len(conditions) > 1
    plackett_luce = _plackett_luce(conditions, judgements)
    return RankingStatistics(
        rankings=len(judgements),
        conditions=tuple(
            _rated(name, judgements, ratings[name], plackett_luce[name], seed)
            for name in ordered
        ),
        effect_size=(cohens_d(ratings[ordered[0]], ratings[ordered[-1]]) if has_two else None),
        kruskal_wallis=kruskal_wallis(ranks),
        friedman=friedman(ranks),
        pairs=tuple(
            ConditionPair(
                **asdict(tests),
                d=cohens_d(ratings[tests.one], ratings[tests.other]),
                wins=win_probability(ratings[tests.one], ratings[tests.other]),
                won=_share(
                    (1 + (one < other) - (one > other)) / 2
                    for one, other in zip(ranks[tests.one], ranks[tests.other], strict=True)
                ),
            )
            for tests in pair_tests(ranks)
        ),
        by_category=_by_category(conditions, judgements),
    )


def _rated(
    name: str,
    judgements: Sequence[RankedAnswers],
    rating: Rating,
    plackett_luce: Rating,
    seed: int,
) -> RatedCondition:
    ranks = [one.ranks[name] for one in judgements]
    interval = bootstrap_interval(ranks, seed=seed, resamples=RESAMPLES)
    return RatedCondition(
        condition=name,
        mu=rating.mu,
        sigma=rating.sigma,
        mean_rank=fmean(ranks) if ranks else 0.0,
        mean_rank_low=None if interval is None else interval.low,
        mean_rank_high=None if interval is None else interval.high,
        first_share=_share(one.ranks[name] == min(one.ranks.values()) for one in judgements),
        plackett_luce_mu=plackett_luce.mu,
        plackett_luce_sigma=plackett_luce.sigma,
    )


def _trueskill(
    conditions: Sequence[str], judgements: Sequence[RankedAnswers]
) -> dict[str, Rating]:
    """Return the ratings after all judgements.

    The chain of draws treats its ends unlike its middle, so that the order in which the answers
    were presented, which is random, decides among equal ranks, and not the list of conditions.
    """
    ratings = {name: Rating() for name in conditions}
    for one in judgements:
        names = list(one.ranks)
        rated = rate([ratings[name] for name in names], list(one.ranks.values()))
        ratings |= dict(zip(names, rated, strict=True))
    return ratings


def _plackett_luce(
    conditions: Sequence[str], judgements: Sequence[RankedAnswers]
) -> dict[str, Rating]:
    if find_spec("openskill") is None:
        raise StatisticsUnavailable(
            "ratings need openskill; install requirements-evaluation.txt"
        )
    from openskill.models import PlackettLuce  # noqa: PLC0415 (optional)

    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in conditions}
    for one in judgements:
        teams = [[ratings[name]] for name in one.ranks]
        for (rated,), name in zip(
            model.rate(teams, ranks=list(one.ranks.values())), one.ranks, strict=True
        ):
            ratings[name] = rated
    return {name: Rating(one.mu, one.sigma) for name, one in ratings.items()}


def _by_category(
    conditions: Sequence[str], judgements: Sequence[RankedAnswers]
) -> tuple[CategoryRank, ...]:
    """Return the mean ranks for each category of questions."""
    grouped: defaultdict[str, list[RankedAnswers]] = defaultdict(list)
    for one in judgements:
        grouped[one.category].append(one)
    return tuple(
        CategoryRank(
            category=category,
            condition=name,
            mean_rank=fmean(one.ranks[name] for one in given),
        )
        for category, given in sorted(grouped.items())
        for name in conditions
    )


def _share(outcomes: Iterable[float]) -> float:
    values = list(outcomes)
    return fmean(values) if values else 0.0
