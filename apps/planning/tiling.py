"""Tiling: plans without gaps and overlaps from any answer; pure (P1).

The parts cover the span exactly and in order, also for starts that are missing, equal, out of
order or out of the span, and for too many or too few parts. They keep the bounds if the span
allows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# A chunk up to this length is one hour-item; a longer one is divided on the hour.
HOUR_ITEM_MINUTES_MAX = 90
# A shorter rest at either end of a chunk is joined to the hour beside it.
HOUR_ITEM_MINUTES_MIN = 30


@dataclass(frozen=True, slots=True)
class Span:
    """Ticks from `from_tick`, inclusive, to `to_tick`, exclusive."""

    from_tick: int
    to_tick: int

    @property
    def ticks(self) -> int:
        """The number of ticks."""
        return self.to_tick - self.from_tick


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a span, and the index of its request."""

    request: int
    span: Span


def tile_by_starts(
    span: Span, starts: Sequence[int], *, ticks_min: int, count_min: int, count_max: int
) -> list[Part]:
    """Return parts that begin about when the requests do and cover the span.

    `starts` are ticks in any order; those at or after the span's end are dropped while any
    other is left. A part lasts `ticks_min` or more ticks and there are `count_min` to
    `count_max` of them, wherever the span is long enough for it; requests are put in order,
    the shortest give way when there are too many, the longest are halved when too few.
    """
    assert span.ticks > 0, "an empty span cannot be tiled"
    assert starts, "at least one request is needed"
    inside = [
        (max(start, span.from_tick), request)
        for request, start in enumerate(starts)
        if start < span.to_tick
    ] or [(span.from_tick, 0)]
    requested = sorted(inside)
    allowed = min(count_max, max(1, span.ticks // ticks_min))
    while len(requested) > allowed:
        requested.pop(_shortest(requested, span.to_tick))
    while len(requested) < min(count_min, allowed):
        _halve_longest(requested, span.to_tick)
    return _parts(
        span, _apart(requested, span, ticks_min), [request for _, request in requested]
    )


def tile_by_lengths(
    span: Span, lengths: Sequence[int], *, ticks_min: int, ticks_max: int
) -> list[Part]:
    """Return parts that cover the span, in the order and about the lengths of the requests.

    Lengths are ticks, of any size; each request is one part. When there are too many of them
    for `ticks_min` the last ones give way. When the lengths do not fill the span the later
    parts are extended first, to `ticks_max`, then the last one as far as needed.
    """
    assert span.ticks > 0, "an empty span cannot be tiled"
    assert lengths, "at least one request is needed"
    kept = lengths[: max(1, span.ticks // ticks_min)]
    fitted = _fitted(kept, span.ticks, ticks_min, ticks_max)
    starts = [span.from_tick]
    for length in fitted[:-1]:
        starts.append(starts[-1] + length)
    return _parts(span, starts, range(len(kept)))


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


def _shortest(requested: Sequence[tuple[int, int]], end: int) -> int:
    """Return the index of the request with the least time to the next; of equals the last."""
    lengths = _lengths(requested, end)
    return max(range(len(requested)), key=lambda index: (-lengths[index], index))


def _halve_longest(requested: list[tuple[int, int]], end: int) -> None:
    lengths = _lengths(requested, end)
    index = lengths.index(max(lengths))
    start, request = requested[index]
    requested.insert(index + 1, (start + lengths[index] // 2, request))


def _lengths(requested: Sequence[tuple[int, int]], end: int) -> list[int]:
    ends = [start for start, _ in requested[1:]] + [end]
    return [after - start for (start, _), after in zip(requested, ends, strict=True)]


def _apart(requested: Sequence[tuple[int, int]], span: Span, ticks_min: int) -> list[int]:
    """Return the starts moved as little as makes every part last `ticks_min` ticks."""
    starts = [start for start, _ in requested]
    starts[0] = span.from_tick
    for index in range(1, len(starts)):
        starts[index] = max(starts[index], starts[index - 1] + ticks_min)
    latest = span.to_tick
    for index in range(len(starts) - 1, 0, -1):
        latest -= ticks_min
        starts[index] = min(starts[index], latest)
    return starts


def _parts(span: Span, starts: Sequence[int], requests: Sequence[int]) -> list[Part]:
    ends = [*starts[1:], span.to_tick]
    return [
        Part(request, Span(start, end))
        for request, start, end in zip(requests, starts, ends, strict=True)
    ]


def _fitted(lengths: Sequence[int], total: int, ticks_min: int, ticks_max: int) -> list[int]:
    """Return lengths near the requested ones, the later changed first, that sum to the total.

    Where the bounds do not allow the total, the last part ends with the span nevertheless.
    """
    fitted = [max(length, ticks_min) for length in lengths]
    surplus = sum(fitted) - total
    for index in range(len(fitted) - 1, -1, -1):
        if surplus > 0:
            change = min(fitted[index] - ticks_min, surplus)
        else:
            change = max(min(fitted[index] - ticks_max, 0), surplus)
        fitted[index] -= change
        surplus -= change
    return fitted
