"""The lengths of the actions of an hour, with time for the walks between their areas; pure."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from apps.planning.answered_times import walks_before
from apps.planning.inputs import HourActionsInput
from apps.planning.llm_tasks.hour_actions import SHORTEST_MINUTES
from apps.planning.tiling import Span, tile_by_lengths


def fitted_minutes(
    inputs: HourActionsInput, minutes: Sequence[int], areas: Sequence[str]
) -> list[int]:
    """Return lengths near the given ones that fill the hour together with the walks.

    All actions give time to the walks, in proportion to what they have above the least length,
    so that a walk across a house takes a minute or two from each; where that is not enough, an
    action is shorter than the least length. The last actions are left out where there is no
    time for all of them.
    """
    walks = walks_before(inputs, areas)
    count = max(1, min(len(walks), inputs.minutes // inputs.minutes_min))
    while count > 1 and sum(walks[:count]) + count * SHORTEST_MINUTES > inputs.minutes:
        count -= 1
    walked = sum(walks[:count])
    least = max(1, min(inputs.minutes_min, (inputs.minutes - walked) // count))
    missing = sum(minutes[:count]) + walked - inputs.minutes
    parts = tile_by_lengths(
        Span(0, max(inputs.minutes - walked, 1)),
        _shortened(minutes[:count], min(walked, missing), least),
        ticks_min=least,
        ticks_max=inputs.minutes_max,
    )
    return [part.span.ticks for part in parts]


def _shortened(minutes: Sequence[int], less: int, minutes_min: int) -> list[int]:
    """Return the lengths with `less` minutes in total taken from what is above the minimum."""
    spare = [max(length - minutes_min, 0) for length in minutes]
    less = min(max(less, 0), sum(spare))
    if not less:
        return list(minutes)
    taken = [upto * less // sum(spare) for upto in accumulate(spare, initial=0)]
    shares = [end - start for start, end in pairwise(taken)]
    return [length - share for length, share in zip(minutes, shares, strict=True)]
