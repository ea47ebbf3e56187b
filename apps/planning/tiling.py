"""Tiling: plans without gaps and overlaps from any answer; pure (P1).

The parts cover the span exactly and in order, also for starts that are missing, equal, out of
order or out of the span, and for too many or too few parts. They keep the bounds if the span
allows it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil

# A chunk up to this length is one hour-item; a longer one is divided on the hour.
HOUR_ITEM_MINUTES_MAX = 90
# A shorter rest at either end of a chunk is joined to the hour beside it.
HOUR_ITEM_MINUTES_MIN = 30
# A part of at least this share of the longest length is long, and extended before others.
LONG_SHARE = 2 / 3
# Walks shorten what is done between them to no less, in minutes.
SHORTEST = 2


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


def halved(spans: Sequence[Span], *, count_min: int) -> list[Part]:
    """Return the spans as parts; the longest are halved while there are too few."""
    parts = [Part(request, span) for request, span in enumerate(spans)]
    while len(parts) < count_min:
        at = max(range(len(parts)), key=lambda index: parts[index].span.ticks)
        part = parts[at]
        middle = part.span.from_tick + part.span.ticks // 2
        parts[at : at + 1] = [
            Part(part.request, Span(part.span.from_tick, middle)),
            Part(part.request, Span(middle, part.span.to_tick)),
        ]
    return parts


def split_at(span: Span, ticks: Iterable[int], *, ticks_min: int) -> list[Span]:
    """Return the span split at the ticks inside it; each part lasts `ticks_min` or more."""
    edges = [span.from_tick]
    for tick in sorted(ticks):
        if edges[-1] + ticks_min <= tick <= span.to_tick - ticks_min:
            edges.append(tick)
    return [Span(start, end) for start, end in pairwise([*edges, span.to_tick])]


def tile_by_lengths(
    span: Span, lengths: Sequence[int], *, ticks_min: int, ticks_max: int
) -> list[Part]:
    """Return parts that cover the span, in the order and about the lengths of the requests.

    Lengths are ticks, of any size; each request is one part. When there are too many of them
    for `ticks_min` the last ones give way. When the lengths do not fill the span the longest
    parts are extended first, to `ticks_max`, then the short ones in proportion, then the
    longest one as far as needed: locking the door takes a moment.
    """
    assert span.ticks > 0, "an empty span cannot be tiled"
    assert lengths, "at least one request is needed"
    kept = lengths[: max(1, span.ticks // ticks_min)]
    fitted = _fitted(kept, span.ticks, ticks_min, ticks_max)
    starts = [span.from_tick]
    for length in fitted[:-1]:
        starts.append(starts[-1] + length)
    return _parts(span, starts, range(len(kept)))


def lengths_between(
    walks: Sequence[int], lengths: Sequence[int], total: int, *, bounds: tuple[int, int]
) -> list[int]:
    """Return minutes near the given ones that fill the total with the walks before them.

    All give time to the walks, in proportion to what they have above the least length; where
    that is not enough, one is shorter. The last ones are left out where there is no time for
    all. Other lengths are extended and shortened as in `tile_by_lengths`.

    :param bounds: the least and the greatest length.
    """
    assert lengths, "at least one is needed"
    count = max(1, min(len(walks), total // bounds[0]))
    while count > 1 and sum(walks[:count]) + count * SHORTEST > total:
        count -= 1
    walked = sum(walks[:count])
    left = max(total - walked, 1)
    least = max(1, min(bounds[0], left // count))
    missing = min(walked, sum(lengths[:count]) + walked - total)
    return _fitted(_shortened(lengths[:count], missing, least), left, least, bounds[1])


def _shortened(lengths: Sequence[int], less: int, least: int) -> list[int]:
    """Return the lengths with `less` in total taken from what is above the least one."""
    spare = [max(length - least, 0) for length in lengths]
    less = min(max(less, 0), sum(spare))
    if not less:
        return list(lengths)
    taken = [upto * less // sum(spare) for upto in accumulate(spare, initial=0)]
    shares = [end - start for start, end in pairwise(taken)]
    return [length - share for length, share in zip(lengths, shares, strict=True)]


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


def _parts(span: Span, starts: Sequence[int], requests: Sequence[int]) -> list[Part]:
    ends = [*starts[1:], span.to_tick]
    return [
        Part(request, Span(start, end))
        for request, start, end in zip(requests, starts, ends, strict=True)
    ]


def _fitted(lengths: Sequence[int], total: int, ticks_min: int, ticks_max: int) -> list[int]:
    """Return lengths near the requested ones that sum to the total.

    The later parts are shortened first. Where the bounds do not allow the total, the last part
    ends with the span nevertheless.
    """
    fitted = [max(length, ticks_min) for length in lengths]
    surplus = sum(fitted) - total
    if surplus < 0:
        return _extended(fitted, -surplus, ticks_max)
    for index in reversed(range(len(fitted))):
        change = min(fitted[index] - ticks_min, surplus)
        fitted[index] -= change
        surplus -= change
    return fitted


def _extended(lengths: Sequence[int], missing: int, ticks_max: int) -> list[int]:
    """Return the lengths with the missing ticks: long ones first, the longest before others.

    Short ones share in proportion what the long ones cannot take up to `ticks_max`; what is
    left then goes to the longest.
    """
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], -index))
    unshared = sum(length for length in lengths if length < LONG_SHARE * ticks_max)
    fitted = list(lengths)
    for index in order:
        length, share = lengths[index], missing
        if length < LONG_SHARE * ticks_max:
            share = ceil(missing * length / unshared)
            unshared -= length
        fitted[index] += min(max(ticks_max - length, 0), share)
        missing -= fitted[index] - length
    fitted[order[0]] += missing
    return fitted
