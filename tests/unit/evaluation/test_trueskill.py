"""Ratings by TrueSkill: the values of the method's authors, and what must hold of any."""

from math import sqrt

import pytest

from apps.evaluation.rankings.condition_statistics import cohens_d
from apps.evaluation.statistics.trueskill import Rating, rate, win_probability

pytestmark = pytest.mark.unit

BEFORE = Rating()
# By the package trueskill 0.4.5 with its defaults, which are Microsoft's published examples.
EIGHT_PLAYERS = [
    (36.771, 5.749), (32.242, 5.133), (29.074, 4.943), (26.322, 4.875),
    (23.678, 4.875), (20.926, 4.943), (17.758, 5.133), (13.229, 5.749),
]  # fmt: skip
FULL, FULLY_ABLATED = Rating(29.89, 0.72), Rating(21.21, 0.70)
"""Ratings of the paper (6.5.1)."""


def rounded(ratings: list[Rating]) -> list[tuple[float, float]]:
    return [(round(one.mu, 3), round(one.sigma, 3)) for one in ratings]


class TestRate:
    def test_two_equal_ones(self) -> None:
        assert rounded(rate([BEFORE] * 2, [1, 2])) == [(29.396, 7.171), (20.604, 7.171)]
        assert rounded(rate([BEFORE] * 2, [1, 1])) == [(25.0, 6.458), (25.0, 6.458)]

    def test_eight_in_one_ranking(self) -> None:
        found = rate([BEFORE] * 8, range(8))
        for one, (mu, sigma) in zip(found, EIGHT_PLAYERS, strict=True):
            assert (one.mu, one.sigma) == pytest.approx((mu, sigma), abs=0.001)

    def test_a_draw_below_the_first(self) -> None:
        found = rounded(rate([BEFORE] * 3, [0, 1, 1]))
        assert found == [(30.109, 6.735), (22.443, 5.972), (22.448, 5.974)]

    def test_an_unexpected_outcome(self) -> None:
        sure = [Rating(10, 1), Rating(40, 1)]
        assert rounded(rate(sure, [1, 2])) == [(10.873, 0.99), (39.127, 0.99)]
        assert rounded(rate(sure, [1, 1])) == [(10.818, 0.99), (39.182, 0.99)]

    def test_an_outcome_beyond_all_probability_gives_finite_ratings(self) -> None:
        absurd = rate([Rating(0, 0.1), Rating(1_000, 0.1)], [1, 2])
        assert absurd[0].mu > 0
        assert absurd[1].mu < 1_000
        assert all(0 < one.sigma < 0.2 for one in absurd)

    def test_does_not_depend_on_the_order_of_those_that_differ(self) -> None:
        given = [Rating(20, 3), Rating(25, 5), Rating(31, 2)]
        found = rate(given, [2, 1, 3])
        turned = rate(given[::-1], [3, 1, 2])
        assert rounded(found) == rounded(turned[::-1])

    def test_sums_of_means_are_kept_where_all_are_as_certain(self) -> None:
        found = rate([BEFORE] * 5, [3, 1, 5, 2, 4])
        assert sum(one.mu for one in found) == pytest.approx(5 * 25)

    @pytest.mark.parametrize(("ratings", "ranks"), [([BEFORE], [1]), ([BEFORE] * 2, [1])])
    def test_needs_two_and_a_rank_for_each(
        self, ratings: list[Rating], ranks: list[float]
    ) -> None:
        with pytest.raises(ValueError, match="two ratings or more"):
            rate(ratings, ranks)


class TestEffect:
    def test_equal_ones_win_half_of_the_comparisons(self) -> None:
        assert win_probability(FULL, FULL) == 0.5
        assert win_probability(FULL, FULLY_ABLATED) == pytest.approx(0.927, abs=0.001)

    def test_of_the_ratings_of_the_paper(self) -> None:
        # The paper prints 8.16: no usual formula gives it from the printed ratings.
        assert cohens_d(FULL, FULLY_ABLATED) == pytest.approx(8.64, abs=0.005)
        difference, printed = FULL.mu - FULLY_ABLATED.mu, 8.16
        usual = {
            "of the difference": sqrt(0.72**2 + 0.70**2),
            "pooled": sqrt((0.72**2 + 0.70**2) / 2),
            "of the better": 0.72,
            "of the other": 0.70,
            "sum": 0.72 + 0.70,
        }
        off = {name: abs(difference / spread - printed) for name, spread in usual.items()}
        assert min(off, key=off.__getitem__) == "of the difference"
        assert min(off.values()) > 0.4
