"""Commits the clocks of a simulation's agents and its committed tick to the rows."""

from collections.abc import Callable
from uuid import UUID

from apps.django_support.durability import asynchronous_commit
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.models import ClockRow, SimulationRow
from apps.simulation.notifications import ring_followers


class Committer:
    """Writes what the scheduler of one simulation has in memory, as far as it has changed."""

    def __init__(self, simulation_id: UUID, on_progress: Callable[[int], None]) -> None:
        """Take what is called with the committed tick each time that clocks are written."""
        self._simulation_id = simulation_id
        self._on_progress = on_progress
        self._written: dict[str, int] = {}

    def has_news(self, schedule: ScheduleState) -> bool:
        """Return whether some clock has moved since it was written."""
        return schedule.clocks != self._written

    def commit(self, schedule: ScheduleState) -> None:
        """Write the clocks that have moved, and the committed tick for readers.

        A successor needs a lower bound only: ticks without a turn leave no trace.
        """
        clocks = schedule.clocks
        if clocks == self._written:
            return
        # None has moved where the agent farthest behind has left: the committed tick has.
        moved = {
            agent: clock for agent, clock in clocks.items() if self._written.get(agent) != clock
        }
        with asynchronous_commit():
            ClockRow.objects.bulk_create(
                (
                    ClockRow(simulation_id=self._simulation_id, agent=agent, clock=clock)
                    for agent, clock in moved.items()
                ),
                update_conflicts=True,
                unique_fields=["simulation_id", "agent"],
                update_fields=["clock"],
            )
            behind = SimulationRow.objects.filter(
                pk=self._simulation_id, settled_tick__lt=schedule.settled
            )
            if behind.update(settled_tick=schedule.settled):
                ring_followers(self._simulation_id)
        self._written = clocks
        self._on_progress(schedule.settled)
