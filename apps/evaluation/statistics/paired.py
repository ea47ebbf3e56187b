"""Tests of paired values: the same measure under two conditions, paired by seed."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.evaluation.statistics.availability import ensure_statistics_available

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
