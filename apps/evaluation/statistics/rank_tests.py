"""Tests of rankings: Kruskal-Wallis and Dunn as in the paper (6.4), Friedman and Nemenyi.

The paper's two tests take the ranks for independent. The ranks of one ranking are not: each
rank is given once. With k conditions and without ties, Kruskal-Wallis's H is then k/(k - 1)
times Friedman's statistic, and finds a difference too often: with five equal conditions in
10.8 % of large evaluations at the level of 5 % (ADR 73). Friedman's and Nemenyi's tests are
made for rankings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from apps.kernel.errors import DomainError


class StatisticsUnavailable(DomainError):
    """Statistical tests need the package scipy; install requirements-evaluation.txt."""


def is_scipy_installed() -> bool:
    """Return whether statistical tests can be computed."""
    return find_spec("scipy") is not None


def ensure_statistics_available() -> None:
    """Check that the optional package is installed.

    :raises StatisticsUnavailable: if it is not.
    """
    if not is_scipy_installed():
        raise StatisticsUnavailable


PAIRS_MIN = 2
EXACT_PAIRS_MAX = 13
"""Up to so many pairs the signed-rank test is exact, with ties, too."""
EQUAL_SHARE = 1e-9
"""Differences that differ by less than this share are equal, but for rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """Two tests of the hypothesis that paired values do not differ, both two-sided.

    `t_p` is the p-value of Student's t-test of the mean difference, None if all differences are
    equal; `wilcoxon_p` that of Wilcoxon's signed-rank test, None if all are zero. With n pairs
    the latter is 2 / 2^n at the least: 0.0625 with five.
    """

    pairs: int
    t_p: float | None
    wilcoxon_p: float | None


def paired_test(values: Sequence[float], others: Sequence[float]) -> PairedTest:
    """Return the tests of `values` against `others`, which are in the order of the pairs.

    :raises StatisticsUnavailable: if the package scipy is not installed.
    :raises ValueError: if they are not equally many.
    """
    ensure_statistics_available()
    from scipy import stats  # noqa: PLC0415 (optional)

    differences = [one - other for one, other in zip(values, others, strict=True)]
    if len(differences) < PAIRS_MIN:
        return PairedTest(pairs=len(differences), t_p=None, wilcoxon_p=None)
    t_p = wilcoxon_p = None
    if max(differences) - min(differences) > EQUAL_SHARE * max(map(abs, differences)):
        t_p = float(stats.ttest_1samp(differences, 0.0).pvalue)
    if any(differences):
        # The normal approximation is far too small for few pairs, so that all signs are tried.
        method = (
            stats.PermutationMethod(n_resamples=2 ** len(differences))
            if len(differences) <= EXACT_PAIRS_MAX
            else "auto"
        )
        # Zero differences keep their ranks, half on each side.
        wilcoxon_p = float(
            stats.wilcoxon(differences, zero_method="zsplit", method=method).pvalue
        )
    return PairedTest(pairs=len(differences), t_p=t_p, wilcoxon_p=wilcoxon_p)


RANKINGS_MIN = 2
CONDITIONS_OF_FRIEDMAN_MIN = 3

Ranks = Mapping[str, Sequence[float]]
"""The ranks of each condition, in the order of the rankings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTest:
    """A test that no condition differs: its statistic, degrees of freedom, and p-value.

    `statistic` and `p` are None if all ranks are equal, so that there is nothing to test.
    """

    statistic: float | None
    degrees: int
    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """The tests that two conditions do not differ.

    `dunn_p` is adjusted by the method of Holm and Bonferroni. `nemenyi_p` is None with fewer
    than three conditions. Both are None if all ranks are equal.
    """

    one: str
    other: str
    dunn_p: float | None
    nemenyi_p: float | None


def kruskal_wallis(ranks: Ranks) -> RankTest:
    """Return the Kruskal-Wallis test of the raw ranks, as the paper applies it.

    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    return _test(ranks, "kruskal", groups_min=2)


def friedman(ranks: Ranks) -> RankTest:
    """Return Friedman's test, which compares the ranks within each ranking.

    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    return _test(ranks, "friedmanchisquare", groups_min=CONDITIONS_OF_FRIEDMAN_MIN)


def pair_tests(ranks: Ranks) -> list[PairTest]:
    """Return the tests of each pair of conditions, in their order.

    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    ensure_statistics_available()
    if find_spec("scikit_posthocs") is None:
        raise StatisticsUnavailable(
            "tests of pairs need scikit-posthocs; install requirements-evaluation.txt"
        )
    import scikit_posthocs  # noqa: PLC0415 (optional)

    names = list(ranks)
    dunn: Any = None
    nemenyi: Any = None
    if len(names) > 1 and _differ(ranks):
        values = [list(ranks[name]) for name in names]
        dunn = scikit_posthocs.posthoc_dunn(values, p_adjust="holm").to_numpy()
        if len(names) >= CONDITIONS_OF_FRIEDMAN_MIN:
            blocks = np.asarray(values, dtype=float).T
            nemenyi = scikit_posthocs.posthoc_nemenyi_friedman(blocks).to_numpy()
    return [
        PairTest(
            one=names[one],
            other=names[other],
            dunn_p=None if dunn is None else float(dunn[one, other]),
            nemenyi_p=None if nemenyi is None else float(nemenyi[one, other]),
        )
        for one, other in combinations(range(len(names)), 2)
    ]


def fractional_ranks(given: Mapping[str, float]) -> dict[str, float]:
    """Return the ranks 1 to n of one ranking; equal ones have the mean of their places."""
    values = list(given.values())
    return {
        name: 1 + sum(other < rank for other in values) + (values.count(rank) - 1) / 2
        for name, rank in given.items()
    }


def _test(ranks: Ranks, name: str, *, groups_min: int) -> RankTest:
    ensure_statistics_available()
    from scipy import stats  # noqa: PLC0415 (optional)

    degrees = max(len(ranks) - 1, 0)
    if len(ranks) < groups_min or not _differ(ranks):
        return RankTest(statistic=None, degrees=degrees, p=None)
    found = getattr(stats, name)(*ranks.values())
    return RankTest(statistic=float(found.statistic), degrees=degrees, p=float(found.pvalue))


def _differ(ranks: Ranks) -> bool:
    """Return whether there are enough ranks, and at least one ranking that is no tie of all."""
    values = list(ranks.values())
    if not values or len(values[0]) < RANKINGS_MIN:
        return False
    return any(len(set(ranking)) > 1 for ranking in zip(*values, strict=True))
