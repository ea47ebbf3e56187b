"""Whatever is answered, a plan covers its span: without gap, without overlap, in order."""

from hypothesis import given
from hypothesis import strategies as st

from apps.planning.tiling import (
    HOUR_ITEM_MINUTES_MAX,
    HOUR_ITEM_MINUTES_MIN,
    Part,
    Span,
    cut_into_hours,
    tile_by_lengths,
    tile_by_starts,
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


class TestTileByStarts:
    @given(spans, st.lists(any_ticks, min_size=1, max_size=20), st.integers(1, 200))
    def test_covers_the_span_whatever_is_answered(
        self, span: Span, starts: list[int], ticks_min: int
    ) -> None:
        parts = tile_by_starts(span, starts, ticks_min=ticks_min, count_min=4, count_max=7)
        assert covers([part.span for part in parts], span)

    @given(spans, st.lists(any_ticks, min_size=1, max_size=20), st.integers(1, 200))
    def test_keeps_the_bounds_wherever_the_span_allows_it(
        self, span: Span, starts: list[int], ticks_min: int
    ) -> None:
        parts = tile_by_starts(span, starts, ticks_min=ticks_min, count_min=4, count_max=7)
        assert min(4, max(1, span.ticks // ticks_min)) <= len(parts) <= 7
        if span.ticks >= ticks_min:
            assert all(part.span.ticks >= ticks_min for part in parts)

    @given(spans, st.lists(any_ticks, min_size=1, max_size=20), st.integers(1, 200))
    def test_keeps_the_order_of_the_starts(
        self, span: Span, starts: list[int], ticks_min: int
    ) -> None:
        parts = tile_by_starts(span, starts, ticks_min=ticks_min, count_min=4, count_max=7)
        clamped = [max(starts[part.request], span.from_tick) for part in parts]
        assert clamped == sorted(clamped)

    def test_leaves_a_good_answer_as_it_is(self) -> None:
        starts = [0, 60, 240, 300, 600]
        parts = tile_by_starts(Span(0, 700), starts, ticks_min=10, count_min=4, count_max=7)
        assert [part.span.from_tick for part in parts] == starts

    def test_lets_the_shortest_give_way_when_there_are_too_many(self) -> None:
        parts = tile_by_starts(
            Span(0, 100), [0, 50, 55, 70], ticks_min=1, count_min=1, count_max=3
        )
        assert [part.request for part in parts] == [0, 2, 3]


class TestTileByLengths:
    @given(spans, st.lists(any_ticks, min_size=1, max_size=30))
    def test_covers_the_span_whatever_is_answered(self, span: Span, lengths: list[int]) -> None:
        parts = tile_by_lengths(span, lengths, ticks_min=30, ticks_max=90)
        assert covers([part.span for part in parts], span)

    @given(spans, st.lists(any_ticks, min_size=1, max_size=30))
    def test_keeps_every_part_within_bounds_wherever_the_span_allows_it(
        self, span: Span, lengths: list[int]
    ) -> None:
        parts = tile_by_lengths(span, lengths, ticks_min=30, ticks_max=90)
        if span.ticks >= 30:  # 30 to 90 leaves no span beyond it without a division
            assert all(30 <= part.span.ticks <= 90 for part in parts)
        else:
            assert len(parts) == 1

    @given(spans, st.lists(any_ticks, min_size=1, max_size=30))
    def test_keeps_the_order_of_the_answer(self, span: Span, lengths: list[int]) -> None:
        parts = tile_by_lengths(span, lengths, ticks_min=30, ticks_max=90)
        assert [part.request for part in parts] == sorted(part.request for part in parts)

    def test_leaves_a_good_answer_as_it_is(self) -> None:
        parts = tile_by_lengths(
            Span(100, 460), [60, 90, 30, 90, 90], ticks_min=30, ticks_max=90
        )
        assert [part.span.ticks for part in parts] == [60, 90, 30, 90, 90]

    def test_makes_several_parts_of_one_long_wish(self) -> None:
        parts = tile_by_lengths(Span(0, 360), [360], ticks_min=30, ticks_max=90)
        assert parts == [Part(0, Span(at, at + 90)) for at in range(0, 360, 90)]


class TestCutIntoHours:
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
