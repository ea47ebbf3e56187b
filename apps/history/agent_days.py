"""What agents planned and did on a day, and the plans as of any tick."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.agents.models import ActionRow
from apps.dialogue.queries import talks
from apps.dialogue.utterances import Talk
from apps.kernel.game_time import GameCalendar
from apps.planning.models import PlanItemRow
from apps.planning.queries import plan_item
from apps.planning.rules import Level, PlanItem


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBranch:
    """A plan item with its parts."""

    item: PlanItem
    parts: tuple["PlanBranch", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTree:
    """A plan-day: chunks, their hours, the actions of the hours."""

    day: str
    branches: tuple[PlanBranch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDay:
    """A plan-day of an agent, in the ticks [from_tick, to_tick) as of a tick.

    Without a plan it is a calendar day. `hours` are those of the plan, each with its part of
    the day; a part without hours stands for itself. `actions` are in order, with those that
    began before and last.
    """

    agent: str
    plan: DayTree | None
    from_tick: int
    to_tick: int
    actions: Sequence[ActionRow]
    talks: tuple[Talk, ...]

    @property
    def hours(self) -> list[tuple[PlanItem, PlanItem | None]]:
        """The planned hours in order, each with its part of the day."""
        return [] if self.plan is None else _hours(self.plan.branches)


def read_day(
    simulation_id: UUID,
    agent: str,
    *,
    day: str | None = None,
    calendar: GameCalendar,
    as_of_tick: int,
) -> AgentDay:
    """Return the day ("2023-02-13") of an agent, by default the latest one with a plan."""
    plan = plan_of_day(simulation_id, agent, day=day, as_of_tick=as_of_tick)
    items = [] if plan is None else [branch.item for branch in plan.branches]
    if items:
        first, last = items[0].from_tick, max(item.to_tick for item in items)
    else:
        midnight = calendar.time_at(as_of_tick).replace(hour=0, minute=0, second=0)
        first = max(0, calendar.tick_at(midnight))
        last = first + calendar.ticks_of(minutes=24 * 60)
    actions = list_actions(
        simulation_id, agent, as_of_tick=as_of_tick, from_tick=first, to_tick=last
    )
    return AgentDay(
        agent=agent,
        plan=plan,
        from_tick=first,
        to_tick=last,
        actions=list(actions.defer("steps").order_by("from_tick", "pk")),
        talks=talks(
            simulation_id, from_tick=first, to_tick=min(as_of_tick + 1, last), agents=[agent]
        ),
    )


def list_actions(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    from_tick: int | None = None,
    to_tick: int | None = None,
) -> QuerySet[ActionRow]:
    """Return the actions that began by a tick and overlap [from_tick, to_tick)."""
    rows = ActionRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__lte=as_of_tick
    )
    if from_tick is not None:
        rows = rows.filter(Q(to_tick=None) | Q(to_tick__gt=from_tick))
    if to_tick is not None:
        rows = rows.filter(from_tick__lt=to_tick)
    return rows


def plan_of_day(
    simulation_id: UUID, agent: str, *, day: str | None, as_of_tick: int
) -> DayTree | None:
    """Return the plan of the day ("2023-02-13"), by default of the latest one.

    None without a plan of the day.
    """
    rows = PlanItemRow.objects.filter(
        simulation_id=simulation_id, agent=agent, valid_from_tick__lte=as_of_tick
    ).order_by("from_tick", "number")
    outlines = rows.filter(level="outline").order_by("-day")
    day = day or outlines.values_list("day", flat=True).first()
    items = _as_of(rows.filter(day=day), as_of_tick) if day else []
    if not day or not items:
        return None
    hours = [item.number for item in items if item.level == "hour"]
    actions = _as_of(rows.filter(level="action", parent__in=hours), as_of_tick)
    return DayTree(day=day, branches=_branches([*items, *actions]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVersion:
    """A plan item as it was planned, and what a later plan left of it.

    `replaced_tick` is None while it is current. Of a replaced item, the part before
    `kept_to_tick` remains, the whole item without one.
    """

    item: PlanItem
    planned_tick: int
    replaced_tick: int | None
    kept_to_tick: int | None


def plan_versions(
    simulation_id: UUID,
    *,
    levels: Iterable[Level],
    from_tick: int,
    to_tick: int,
    as_of_tick: int,
) -> dict[str, list[PlanVersion]]:
    """Return the items of the levels that overlap the span, by agent and in order.

    Those that a later plan has replaced are among them, so that the plan as of any tick of the
    span can be read from them.
    """
    found: dict[str, list[PlanVersion]] = defaultdict(list)
    for row in _planned(simulation_id, levels, from_tick, as_of_tick).filter(
        from_tick__lt=to_tick
    ):
        found[row.agent].append(
            PlanVersion(
                item=plan_item(row, row.valid_from_tick - 1),  # as it was planned
                planned_tick=row.valid_from_tick,
                replaced_tick=row.valid_to_tick,
                kept_to_tick=row.kept_to_tick,
            )
        )
    return dict(found)


def planned_items(
    simulation_id: UUID, *, levels: Iterable[Level], from_tick: int = 0, as_of_tick: int
) -> dict[str, list[PlanItem]]:
    """Return the items as of the tick that end after `from_tick`, by agent and in order."""
    found: dict[str, list[PlanItem]] = defaultdict(list)
    for row in _planned(simulation_id, levels, from_tick, as_of_tick):
        found[row.agent] += _as_of([row], as_of_tick)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class HourCounts:
    """How many hours have planned actions, and how many of these repeat a known hour."""

    planned: int
    reused: int
    """Of these, the hours that repeat a known hour without a call of the model; see the
    setting `reuse_hours`.
    """


def hour_counts(simulation_id: UUID, *, as_of_tick: int | None = None) -> HourCounts:
    """Return the counts of hours over all agents of a simulation, sleep not counted.

    `as_of_tick`: only hours that were planned by the end of this tick.
    """
    rows = PlanItemRow.objects.filter(simulation_id=simulation_id, level="action", asleep=False)
    if as_of_tick is not None:
        rows = rows.filter(valid_from_tick__lte=as_of_tick)
    hours = rows.values("agent", "parent").distinct()
    return HourCounts(planned=hours.count(), reused=hours.exclude(reused_from="").count())


def _planned(
    simulation_id: UUID, levels: Iterable[Level], from_tick: int, as_of_tick: int
) -> QuerySet[PlanItemRow]:
    return PlanItemRow.objects.filter(
        simulation_id=simulation_id,
        level__in=list(levels),
        valid_from_tick__lte=as_of_tick,
        to_tick__gt=from_tick,
    ).order_by("agent", "from_tick", "number")


def _as_of(rows: Iterable[PlanItemRow], as_of_tick: int) -> list[PlanItem]:
    """Return the items as of the tick, without those that were replaced before they began."""
    items = [plan_item(row, as_of_tick) for row in rows]
    return [item for item in items if item.to_tick > item.from_tick]


def _hours(branches: Iterable[PlanBranch]) -> list[tuple[PlanItem, PlanItem | None]]:
    found: list[tuple[PlanItem, PlanItem | None]] = []
    for branch in branches:
        if branch.item.level == "hour" or not branch.parts:
            found.append((branch.item, None))
        else:
            found += [(part.item, branch.item) for part in branch.parts]
    return sorted(found, key=lambda pair: (pair[0].from_tick, pair[0].number))


def _branches(items: Iterable[PlanItem]) -> tuple[PlanBranch, ...]:
    below: dict[int, list[PlanItem]] = defaultdict(list)
    numbers = set()
    for item in items:
        below[item.parent].append(item)
        numbers.add(item.number)
    tops = [item for parent, parts in below.items() if parent not in numbers for item in parts]
    return tuple(_branch(item, below) for item in sorted(tops, key=_order))


def _branch(item: PlanItem, below: dict[int, list[PlanItem]]) -> PlanBranch:
    parts = sorted(below.get(item.number, ()), key=_order)
    return PlanBranch(item=item, parts=tuple(_branch(part, below) for part in parts))


def _order(item: PlanItem) -> tuple[int, int]:
    return item.from_tick, item.number
