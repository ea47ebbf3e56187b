"""TrueSkill: ratings from rankings of several, by message passing (Herbrich et al. 2006).

The paper rates its conditions so (6.4). openskill has other models, whose means and deviations
cannot be compared with the paper's (ADR 73), and the package trueskill has no maintainer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

MU, SIGMA = 25.0, 25.0 / 3
BETA, TAU = SIGMA / 2, SIGMA / 100
DRAW_PROBABILITY = 0.10
"""The parameters are the defaults of the method's authors and of the package trueskill."""
SWEEPS_MAX = 30
CHANGE_MIN = 1e-7
_NORMAL = NormalDist()
_DENSITY_MIN = 1e-300
"""A difference that is impossible in numbers of 64 bits is corrected by its limit."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A skill as a normal distribution: mean and standard deviation."""

    mu: float = MU
    sigma: float = SIGMA


@dataclass(frozen=True, slots=True)
class _Gaussian:
    """A normal distribution by its precision and precision times mean; (0, 0) says nothing."""

    pi: float = 0.0
    tau: float = 0.0

    @classmethod
    def of(cls, mu: float, variance: float) -> "_Gaussian":
        return cls(1 / variance, mu / variance)

    @property
    def mu(self) -> float:
        return self.tau / self.pi

    @property
    def variance(self) -> float:
        return 1 / self.pi

    def __mul__(self, other: "_Gaussian") -> "_Gaussian":
        return _Gaussian(self.pi + other.pi, self.tau + other.tau)

    def __truediv__(self, other: "_Gaussian") -> "_Gaussian":
        return _Gaussian(self.pi - other.pi, self.tau - other.tau)


def rate(
    ratings: Sequence[Rating],
    ranks: Sequence[float],
    *,
    draw_probability: float = DRAW_PROBABILITY,
) -> list[Rating]:
    """Return the ratings after one ranking.

    :param ranks: the rank of each, the lowest for the best; equal ranks are a draw.
    :param draw_probability: that of two equal ones, from 0 (excluded) to 1 (excluded).
    :raises ValueError: if there are fewer than two, or not one rank for each.
    """
    if len(ratings) < 2 or len(ratings) != len(ranks):
        raise ValueError("give two ratings or more, and a rank for each")
    order = sorted(range(len(ranks)), key=lambda one: ranks[one])
    margin = _NORMAL.inv_cdf((draw_probability + 1) / 2) * sqrt(2) * BETA
    skills = [_Gaussian.of(one.mu, one.sigma**2 + TAU**2) for one in ratings]
    performances = [
        _Gaussian.of(skills[one].mu, skills[one].variance + BETA**2) for one in order
    ]
    draws = [ranks[one] == ranks[next_] for one, next_ in pairwise(order)]
    # The messages of the difference of two neighbours to the better and to the worse one.
    better, worse = ([_Gaussian()] * len(draws) for _ in range(2))
    for _ in range(SWEEPS_MAX):
        change = 0.0
        for place in (*range(len(draws)), *reversed(range(len(draws) - 1))):
            above = performances[place] / better[place]
            below = performances[place + 1] / worse[place]
            to_better, to_worse = _messages(above, below, margin, is_draw=draws[place])
            change = max(change, abs(to_better.tau - better[place].tau))
            change = max(change, abs(to_worse.tau - worse[place].tau))
            better[place], worse[place] = to_better, to_worse
            performances[place] = above * to_better
            performances[place + 1] = below * to_worse
        if change < CHANGE_MIN:
            break
    rated = list(ratings)
    for place, one in enumerate(order):
        prior = _Gaussian.of(skills[one].mu, skills[one].variance + BETA**2)
        likelihood = performances[place] / prior
        if likelihood.pi > 0:
            seen = _Gaussian.of(likelihood.mu, likelihood.variance + BETA**2)
            posterior = skills[one] * seen
            rated[one] = Rating(posterior.mu, sqrt(posterior.variance))
    return rated


def win_probability(one: Rating, other: Rating) -> float:
    """Return the probability that one is ranked above the other, draws left out."""
    spread = sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)
    return _NORMAL.cdf((one.mu - other.mu) / spread)


def _messages(
    above: _Gaussian, below: _Gaussian, margin: float, *, is_draw: bool
) -> tuple[_Gaussian, _Gaussian]:
    """Return what the outcome of two neighbours says of the better and of the worse one."""
    mean, variance = above.mu - below.mu, above.variance + below.variance
    spread = sqrt(variance)
    correct = _of_draw if is_draw else _of_win
    shift, shrink = correct(mean / spread, margin / spread)
    truncated = _Gaussian.of(mean + spread * shift, variance * (1 - shrink))
    message = truncated / _Gaussian.of(mean, variance)
    if message.pi <= 0:
        return _Gaussian(), _Gaussian()
    to_better = _Gaussian.of(below.mu + message.mu, below.variance + message.variance)
    to_worse = _Gaussian.of(above.mu - message.mu, above.variance + message.variance)
    return to_better, to_worse


def _of_win(difference: float, margin: float) -> tuple[float, float]:
    """Return the corrections of mean and variance if the difference exceeds the margin."""
    beyond = difference - margin
    probability = _NORMAL.cdf(beyond)
    if probability < _DENSITY_MIN:
        return -beyond, 1 - 1e-9
    shift = _NORMAL.pdf(beyond) / probability
    return shift, min(shift * (shift + beyond), 1 - 1e-9)


def _of_draw(difference: float, margin: float) -> tuple[float, float]:
    """Return the corrections of mean and variance if the difference is within the margin."""
    high, low = margin - difference, -margin - difference
    probability = _NORMAL.cdf(high) - _NORMAL.cdf(low)
    if probability < _DENSITY_MIN:
        return (high if difference > 0 else low), 1 - 1e-9
    shift = (_NORMAL.pdf(low) - _NORMAL.pdf(high)) / probability
    shrink = shift**2 + (high * _NORMAL.pdf(high) - low * _NORMAL.pdf(low)) / probability
    return shift, min(shrink, 1 - 1e-9)
