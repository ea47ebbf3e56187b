"""The run of a simulation: its row as users control it, and the clocks written to the rows."""

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps.django_support.statements import asynchronous_commit
from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.pace import PaceKeeper, RealTime
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.models import ClockRow, SimulationRow, Status
from apps.simulation.notifications import notify_followers
from apps.simulation.queries import get_simulation
from apps.simulation.turn.preparation import PREPARATION_TICK

DRAIN_SECONDS = 15.0
"""How long the turns in work of a simulation that was stopped are waited for."""
# The tick after the last one has to fit into its column.
LAST_TICK = FOREVER_TICK - 1


class RunControl:
    """The run that users have requested of one simulation."""

    def __init__(self, simulation_id: UUID, time: RealTime, *, tick_seconds: int) -> None:
        """Read the row.

        :raises SimulationUnknown: if the simulation does not exist.
        """
        self.row = get_simulation(simulation_id)
        self.pace = PaceKeeper(time, tick_seconds)
        self._time = time
        self._was_preparing = False
        self._drained_at = time.monotonic() + DRAIN_SECONDS

    @property
    def is_paused(self) -> bool:
        """Whether no run is requested."""
        return self.row.status == Status.PAUSED

    def is_preparing(self, schedule: ScheduleState) -> bool:
        """Return whether a simulation that does not run has seed memories to form."""
        return self.row.is_preparing and not schedule.is_prepared

    def read(self, schedule: ScheduleState) -> bool:
        """Read the row again; return whether a run was requested after a pause."""
        before, self.row = self.row, get_simulation(self.row.pk)
        if _is_stopped(self.row) and not _is_stopped(before):
            self._drained_at = self._time.monotonic() + DRAIN_SECONDS
        self.pace.read(self.row, schedule.committed_tick)
        return before.status == Status.PAUSED != self.row.status

    def limit_pausing(self, schedule: ScheduleState) -> None:
        """Let a run that is to pause end at the tick of the agent that is farthest ahead."""
        row, end = self.row, schedule.farthest_tick
        if row.status == Status.PAUSING and row.until_tick != end:
            self._rows().filter(status=Status.PAUSING).update(until_tick=end, pace=None)
            row.until_tick, row.pace = end, None
            self.pace.read(row, schedule.committed_tick)

    def has_reached_end(self, schedule: ScheduleState) -> bool:
        """Return whether the last requested tick is committed."""
        end = self.row.until_tick
        return end is not None and schedule.committed_tick >= end

    def finish(self) -> bool:
        """Pause the simulation at its end; return False if a later run was requested."""
        row = self.row
        is_pausing = row.status == Status.PAUSING
        reason = row.reason if is_pausing else "reached the requested end"
        ended = self._rows().filter(until_tick=row.until_tick, status=row.status)
        if not ended.update(status=Status.PAUSED, reason=reason):
            return False
        notify_followers(row.pk)
        row.status = Status.PAUSED
        self._drained_at = self._time.monotonic() + DRAIN_SECONDS
        return True

    def is_drain_over(self) -> bool:
        """Return whether the turns in work of a stopped simulation had time to end."""
        return self._time.monotonic() >= self._drained_at

    def end_preparation(self) -> None:
        """Record that the seed memories of all agents are formed."""
        if self.row.is_preparing:
            self._rows().filter(is_preparing=True).update(is_preparing=False)
            notify_followers(self.row.pk)

    def paced_tick(self, schedule: ScheduleState) -> int | None:
        """Return the tick that the pace allows, None without a pace.

        The pace is counted from the end of the preparation.
        """
        if self._was_preparing or not schedule.is_prepared:
            self.pace.restart(schedule.committed_tick)
        self._was_preparing = not schedule.is_prepared
        return self.pace.due_tick(schedule.committed_tick)

    def last_tick(self, *, command_tick: int | None, paced_tick: int | None) -> int:
        """Return the last tick that agents may take now.

        :param command_tick: the tick of the next command; no agent passes it before the
            command is accepted.
        """
        if self.is_paused:
            return PREPARATION_TICK
        before_command = None if command_tick is None else command_tick - 1
        ends = (self.row.until_tick, before_command, paced_tick)
        return min((tick for tick in ends if tick is not None), default=LAST_TICK)

    def _rows(self) -> QuerySet[SimulationRow]:
        return SimulationRow.objects.filter(pk=self.row.pk)


def _is_stopped(row: SimulationRow) -> bool:
    """Return whether no turn of the simulation is to be submitted."""
    return row.status == Status.PAUSED and not row.is_preparing


def stop_at_once(simulation_id: UUID, *, reason: str) -> None:
    """Pause the simulation at once, with the clocks of its agents at different ticks."""
    with transaction.atomic():
        rows = SimulationRow.objects.filter(pk=simulation_id)
        rows.update(status=Status.PAUSED, reason=reason, is_preparing=False)
        notify_followers(simulation_id)


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
