"""Tests of rankings, on the libraries' examples, by hand, and where no condition wins."""

from math import erfc, sqrt
from random import Random

import pytest

from apps.evaluation.statistics.rank_tests import (
    Ranks,
    fractional_ranks,
    friedman,
    kruskal_wallis,
    pair_tests,
)

pytestmark = pytest.mark.unit

LEVEL = 0.05
EVALUATIONS = 1_000


def random_ranks(seed: int, *, rankings: int = 40, conditions: int = 5) -> Ranks:
    """Return the ranks that a judge gives who draws every ranking at random."""
    chance = Random(seed)
    places = range(1, conditions + 1)
    drawn = [chance.sample(places, conditions) for _ in range(rankings)]
    return {
        f"condition {one}": [ranking[one] for ranking in drawn] for one in range(conditions)
    }


class TestKruskalWallis:
    @pytest.mark.parametrize(
        ("groups", "statistic", "p"),
        [
            # The examples of scipy.stats.kruskal.
            (([1, 3, 5, 7, 9], [2, 4, 6, 8, 10]), 0.2727, 0.6015),
            (([1, 1, 1], [2, 2, 2], [2, 2, 2]), 8.0, 0.0183),
        ],
    )
    def test_examples(self, groups: tuple[list[float]], statistic: float, p: float) -> None:
        found = kruskal_wallis({str(place): group for place, group in enumerate(groups)})
        assert (found.statistic, found.p) == pytest.approx((statistic, p), abs=0.0001)
        assert found.degrees == len(groups) - 1

    def test_of_the_paper_is_significant_as_printed(self) -> None:
        from scipy import stats  # noqa: PLC0415 (optional)

        assert stats.chi2.sf(150.29, 4) < 0.001

    def test_exceeds_friedmans_statistic_on_rankings(self) -> None:
        # By hand: with n rankings of k, H / F = (n k - 1) / (n (k - 1)).
        ranks = random_ranks(3)
        ratio = kruskal_wallis(ranks).statistic / friedman(ranks).statistic  # type: ignore[operator]
        assert ratio == pytest.approx((40 * 5 - 1) / (40 * 4))


def test_friedman_example() -> None:
    # The example of scipy.stats.friedmanchisquare: pulse rates before and after exercise.
    found = friedman(
        {
            "before": [72, 96, 88, 92, 74, 76, 82],
            "immediately after": [120, 120, 132, 120, 101, 96, 112],
            "five minutes after": [76, 95, 104, 96, 84, 72, 76],
        }
    )
    assert found.statistic == pytest.approx(10.5714, abs=0.0001)
    assert found.p == pytest.approx(0.00506, abs=0.00001)


class TestPairs:
    def test_dunn_with_holm_by_hand(self) -> None:
        # Three conditions, four rankings, each in the order a, b, c: 4 ranks of 1, 2 and 3.
        ranks = {name: [place] * 4 for place, name in enumerate("abc", start=1)}
        # Ranks of all: the fours have the mean places 2.5, 6.5, 10.5 of 12. Ties: 3 of 4.
        ties = 3 * (4**3 - 4) / (12 * (12 - 1))
        spread = sqrt((12 * 13 / 12 - ties) * (1 / 4 + 1 / 4))

        def p_of(distance: float) -> float:
            return erfc(distance / spread / sqrt(2))

        far, near = p_of(8), p_of(4)
        # Holm: the smallest p times 3, the next times 2, the last no smaller than that.
        expected = {("a", "c"): 3 * far, ("a", "b"): 2 * near, ("b", "c"): 2 * near}
        found = {(one.one, one.other): one.dunn_p for one in pair_tests(ranks)}
        assert found == pytest.approx(expected)

    def test_two_conditions_have_no_nemenyi(self) -> None:
        (pair,) = pair_tests({"a": [1, 1, 1, 2], "b": [2, 2, 2, 1]})
        assert pair.nemenyi_p is None
        assert 0 < pair.dunn_p < 1  # type: ignore[operator]


def test_equal_ranks_have_nothing_to_test() -> None:
    ranks = {"a": [1.5, 1.5], "b": [1.5, 1.5], "c": [1.5, 1.5]}
    assert kruskal_wallis(ranks).p is None
    assert friedman(ranks).p is None
    assert {one.dunn_p for one in pair_tests(ranks)} == {None}


def test_ties_share_their_places() -> None:
    assert fractional_ranks({"a": 1, "b": 1, "c": 2}) == {"a": 1.5, "b": 1.5, "c": 3}
    assert fractional_ranks({"a": 7, "b": 3}) == {"a": 2, "b": 1}


class TestNullExperiment:
    """A judge who draws every ranking at random: no condition may win."""

    def test_finds_no_difference(self) -> None:
        ranks = random_ranks(1)
        assert kruskal_wallis(ranks).p > LEVEL  # type: ignore[operator]
        assert friedman(ranks).p > LEVEL  # type: ignore[operator]
        assert all(one.dunn_p > LEVEL for one in pair_tests(ranks))  # type: ignore[operator]
        assert all(one.nemenyi_p > LEVEL for one in pair_tests(ranks))  # type: ignore[operator]

    def test_is_found_significant_as_often_as_the_level_says(self) -> None:
        evaluations = [random_ranks(seed) for seed in range(EVALUATIONS)]
        shares = {
            test.__name__: sum(test(one).p < LEVEL for one in evaluations) / EVALUATIONS  # type: ignore[operator]
            for test in (friedman, kruskal_wallis)
        }
        # Friedman's is near the level: two standard errors are 0.014.
        assert shares["friedman"] == pytest.approx(LEVEL, abs=0.014)
        # The paper's test finds more than there is, as its statistic is 1.25 times greater:
        # P(chi2(4) > 9.488 / 1.25) = 0.108 with many rankings.
        assert shares["kruskal_wallis"] == pytest.approx(0.108, abs=0.020)
