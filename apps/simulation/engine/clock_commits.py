"""Writes the clocks of a simulation's agents and its committed tick to the rows."""

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from apps.django_support.statements import asynchronous_commit
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.models import ClockRow, SimulationRow
from apps.simulation.notifications import notify_followers

COMMIT_SECONDS = 0.2
"""The shortest time between two commits of the clocks while turns are executed."""
IDLE_COMMIT_SECONDS = 1.0
"""The same for a paced simulation while ticks pass without a turn."""


@dataclass(slots=True, kw_only=True)
class ClockCommitter:
    """Writes the clocks that the scheduler of one simulation has advanced in memory.

    `on_progress` is called with the committed tick, `monotonic` is the clock of the machine.
    """

    simulation_id: UUID
    on_progress: Callable[[int], None]
    monotonic: Callable[[], float]
    has_new_turns: bool = False
    _written: dict[str, int] = field(default_factory=dict)
    _committed_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._committed_at = self.monotonic()

    def has_changes(self, schedule: ScheduleState) -> bool:
        """Return whether a clock has moved since it was written."""
        return schedule.clocks != self._written

    def seconds_to_commit(self, *, is_paced: bool) -> float:
        """Return the seconds until the next commit is due; negative when it is overdue."""
        is_idle = is_paced and not self.has_new_turns
        interval = IDLE_COMMIT_SECONDS if is_idle else COMMIT_SECONDS
        return self._committed_at + interval - self.monotonic()

    def commit(self, schedule: ScheduleState) -> None:
        """Write the clocks that have moved, and the committed tick for readers.

        A lower bound suffices for the next scheduler: ticks without a turn leave no trace.
        """
        clocks = schedule.clocks
        if clocks != self._written:
            self._write(schedule.committed_tick, clocks)
            self.on_progress(schedule.committed_tick)
        self._committed_at = self.monotonic()
        self.has_new_turns = False

    def _write(self, committed_tick: int, clocks: dict[str, int]) -> None:
        # Where the agent farthest behind has left, no clock has moved, but the committed tick.
        moved = [
            ClockRow(simulation_id=self.simulation_id, agent=agent, clock=clock)
            for agent, clock in clocks.items()
            if self._written.get(agent) != clock
        ]
        with asynchronous_commit():
            ClockRow.objects.bulk_create(
                moved,
                update_conflicts=True,
                unique_fields=["simulation_id", "agent"],
                update_fields=["clock"],
            )
            behind = SimulationRow.objects.filter(
                pk=self.simulation_id, committed_tick__lt=committed_tick
            )
            if behind.update(committed_tick=committed_tick):
                notify_followers(self.simulation_id)
        self._written = clocks
