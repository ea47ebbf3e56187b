"""Reuse of the actions of a known hour, varied by chance; pure (ADR 38).

An agent with a routine plans an hour once (the lifestyle policy of Affordable Generative
Agents, arXiv 2402.02053). What varies is the length of the actions and, of several hours that
are known, which one is repeated. Nothing says which actions are independent of one another, so
that their order stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apps.kernel.chance import choice
from apps.planning.events import ActionsPlanned, PlannedAction
from apps.planning.options import AreaOption
from apps.planning.rules import PlannedHour
from apps.planning.tiling import Span, tile_by_lengths

# An hour that is longer by more minutes, or shorter than this share, is planned anew.
LONGER_MINUTES_MAX = 15
SHARE_MIN = 0.5
# An action takes so much longer or shorter than the time before. Unit: minutes.
VARIATIONS = (-5, 0, 0, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownHour:
    """The actions that the model has planned for an hour, and the event of that plan."""

    event: str
    planned_tick: int
    actions: tuple[PlannedAction, ...]

    @property
    def ticks(self) -> int:
        """The length of the planned time."""
        return self.actions[-1].to_tick - self.actions[0].from_tick

    @property
    def objects(self) -> frozenset[str]:
        """The paths of the objects that are used."""
        return frozenset(action.object for action in self.actions if action.object)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """What the variation of an hour depends on: the key of chance, and the bounds in ticks."""

    seed: int
    agent: str
    tick: int
    ticks_per_minute: int
    ticks_min: int
    ticks_max: int


def fitting_hours(
    known: Sequence[KnownHour],
    *,
    span: Span,
    areas: Sequence[AreaOption],
    changed: Mapping[str, int],
    previous: str,
    ticks_per_minute: int,
) -> list[KnownHour]:
    """Return the known hours that fit the span, the areas on offer and the objects.

    `changed` has objects that are not idle, and the tick since which that is known. An hour
    that begins with the `previous` action does not fit.
    """
    paths = {area.path for area in areas}
    paths |= {f"{area.path}: {name}" for area in areas for name in area.objects}
    return [
        one
        for one in known
        if one.actions[0].description != previous
        and SHARE_MIN * one.ticks <= span.ticks
        and span.ticks <= one.ticks + LONGER_MINUTES_MAX * ticks_per_minute
        and {action.area for action in one.actions} | one.objects <= paths
        and all(changed.get(path, -1) <= one.planned_tick for path in one.objects)
    ]


def reuse_hour(
    known: Sequence[KnownHour],
    *,
    hour: PlannedHour,
    variation: Variation,
    next_number: int,
) -> ActionsPlanned:
    """Return the actions of the rest of an hour: those of one of the known hours, varied."""
    key = ("reuse", variation.agent, variation.tick)
    source = choice(known, variation.seed, *key)
    span = Span(max(variation.tick, hour.from_tick), hour.to_tick)
    # In a shorter hour every action is shorter, not only the last ones.
    share = min(1.0, span.ticks / source.ticks)
    parts = tile_by_lengths(
        span,
        [_length(action, share, variation, *key) for action in source.actions],
        ticks_min=variation.ticks_min,
        ticks_max=variation.ticks_max,
    )
    return ActionsPlanned(
        parent=hour.number,
        items=tuple(
            replace(
                source.actions[part.request],
                number=next_number + index,
                parent=hour.number,
                from_tick=part.span.from_tick,
                to_tick=part.span.to_tick,
            )
            for index, part in enumerate(parts)
        ),
        reused_from=source.event,
    )


def _length(action: PlannedAction, share: float, variation: Variation, *key: str | int) -> int:
    minutes = choice(VARIATIONS, variation.seed, *key, "length", action.number)
    ticks = share * (action.to_tick - action.from_tick) + minutes * variation.ticks_per_minute
    return max(round(ticks), variation.ticks_min)
