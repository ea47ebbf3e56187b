"""Statistics of a ranking by condition, of hand-made judgements whose outcome is known."""

import pytest

from apps.evaluation.rankings.condition_statistics import (
    RankedAnswers,
    RankingStatistics,
    statistics_of,
)

pytestmark = pytest.mark.unit
CONDITIONS = ("best", "middle", "worst")


def judged(*rankings: tuple[float, float, float], category: str = "") -> list[RankedAnswers]:
    return [
        RankedAnswers(ranks=dict(zip(CONDITIONS, ranks, strict=True)), category=category)
        for ranks in rankings
    ]


def always_the_same() -> RankingStatistics:
    return statistics_of(CONDITIONS, judged(*[(1, 2, 3)] * 20), seed=1)


class TestStatistics:
    def test_of_judges_that_agree(self) -> None:
        found = always_the_same()
        assert [one.condition for one in found.conditions] == list(CONDITIONS)
        assert [one.mean_rank for one in found.conditions] == [1, 2, 3]
        assert [one.first_share for one in found.conditions] == [1, 0, 0]
        models = [(one.mu, one.plackett_luce_mu) for one in found.conditions]
        assert models == sorted(models, reverse=True)
        # Friedman of full agreement is n (k - 1).
        assert found.friedman.statistic == pytest.approx(20 * 2)
        assert found.effect_size is not None
        assert found.effect_size > 2
        assert [pair.won for pair in found.pairs] == [1, 1, 1]
        assert all(pair.dunn_p < 0.01 for pair in found.pairs)  # type: ignore[operator]

    def test_of_judges_that_see_no_difference(self) -> None:
        found = statistics_of(CONDITIONS, judged(*[(2, 2, 2)] * 10), seed=1)
        assert {one.mean_rank for one in found.conditions} == {2}
        assert found.friedman.p is None
        assert [pair.won for pair in found.pairs] == [0.5, 0.5, 0.5]

    def test_of_no_judgement_yet(self) -> None:
        found = statistics_of(CONDITIONS, [], seed=1)
        assert (found.rankings, found.effect_size) == (0, None)
        assert {one.mu for one in found.conditions} == {25}
        assert {one.mean_rank_low for one in found.conditions} == {None}

    def test_has_the_mean_rank_by_category(self) -> None:
        given = [
            *judged((1, 2, 3), (2, 1, 3), category="memory"),
            *judged((3, 2, 1), category="plans"),
        ]
        found = statistics_of(CONDITIONS, given, seed=1)
        shown = [(one.category, one.condition, one.mean_rank) for one in found.by_category]
        assert shown == [
            ("memory", "best", 1.5), ("memory", "middle", 1.5), ("memory", "worst", 3),
            ("plans", "best", 3), ("plans", "middle", 2), ("plans", "worst", 1),
        ]  # fmt: skip

    def test_intervals_hold_the_mean_and_repeat_with_the_seed(self) -> None:
        given = judged(*[(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2)] * 5)
        found = statistics_of(CONDITIONS, given, seed=1)
        for one in found.conditions:
            assert one.mean_rank_low is not None
            assert one.mean_rank_high is not None
            assert one.mean_rank_low < one.mean_rank < one.mean_rank_high
        assert statistics_of(CONDITIONS, given, seed=1) == found
        assert statistics_of(CONDITIONS, given, seed=2) != found
