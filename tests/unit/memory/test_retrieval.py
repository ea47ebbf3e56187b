"""The score, pinned to figures worked out by hand (M4, M7)."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.memory.events import Weights
from apps.memory.retrieval import (
    DEGENERATE_SCALE,
    RECENCY_DECAY_DEFAULT,
    UnusableWeights,
    ensure_usable,
    hours_until_forgotten,
)
from tests.support.retrieval_oracle import Candidate, Scored, rank, recency, relevance, scale

# Ticks of 10 s, 360 to the game hour, as of tick 720; a decay of 0.5 an hour.
#
# |   | formed | retrieved | hours | recency       | scaled | imp.| scaled | relevance | sc. |
# | 1 |      0 |       720 |     0 | 0.5 ^ 0 = 1   |      1 |   2 |      0 |       0.0 |   0 |
# | 2 |    360 |     never |     1 | 0.5 ^ 1 = 1/2 |    1/3 |  10 |      1 |       1.0 |   1 |
# | 3 |      0 |     never |     2 | 0.5 ^ 2 = 1/4 |      0 |   6 |    1/2 |       0.6 | 0.6 |
#
# Scaling: recency (r - 1/4) / (3/4), importance (i - 2) / 8, relevance as it is.
THE_THREE = (
    Candidate(number=1, importance=2, formed_tick=0, last_retrieved_tick=720, relevance=0.0),
    Candidate(
        number=2, importance=10, formed_tick=360, last_retrieved_tick=None, relevance=1.0
    ),
    Candidate(number=3, importance=6, formed_tick=0, last_retrieved_tick=None, relevance=0.6),
)


def ranked(weights: Weights, *candidates: Candidate, decay: float = 0.5) -> list[Scored]:
    return rank(
        candidates or THE_THREE, as_of_tick=720, tick_seconds=10, weights=weights, decay=decay
    )


def numbers(scored: list[Scored]) -> list[int]:
    return [memory.number for memory in scored]


class TestRank:
    def test_scores_the_worked_example_with_all_weights_1(self) -> None:
        # 2: 1/3 + 1 + 1 = 2.333333333; 3: 0 + 1/2 + 0.6 = 1.1; 1: 1 + 0 + 0 = 1.
        scored = ranked(Weights())
        assert [(memory.number, memory.score) for memory in scored] == [
            (2, 2.333333333),
            (3, 1.1),
            (1, 1.0),
        ]
        assert [memory.rank for memory in scored] == [1, 2, 3]

    def test_scores_the_worked_example_with_other_weights(self) -> None:
        # Weights 2, 1, 1/2.
        # 2: 2/3 + 1 + 1/2 = 2.166666667; 1: 2 + 0 + 0 = 2; 3: 0 + 1/2 + 0.3 = 0.8.
        scored = ranked(Weights(recency=2, importance=1, relevance=0.5))
        assert [(memory.number, memory.score) for memory in scored] == [
            (2, 2.166666667),
            (1, 2.0),
            (3, 0.8),
        ]

    def test_explains_every_part(self) -> None:
        best = ranked(Weights(recency=2, importance=1, relevance=0.5))[0].parts
        assert (best.recency.raw, best.importance.raw, best.relevance.raw) == (0.5, 10, 1)
        assert best.recency.scaled == pytest.approx(1 / 3)
        assert (best.importance.scaled, best.relevance.scaled) == (1, 1)
        assert (best.recency.weight, best.importance.weight, best.relevance.weight) == (
            2,
            1,
            0.5,
        )

    def test_ranks_the_more_recently_retrieved_higher(self) -> None:
        # Alike but for when they were last retrieved; the released code has it the wrong
        # way round (M7).
        alike = replace(THE_THREE[0], importance=5, relevance=0.5)
        long_ago = replace(alike, number=9, last_retrieved_tick=None)
        just_now = replace(alike, number=4, last_retrieved_tick=720)
        scored = ranked(Weights(), long_ago, just_now)
        assert numbers(scored) == [4, 9]
        assert [memory.parts.recency.scaled for memory in scored] == [1, 0]

    def test_takes_the_hours_since_forming_where_nothing_was_retrieved(self) -> None:
        formed_later = replace(THE_THREE[1], importance=5, relevance=0.5)
        formed_first = replace(THE_THREE[2], importance=5, relevance=0.5)
        assert numbers(ranked(Weights(), formed_first, formed_later)) == [2, 3]

    def test_breaks_ties_by_the_newest(self) -> None:
        alike = THE_THREE[1]
        tied = [replace(alike, number=number) for number in (3, 11, 7)]
        assert numbers(ranked(Weights(), *tied)) == [11, 7, 3]

    def test_scales_what_all_have_alike_to_the_named_constant(self) -> None:
        [only] = ranked(Weights(), THE_THREE[0])
        parts = only.parts
        assert {parts.recency.scaled, parts.importance.scaled, parts.relevance.scaled} == {
            DEGENERATE_SCALE
        }
        assert only.score == 1.5

    def test_rounds_relevance_before_it_scales(self) -> None:
        nearly = [
            replace(THE_THREE[1], number=number, relevance=value)
            for number, value in ((1, 0.5000001), (2, 0.5000003))
        ]
        assert {memory.parts.relevance.raw for memory in ranked(Weights(), *nearly)} == {0.5}

    def test_ranks_nothing_where_there_is_nothing(self) -> None:
        assert rank([], as_of_tick=0, tick_seconds=10, weights=Weights()) == []

    @given(st.permutations(THE_THREE))
    def test_does_not_depend_on_the_order_of_the_candidates(
        self, shuffled: list[Candidate]
    ) -> None:
        assert ranked(Weights(), *shuffled) == ranked(Weights())


class TestRecency:
    def test_is_the_papers_decay_to_the_power_of_game_hours(self) -> None:
        # 0.995 ^ 24 = e ^ (24 x -0.00501254) = 0.88665...
        assert recency(ticks=24 * 360, tick_seconds=10, decay=0.995) == pytest.approx(
            0.886654, abs=1e-6
        )

    def test_falls_to_995_thousandths_an_hour_unless_told_otherwise(self) -> None:
        assert recency(ticks=360, tick_seconds=10, decay=RECENCY_DECAY_DEFAULT) == 0.995

    def test_counts_down_to_the_300th_power_of_e(self) -> None:
        decay = math.exp(-1)
        assert hours_until_forgotten(decay) == 300
        assert recency(ticks=300 * 360, tick_seconds=10, decay=decay) > 0
        assert recency(ticks=300 * 360 + 1, tick_seconds=10, decay=decay) == 0

    def test_counts_game_time_and_not_ticks(self) -> None:
        assert recency(ticks=60, tick_seconds=60, decay=0.5) == 0.5

    def test_is_0_when_the_power_gets_too_small(self) -> None:
        assert recency(ticks=360 * 1_000, tick_seconds=10, decay=0.1) == 0

    def test_never_ends_without_decay(self) -> None:
        assert hours_until_forgotten(1) == math.inf
        assert recency(ticks=10**9, tick_seconds=10, decay=1) == 1


class TestRelevance:
    def test_is_the_cosine(self) -> None:
        assert relevance([3, 4], [1, 0]) == 0.6
        assert relevance([3, 4], [-3, -4]) == -1

    def test_is_0_where_a_vector_has_no_length(self) -> None:
        assert relevance([0, 0], [1, 0]) == 0

    def test_is_not_defined_for_vectors_of_different_lengths(self) -> None:
        with pytest.raises(ValueError, match="argument 2 is longer"):
            relevance([1], [1, 0])


class TestScale:
    @given(st.lists(st.floats(-1, 1), min_size=2))
    def test_keeps_to_0_and_1_and_to_the_order(self, raw: list[float]) -> None:
        scaled = scale(raw)
        assert all(0 <= value <= 1 for value in scaled)
        if min(raw) < max(raw):
            assert (min(scaled), max(scaled)) == (0, 1)
            assert scaled[raw.index(max(raw))] == 1


class TestRefuseUnusable:
    @pytest.mark.parametrize("part", ["recency", "importance", "relevance"])
    @pytest.mark.parametrize("weight", [-1, math.nan, math.inf, 1e-9, 1_000_000.5, 1e9])
    def test_names_the_weight(self, part: str, weight: float) -> None:
        weights = replace(Weights(), **{part: weight})
        with pytest.raises(UnusableWeights, match=f"the weight of {part}") as refused:
            ensure_usable(weights, decay=0.995, limit=None)
        assert refused.value.code == "unusable-weights"

    @pytest.mark.parametrize("weight", [0, 1e-6, 1, 1e6])
    def test_lets_any_other_weight_be(self, weight: float) -> None:
        weights = Weights(recency=weight, importance=weight, relevance=weight)
        ensure_usable(weights, decay=0.995, limit=None)

    @pytest.mark.parametrize("decay", [0, -0.5, 1.01, math.nan])
    def test_names_the_decay(self, decay: float) -> None:
        with pytest.raises(UnusableWeights, match="decay"):
            ensure_usable(Weights(), decay=decay, limit=None)

    def test_names_the_limit(self) -> None:
        with pytest.raises(UnusableWeights, match="at least one"):
            ensure_usable(Weights(), decay=0.995, limit=0)

    def test_lets_a_weight_be_0(self) -> None:
        ensure_usable(Weights(recency=0, importance=0, relevance=0), decay=1, limit=1)
