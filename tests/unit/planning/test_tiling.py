"""Whatever is answered, a plan covers its span: without gap, without overlap, in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.planning.tiling import (
    HOUR_ITEM_MINUTES_MAX,
    HOUR_ITEM_MINUTES_MIN,
    Part,
    Span,
    cut_into_hours,
    halved,
    lengths_between,
    split_at,
    tile_by_lengths,
)

spans = st.builds(
    lambda start, ticks: Span(start, start + ticks),
    st.integers(0, 20_000),
    st.integers(1, 9_000),
)
any_ticks = st.integers(-100_000, 100_000)


def covers(parts: list[Span], span: Span) -> bool:
    edges = [part.from_tick for part in parts] + [span.to_tick]
    return (
        edges[0] == span.from_tick
        and all(part.to_tick == edge for part, edge in zip(parts, edges[1:], strict=True))
        and all(part.ticks > 0 for part in parts)
    )


class TestSplitAt:
    def test_splits_at_the_ticks_inside(self) -> None:
        assert split_at(Span(0, 60), [45, 30, 90], ticks_min=10) == [
            Span(0, 30),
            Span(30, 45),
            Span(45, 60),
        ]

    def test_leaves_no_short_part(self) -> None:
        assert split_at(Span(0, 60), [5, 30, 35, 55], ticks_min=10) == [
            Span(0, 30),
            Span(30, 60),
        ]


class TestHalved:
    def test_leaves_enough_spans_as_they_are(self) -> None:
        assert halved([Span(0, 10), Span(10, 12)], count_min=2) == [
            Part(0, Span(0, 10)),
            Part(1, Span(10, 12)),
        ]

    def test_halves_the_longest_when_there_are_too_few(self) -> None:
        assert halved([Span(0, 10), Span(10, 100)], count_min=4) == [
            Part(0, Span(0, 10)),
            Part(1, Span(10, 32)),
            Part(1, Span(32, 55)),
            Part(1, Span(55, 100)),
        ]


class TestTileByLengths:
    @given(spans, st.lists(any_ticks, min_size=1, max_size=30))
    def test_covers_the_span_whatever_is_answered(self, span: Span, lengths: list[int]) -> None:
        parts = tile_by_lengths(span, lengths, ticks_min=30, ticks_max=90)
        assert covers([part.span for part in parts], span)

    @given(spans, st.lists(any_ticks, min_size=1, max_size=30))
    def test_keeps_every_part_long_enough_wherever_the_span_allows_it(
        self, span: Span, lengths: list[int]
    ) -> None:
        parts = tile_by_lengths(span, lengths, ticks_min=30, ticks_max=90)
        if span.ticks >= 30:
            assert all(part.span.ticks >= 30 for part in parts)
        else:
            assert len(parts) == 1

    @given(spans, st.lists(any_ticks, min_size=1, max_size=30))
    def test_keeps_the_order_of_the_answer(self, span: Span, lengths: list[int]) -> None:
        parts = tile_by_lengths(span, lengths, ticks_min=30, ticks_max=90)
        assert [part.request for part in parts] == list(range(len(parts)))

    def test_leaves_a_good_answer_as_it_is(self) -> None:
        parts = tile_by_lengths(
            Span(100, 460), [60, 90, 30, 90, 90], ticks_min=30, ticks_max=90
        )
        assert [part.span.ticks for part in parts] == [60, 90, 30, 90, 90]

    def test_makes_one_part_of_one_long_request(self) -> None:
        parts = tile_by_lengths(Span(0, 360), [360], ticks_min=30, ticks_max=90)
        assert parts == [Part(0, Span(0, 360))]

    @pytest.mark.parametrize(
        ("ticks", "lengths"), [(99, [50, 49]), (101, [50, 51]), (80, [50, 30]), (70, [40, 30])]
    )
    def test_changes_the_last_lengths_first(self, ticks: int, lengths: list[int]) -> None:
        parts = tile_by_lengths(Span(0, ticks), [50, 50], ticks_min=30, ticks_max=90)
        assert [part.span.ticks for part in parts] == lengths

    @pytest.mark.parametrize(
        ("ticks", "fitted"),
        [(180, [60, 90, 30]), (190, [70, 90, 30]), (210, [90, 90, 30]), (220, [90, 90, 40])],
    )
    def test_extends_what_takes_a_moment_last(self, ticks: int, fitted: list[int]) -> None:
        parts = tile_by_lengths(Span(0, ticks), [60, 90, 30], ticks_min=30, ticks_max=90)
        assert [part.span.ticks for part in parts] == fitted

    @pytest.mark.parametrize(
        ("ticks", "fitted"),
        [(390, [90, 52, 52, 53, 90, 53]), (600, [150, 90, 90, 90, 90, 90])],
    )
    def test_extends_all_moments_alike_and_at_last_the_longest(
        self, ticks: int, fitted: list[int]
    ) -> None:
        requested = [90, 30, 30, 30, 60, 30]
        parts = tile_by_lengths(Span(0, ticks), requested, ticks_min=30, ticks_max=90)
        assert [part.span.ticks for part in parts] == fitted

    @pytest.mark.parametrize(
        ("requested", "lengths"),
        [([100, 90], [100, 90]), ([10, 20], [90, 100]), ([300, 60, 60], [130, 30, 30])],
    )
    def test_fills_the_span_with_few_requests(
        self, requested: list[int], lengths: list[int]
    ) -> None:
        parts = tile_by_lengths(Span(0, 190), requested, ticks_min=30, ticks_max=90)
        assert [part.span.ticks for part in parts] == lengths


class TestCutIntoHours:
    @pytest.mark.parametrize(
        ("edges", "pieces"),
        [
            ((0, 90), [(0, 90)]),
            ((0, 91), [(0, 60), (60, 91)]),
            ((30, 150), [(30, 60), (60, 120), (120, 150)]),  # rests of 30 minutes stay
            ((31, 149), [(31, 90), (90, 149)]),  # shorter ones join: 118 minutes, halved
            ((59, 150), [(59, 120), (120, 150)]),
            ((45, 135), [(45, 135)]),
            ((45, 136), [(45, 90), (90, 136)]),
            ((31, 180), [(31, 120), (120, 180)]),
        ],
    )
    def test_cuts_minutes_at_the_strikes(
        self, edges: tuple[int, int], pieces: list[tuple[int, int]]
    ) -> None:
        strikes = [strike for strike in (60, 120, 180) if edges[0] < strike < edges[1]]
        cut = cut_into_hours(Span(*edges), strikes=strikes, ticks_per_minute=1)
        assert cut == [Span(*piece) for piece in pieces]

    def test_leaves_a_piece_of_ninety_minutes_whole(self) -> None:
        cut = cut_into_hours(Span(0, 180), strikes=[90], ticks_per_minute=1)
        assert cut == [Span(0, 90), Span(90, 180)]

    @given(spans, st.sampled_from([1.0, 6.0]))
    def test_covers_the_span_in_pieces_of_about_an_hour(
        self, span: Span, per_minute: float
    ) -> None:
        hour = int(60 * per_minute)
        strikes = list(range(-(-span.from_tick // hour) * hour, span.to_tick, hour))
        inside = [strike for strike in strikes if strike > span.from_tick]
        pieces = cut_into_hours(span, strikes=inside, ticks_per_minute=per_minute)
        assert covers(pieces, span)
        assert all(piece.ticks <= HOUR_ITEM_MINUTES_MAX * per_minute for piece in pieces)
        if len(pieces) > 1:
            assert all(piece.ticks >= HOUR_ITEM_MINUTES_MIN * per_minute for piece in pieces)


class TestLengthsBetween:
    @pytest.mark.parametrize(
        ("walks", "lengths"),
        [
            ((0, 0, 0), [30, 20, 10]),
            ((0, 3, 0), [29, 19, 9]),
            ((0, 30, 0), [14, 10, 6]),
            ((0, 50, 0), [4, 3, 3]),
            ((0, 55, 0), [3, 2]),
        ],
    )
    def test_take_the_walks_from_what_is_longer_than_the_least(
        self, walks: tuple[int, ...], lengths: list[int]
    ) -> None:
        found = lengths_between(walks, [30, 20, 10], 60, bounds=(5, 30))
        assert sum(found) + sum(walks[: len(found)]) == 60
        assert found == lengths
