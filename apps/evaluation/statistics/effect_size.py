"""The effect size of two ratings: Cohen's d of two normal distributions (paper 6.5.1)."""

from math import sqrt

from apps.evaluation.statistics.trueskill import Rating


def cohens_d(one: Rating, other: Rating) -> float:
    """Return the difference of the means, in standard deviations of the difference.

    The paper prints d = 8.16 for ratings of 29.89 (0.72) and 21.21 (0.70), and not its formula.
    This one gives 8.64 of them, and no usual one comes nearer: the root of the mean variance
    gives 12.22, the deviation of the better one 12.06, that of the other 12.40. With 8.16, both
    deviations would be 0.752.
    """
    return (one.mu - other.mu) / sqrt(one.sigma**2 + other.sigma**2)
