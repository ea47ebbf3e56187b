"""How whatever a model answers becomes a plan without gap or overlap; pure.

A span of ticks is tiled by parts. Starts that are missing, doubled, out of order or out of
the span, too many parts or too few: the parts cover the span exactly, in order, and keep
the bounds whenever the span allows it (P1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

HOUR_MINUTES = 60
# A chunk up to this long is one hour-item; a longer one is cut where the clock strikes.
HOUR_ITEM_MINUTES_MAX = 90
# A rest at either end of a chunk that is shorter than this joins the hour beside it.
HOUR_ITEM_MINUTES_MIN = 30


@dataclass(frozen=True, slots=True)
class Span:
    """Ticks from `from_tick`, inclusive, to `to_tick`, exclusive."""

    from_tick: int
    to_tick: int

    @property
    def ticks(self) -> int:
        """How many ticks it holds."""
        return self.to_tick - self.from_tick


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a span and which of the answered wishes it is made from."""

    wish: int
    span: Span


def tile_by_starts(
    span: Span, starts: Sequence[int], *, least: int, count_min: int, count_max: int
) -> list[Part]:
    """Return parts that begin about when the wishes do and cover the span.

    `starts` are ticks in any order; those at or after the span's end are dropped while any
    other is left. A part lasts `least` ticks or more and there are `count_min` to
    `count_max` of them, wherever the span is long enough for it; wishes are put in order,
    the shortest give way when there are too many, the longest are halved when too few.
    """
    assert span.ticks > 0, "an empty span cannot be tiled"
    assert starts, "at least one wish is needed"
    inside = [
        (max(start, span.from_tick), wish)
        for wish, start in enumerate(starts)
        if start < span.to_tick
    ] or [(span.from_tick, 0)]
    wished = sorted(inside, key=lambda pair: pair[0])
    most = min(count_max, max(1, span.ticks // least))
    while len(wished) > most:
        wished.pop(_shortest(wished, span.to_tick))
    while len(wished) < min(count_min, most):
        _halve_longest(wished, span.to_tick)
    return _parts(span, _apart(wished, span, least), [wish for _, wish in wished])


def tile_by_lengths(span: Span, lengths: Sequence[int], *, least: int, most: int) -> list[Part]:
    """Return parts in the order of the wishes, about as long as wished, that cover the span.

    Lengths are ticks, however absurd. A part lasts `least` to `most` ticks wherever the
    span can be divided so; a longer wish becomes several parts, and when there are too
    many the last ones give way.
    """
    assert span.ticks > 0, "an empty span cannot be tiled"
    assert lengths, "at least one wish is needed"
    pieces = [
        piece for wish, length in enumerate(lengths) for piece in _pieces(wish, length, most)
    ]
    fewest, highest = -(-span.ticks // most), max(1, span.ticks // least)
    pieces = pieces[:highest]
    while len(pieces) < min(fewest, highest):
        _double_longest(pieces)
    fitted = _fitted([length for _, length in pieces], span.ticks, least, most)
    starts = [span.from_tick]
    for length in fitted[:-1]:
        starts.append(starts[-1] + length)
    return _parts(span, starts, [wish for wish, _ in pieces])


def cut_into_hours(
    span: Span, *, strikes: Sequence[int], ticks_per_minute: float
) -> list[Span]:
    """Return the span in pieces of about an hour, cut where the clock strikes.

    `strikes` are the ticks inside the span at which an hour begins.
    """
    longest = HOUR_ITEM_MINUTES_MAX * ticks_per_minute
    if span.ticks <= longest:
        return [span]
    shortest = HOUR_ITEM_MINUTES_MIN * ticks_per_minute
    inside = [
        strike
        for strike in strikes
        if strike - span.from_tick >= shortest and span.to_tick - strike >= shortest
    ]
    edges = [span.from_tick, *inside, span.to_tick]
    pieces = [Span(start, end) for start, end in pairwise(edges)]
    # With both rests joined to it a single hour can grow too long.
    return [half for piece in pieces for half in _halves(piece, longest)]


def _halves(span: Span, longest: float) -> list[Span]:
    if span.ticks <= longest:
        return [span]
    middle = span.from_tick + span.ticks // 2
    return [Span(span.from_tick, middle), Span(middle, span.to_tick)]


def _shortest(wished: Sequence[tuple[int, int]], end: int) -> int:
    """Return the index of the wish with the least time to the next; of equals the last."""
    lengths = _lengths(wished, end)
    return max(range(len(wished)), key=lambda index: (-lengths[index], index))


def _halve_longest(wished: list[tuple[int, int]], end: int) -> None:
    lengths = _lengths(wished, end)
    index = lengths.index(max(lengths))
    start, wish = wished[index]
    wished.insert(index + 1, (start + lengths[index] // 2, wish))


def _lengths(wished: Sequence[tuple[int, int]], end: int) -> list[int]:
    ends = [start for start, _ in wished[1:]] + [end]
    return [after - start for (start, _), after in zip(wished, ends, strict=True)]


def _apart(wished: Sequence[tuple[int, int]], span: Span, least: int) -> list[int]:
    """Return the starts moved as little as makes every part last `least` ticks."""
    starts = [start for start, _ in wished]
    starts[0] = span.from_tick
    for index in range(1, len(starts)):
        starts[index] = max(starts[index], starts[index - 1] + least)
    latest = span.to_tick
    for index in range(len(starts) - 1, 0, -1):
        latest -= least
        starts[index] = min(starts[index], latest)
    return starts


def _parts(span: Span, starts: Sequence[int], wishes: Sequence[int]) -> list[Part]:
    ends = [*starts[1:], span.to_tick]
    return [
        Part(wish, Span(start, end))
        for wish, start, end in zip(wishes, starts, ends, strict=True)
    ]


def _pieces(wish: int, length: int, most: int) -> list[tuple[int, int]]:
    count = max(1, -(-length // most))
    return [(wish, max(length, 0) // count)] * count


def _double_longest(pieces: list[tuple[int, int]]) -> None:
    index = max(range(len(pieces)), key=lambda at: (pieces[at][1], -at))
    wish, length = pieces[index]
    pieces[index : index + 1] = [(wish, length), (wish, length)]


def _fitted(lengths: Sequence[int], total: int, least: int, most: int) -> list[int]:
    """Return lengths near the wished ones that sum to the total; the later bend first."""
    fitted = [min(max(length, least), most) for length in lengths]
    surplus = sum(fitted) - total
    for index in range(len(fitted) - 1, -1, -1):
        room = fitted[index] - least if surplus > 0 else fitted[index] - most
        change = min(room, surplus) if surplus > 0 else max(room, surplus)
        fitted[index] -= change
        surplus -= change
    # What still does not fit cannot: the span is shorter than one part or falls between.
    fitted[-1] -= surplus
    return fitted
