"""Intervals and paired tests against worked examples."""

import numpy as np
import pytest

from apps.evaluation.statistics.bootstrap import bootstrap_interval
from apps.evaluation.statistics.rank_tests import paired_test

pytestmark = pytest.mark.unit

# Student (1908): hours of sleep gained by ten patients with each of two drugs.
DRUG_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
DRUG_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


class TestBootstrap:
    def test_is_the_same_for_the_same_seed(self) -> None:
        values = [1.0, 2.3, 4.1, 7.9, 0.6, 3.2, 5.7]
        assert bootstrap_interval(values, seed=3) == bootstrap_interval(values, seed=3)
        assert bootstrap_interval(values, seed=3) != bootstrap_interval(values, seed=4)

    def test_is_the_value_itself_without_spread(self) -> None:
        interval = bootstrap_interval([2.5, 2.5, 2.5], seed=1)
        assert interval is not None
        assert (interval.low, interval.high) == (2.5, 2.5)

    def test_agrees_with_the_normal_interval_of_many_values(self) -> None:
        values = list(np.random.default_rng(5).normal(10, 2, size=400))
        interval = bootstrap_interval(values, seed=1)
        assert interval is not None
        half = 1.96 * np.std(values) / 20
        assert interval.low == pytest.approx(np.mean(values) - half, abs=0.03)
        assert interval.high == pytest.approx(np.mean(values) + half, abs=0.03)

    def test_counts_every_resample_of_two_values(self) -> None:
        # Means of two draws from {0, 1} are 0 or 1 with a quarter each: both tails count.
        interval = bootstrap_interval([0.0, 1.0], seed=1)
        assert interval is not None
        assert (interval.low, interval.high) == (0.0, 1.0)

    def test_has_no_interval_of_one_value(self) -> None:
        assert bootstrap_interval([1.0], seed=1) is None


class TestPairs:
    def test_gives_the_p_values_of_the_sleep_data(self) -> None:
        # R prints for these data: t = -4.0621, df = 9, p-value = 0.002833.
        found = paired_test(DRUG_1, DRUG_2)
        assert found.pairs == 10
        assert found.t_p == pytest.approx(0.002833, abs=5e-7)

    def test_counts_the_signs_of_five_pairs(self) -> None:
        # Of the 32 ways to sign five differences two are as extreme as all of one sign.
        found = paired_test([1.0, 2.1, 3.3, 4.6, 6.0], [0.5, 1.0, 1.5, 2.0, 2.5])
        assert found.wilcoxon_p == pytest.approx(2 / 32)
        # Ties change nothing of that.
        assert paired_test([1.0] * 5, [0.0] * 5).wilcoxon_p == pytest.approx(2 / 32)
        # With a zero: the other four have one sign in 2 of 16 ways.
        some = paired_test([1.0, 2.0, 3.0, 4.0, 0.0], [0.0] * 5)
        assert some.wilcoxon_p == pytest.approx(2 / 16)

    def test_has_no_p_value_where_nothing_varies(self) -> None:
        same = paired_test([1.0, 2.0], [1.0, 2.0])
        assert (same.t_p, same.wilcoxon_p) == (None, None)
        assert paired_test([1.0, 2.0], [0.0, 1.0]).t_p is None
        assert paired_test([1.0], [0.0]).t_p is None
        # 67.2 - 66.4 and 68 - 67.2 differ in the last digit of a machine number only.
        assert paired_test([67.2, 68.0], [66.4, 67.2]).t_p is None

    def test_refuses_what_is_not_in_pairs(self) -> None:
        with pytest.raises(ValueError, match="zip"):
            paired_test([1.0, 2.0], [1.0])
