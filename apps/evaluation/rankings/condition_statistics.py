"""Statistics of rankings by condition, as the paper computes them (6.4, 6.5.1), and more."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import sqrt
from statistics import fmean

from apps.evaluation.statistics.bootstrap import Interval, bootstrap_interval
from apps.evaluation.statistics.rank_tests import (
    PairTest,
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
class ConditionStatistics:
    """A condition in a ranking.

    `mean_rank` is 1 for one that always wins; `interval` is its bootstrap interval, None of
    fewer than two rankings. `first_share` is the share of rankings in which no other is better.
    `rating` is TrueSkill's, `plackett_luce` that of openskill, on a scale of its own.
    """

    condition: str
    rating: Rating
    plackett_luce: Rating
    mean_rank: float
    interval: Interval | None
    first_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStatistics:
    """Two conditions, the one before the other in the ranking's list.

    `d` is the effect size, positive if the first is rated above; `wins` is the probability,
    by the ratings, that it is ranked above the other; `won` is the share of rankings in which
    it is, ties as half.
    """

    tests: PairTest
    d: float
    wins: float
    won: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingStatistics:
    """All statistics of a ranking; `conditions` are from the highest rating to the lowest."""

    rankings: int
    conditions: tuple[ConditionStatistics, ...]
    kruskal_wallis: RankTest
    friedman: RankTest
    pairs: tuple[PairStatistics, ...]
    by_category: Mapping[str, Mapping[str, float]]

    @property
    def effect_size(self) -> float | None:
        """The effect size between the highest and the lowest rating, as the paper gives it."""
        if len(self.conditions) < 2 or not self.rankings:
            return None
        return cohens_d(self.conditions[0].rating, self.conditions[-1].rating)


def statistics_of(
    conditions: Sequence[str], judgements: Sequence[RankedAnswers], *, seed: int
) -> RankingStatistics:
    """Return the statistics of judgements, rated in their order.

    :param seed: that of the bootstrap.
    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    ranks = {name: [one.ranks[name] for one in judgements] for name in conditions}
    ratings = _trueskill(conditions, judgements)
    plackett_luce = _plackett_luce(conditions, judgements)
    found = [
        ConditionStatistics(
            condition=name,
            rating=ratings[name],
            plackett_luce=plackett_luce[name],
            mean_rank=fmean(ranks[name]) if judgements else 0.0,
            interval=bootstrap_interval(ranks[name], seed=seed, resamples=RESAMPLES),
            first_share=_share(
                one.ranks[name] == min(one.ranks.values()) for one in judgements
            ),
        )
        for name in conditions
    ]
    return RankingStatistics(
        rankings=len(judgements),
        conditions=tuple(sorted(found, key=lambda one: -one.rating.mu)),
        kruskal_wallis=kruskal_wallis(ranks),
        friedman=friedman(ranks),
        pairs=tuple(
            PairStatistics(
                tests=tests,
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
) -> dict[str, dict[str, float]]:
    """Return the mean rank by condition for each category of questions."""
    grouped: defaultdict[str, list[RankedAnswers]] = defaultdict(list)
    for one in judgements:
        grouped[one.category].append(one)
    return {
        category: {name: fmean(one.ranks[name] for one in given) for name in conditions}
        for category, given in sorted(grouped.items())
    }


def _share(outcomes: Iterable[float]) -> float:
    values = list(outcomes)
    return fmean(values) if values else 0.0
