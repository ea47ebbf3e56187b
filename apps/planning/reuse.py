"""Hours whose actions are known, and their reuse, varied by chance (ADR 38).

An agent with a routine plans an hour once (the lifestyle policy of Affordable Generative
Agents, arXiv 2402.02053). What varies is the length of the actions and, of several hours that
are known, which one is repeated. Nothing says which actions are independent of one another, so
that their order stays.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.agents.acts import ActKind
from apps.agents.models import TurnedAwayRow
from apps.eventlog.queries import events_of_turn
from apps.kernel.chance import choice
from apps.planning.events import ActionsPlanned, PlannedAction
from apps.planning.models import PlanItemRow
from apps.planning.queries import plan_item
from apps.planning.rules import PlanItem, PlannedHour, planned_action
from apps.planning.surroundings import AreaOption
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


# The latest hours with the same words and place that are looked at.
HOURS_MAX = 5


def known_hours(
    simulation_id: UUID, agent: str, hour: PlanItem, *, as_of_tick: int, same_day: bool
) -> tuple[KnownHour, ...]:
    """Return the past hours whose actions the agent can do again in this hour, latest first.

    The model planned them for the same activity at the same place, once and for all of the
    hour, alone and without an act with another agent; nothing refused the agent then, and no
    other hour of the day of `hour` repeats them. Hours of that day count if `same_day`.
    """
    rows = PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).order_by("number")
    past = _hours(rows, hour, as_of_tick=as_of_tick, same_day=same_day)
    actions = defaultdict(list)
    for row in rows.filter(level="action", parent__in=[row.number for row in past]):
        actions[row.parent].append(row)
    repeated = _repeated_on(rows, hour.day) if past else set()
    known = (
        one for row in past for one in _known(row, actions[row.number], as_of_tick=as_of_tick)
    )
    return tuple(one for one in known if one.event not in repeated)


def _repeated_on(rows: QuerySet[PlanItemRow], day: str) -> set[str]:
    """Return the events whose actions an hour of the day repeats."""
    hours = rows.filter(level="hour", day=day).values("number")
    repeating = rows.filter(level="action", parent__in=hours).exclude(reused_from="")
    return set(repeating.values_list("reused_from", flat=True))


def _hours(
    rows: QuerySet[PlanItemRow], hour: PlanItem, *, as_of_tick: int, same_day: bool
) -> list[PlanItemRow]:
    past = rows.filter(
        Q(valid_to_tick=None) | Q(valid_to_tick__gt=as_of_tick),
        level="hour",
        description=hour.description,
        place=hour.place,
        asleep=False,
        continues=0,
        to_tick__lte=as_of_tick + 1,
    )
    if not same_day:
        past = past.exclude(day=hour.day)
    return list(past.reverse()[:HOURS_MAX])


def _known(
    hour: PlanItemRow, actions: list[PlanItemRow], *, as_of_tick: int
) -> Iterator[KnownHour]:
    """Yield the hour if its actions can be done again."""
    is_whole = (
        len({row.valid_from_tick for row in actions}) == 1
        and not any(row.is_replaced_at(as_of_tick) for row in actions)
        and actions[-1].to_tick == hour.to_tick
    )
    is_own = not any(
        row.reused_from or row.act != ActKind.NONE or row.with_agents for row in actions
    )
    if not is_whole or not is_own or _was_refused(hour):
        return
    tick = actions[0].valid_from_tick
    for event in events_of_turn(hour.simulation_id, hour.agent, tick, types=[ActionsPlanned]):
        yield KnownHour(
            event=event.event_id,
            planned_tick=tick,
            actions=tuple(planned_action(plan_item(row, tick)) for row in actions),
        )


def _was_refused(hour: PlanItemRow) -> bool:
    """Return whether the agent could not enter or use something in the hour."""
    return TurnedAwayRow.objects.filter(
        simulation_id=hour.simulation_id,
        agent=hour.agent,
        tick__gte=hour.from_tick,
        tick__lt=hour.to_tick,
    ).exists()
