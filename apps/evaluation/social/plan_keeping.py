"""How many of the planned actions were begun, from plans and performed actions (P3)."""

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from apps import history
from apps.history import ActionKind, ActKind

SHORT_MINUTES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanKeeping:
    """The planned actions whose time is over, and those that were begun, or hardly begun.

    An action that is still done is begun. Acts with other agents and sleep are left out, and so
    is what a revision took away. `short` are actions of less than SHORT_MINUTES minutes.
    """

    planned: int
    begun: int
    short: int

    @property
    def begun_share(self) -> float | None:
        """The share of the begun actions, 0 to 1; None without planned ones."""
        return self.begun / self.planned if self.planned else None


def plan_keeping(simulation_id: UUID, *, as_of_tick: int) -> PlanKeeping:
    """Return how the plans up to the end of the tick were kept."""
    done: Counter[tuple[str, int]] = Counter()
    tracks = history.tracks(simulation_id, from_tick=0, to_tick=as_of_tick)
    for agent, track in tracks.items():
        # Nothing has ended the last action yet; it is done at the end of the tick.
        ended = [*(action.from_tick for action in track.actions[1:]), as_of_tick + 1]
        for action, end in zip(track.actions, ended, strict=True):
            if action.kind is ActionKind.PLANNED:
                done[agent, action.plan_item] += end - action.from_tick
    planned = begun = short = 0
    short_ticks = history.calendar_of(simulation_id).ticks_of(minutes=SHORT_MINUTES)
    plans = history.planned_items(simulation_id, levels=["action"], as_of_tick=as_of_tick)
    for agent, items in plans.items():
        for item in items:
            if item.asleep or item.act is not ActKind.NONE or item.to_tick > as_of_tick:
                continue
            spent = done[agent, item.number]
            planned += 1
            begun += spent > 0
            short += 0 < spent < short_ticks
    return PlanKeeping(planned=planned, begun=begun, short=short)
