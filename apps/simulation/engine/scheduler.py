"""Schedules the turns of one simulation, step by step, until the simulation is at rest.

A step never waits: it collects the turns that were executed, reads what users ask for, submits
the turns that are due, commits the clocks, and says when the next step is due. The caller
holds the simulation's lease. The schedule state is kept in memory between the steps and can be
read again from the rows at any moment, so that a scheduler may be killed between any two
statements.
"""

from collections import Counter
from uuid import UUID

import structlog
from django.db import OperationalError
from django.db.models import QuerySet

from apps.eventlog.store import AlreadyWritten
from apps.kernel.errors import DomainError
from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.commands.embodied_action import record_outcomes
from apps.simulation.commands.processor import CommandProcessor
from apps.simulation.commands.remove_agent import delete_clock
from apps.simulation.engine.committing import Committer
from apps.simulation.engine.dispatch import Finished, ReadyTurn, TurnExecutor, reason_of
from apps.simulation.engine.lifecycle import stop_at_once
from apps.simulation.engine.lookahead import DistanceLookahead, LockStep, LookaheadPolicy
from apps.simulation.engine.pacing import Pacing
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.engine.scheduler_options import SchedulerOptions
from apps.simulation.models import SimulationRow, Status
from apps.simulation.notifications import ring_followers
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.queries import get_simulation
from apps.simulation.turn.preparation import PREPARATION_TICK

COMMIT_SECONDS = 0.2
"""The shortest time between two commits of the clocks while turns are executed."""
IDLE_COMMIT_SECONDS = 1.0
"""The same while ticks pass without a turn."""
DRAIN_SECONDS = 15.0
"""How long the turns in work of a simulation that was stopped are waited for."""
ATTEMPTS_MAX = 5
# The tick after the last one has to fit into its column.
LAST_TICK = FOREVER_TICK - 1

logger = structlog.get_logger(__name__)


class SimulationScheduler:
    """The scheduler of one simulation, for as long as the lease is held."""

    def __init__(
        self,
        ports: Ports,
        simulation_id: UUID,
        *,
        executor: TurnExecutor,
        options: SchedulerOptions,
    ) -> None:
        """Read the schedule state from the rows.

        :raises SimulationUnknown: if the simulation does not exist.
        :raises WorldChanged: if the world's files are no longer those that it began with.
        """
        self._simulation_id = simulation_id
        self._constants = constants_of(simulation_id, ports.worlds_root)
        self._commands = CommandProcessor(ports, self._constants)
        self._executor = executor
        self._options = options
        self._committer = Committer(simulation_id, options.on_progress)
        self._failures: Counter[ReadyTurn] = Counter()
        self._pacing = Pacing(
            time=options.time,
            tick_seconds=self._constants.calendar.tick_seconds,
            catch_up_seconds_max=options.catch_up_seconds_max,
        )
        self._command_tick: int | None = None
        self._has_new_turns = False
        self._was_preparing = False
        self._row = get_simulation(simulation_id)
        now = self._now()
        self._requests_at = self._committed_at = now
        self._drained_at = now + DRAIN_SECONDS
        # First the turns in work, then the clocks: a turn written in between is ahead of both.
        in_work = executor.start()
        self._schedule = ScheduleState(
            self._constants, _lookahead(self._constants, lock_step=options.lock_step)
        )
        for turn in in_work:
            self._schedule.resume(turn)
        record_outcomes(simulation_id)

    def step(self, *, requests: bool = False) -> float | None:
        """Do what can be done now; return the seconds to the next step, None when at rest.

        The next step is due earlier when a turn has been executed or a user asks for something.

        :param requests: whether users may have asked for something since the last step.
        :raises LeaseLost: if another process may schedule the simulation; nothing was done.
        :raises OperationalError: if the database is away; the schedule state is to be read
            again.
        """
        self._options.ensure_lease()
        is_sound = self._collect()
        if requests or not is_sound or self._wants_requests():
            self._read_requests()
        if self._comes_to_rest():
            return None
        if self._row.status == Status.PAUSED and not self._prepares():
            return max(0.0, self._requests_at - self._now())
        return self._submit_due()

    def close(self) -> None:
        """Commit what is known; another scheduler may go on from there at once."""
        self._options.ensure_lease()
        self._commit()

    # --- Turns that were executed ------------------------------------------------------------

    def _collect(self) -> bool:
        """Apply the turns that were executed; return whether to go on submitting turns."""
        if not self._schedule.in_work:
            return True
        # All of them, whatever became of one: a turn that is not applied counts as in work.
        sound = [self._apply(finished) for finished in self._executor.collect()]
        return all(sound)

    def _apply(self, finished: Finished) -> bool:
        turn, error = finished.turn, finished.error
        if not self._schedule.is_awaited(turn):
            return True
        if error is None or isinstance(error, AlreadyWritten):
            self._failures.pop(turn, None)
            self._apply_written(turn)
            return True
        self._schedule.drop(turn)
        is_at_rest = self._row.status == Status.PAUSED and not self._prepares()
        return is_at_rest or self._after_failure(finished, error)

    def _apply_written(self, turn: ReadyTurn) -> None:
        """Read again what the turn has changed, and what became of a user's action in it."""
        acts_for_user = turn.agent in self._schedule.users
        self._schedule.take_in(turn)
        self._has_new_turns = True
        if acts_for_user:
            record_outcomes(self._simulation_id)
        if self._schedule.has_gone(turn.agent):
            delete_clock(self._simulation_id, turn.agent)
            self._schedule.remove_agent(turn.agent)

    def _after_failure(self, finished: Finished, error: Exception) -> bool:
        """Let the turn be submitted again, or stop the simulation with the reason."""
        turn = finished.turn
        self._failures[turn] += 1
        attempts = max(self._failures[turn], finished.attempts)
        logger.warning(
            "turn failed",
            agent=turn.agent,
            tick=turn.tick,
            attempts=attempts,
            error=f"{error!r}"[:2_000],
        )
        if isinstance(error, OperationalError):
            raise error
        if not isinstance(error, DomainError) and attempts < ATTEMPTS_MAX:
            return True
        stop_at_once(self._simulation_id, reason=reason_of(turn, error))
        return False

    # --- What users ask for ------------------------------------------------------------------

    def _wants_requests(self) -> bool:
        """Return whether the requests are to be read without a notification."""
        reached = (
            self._command_tick is not None and self._schedule.next_tick >= self._command_tick
        )
        return (
            reached or bool(self._schedule.due_departures()) or self._now() >= self._requests_at
        )

    def _read_requests(self) -> None:
        """Accept the commands that are due, read what the simulation is to do."""
        self._commit()
        self._command_tick = self._commands.process_due(self._schedule)
        before = self._row
        self._row = get_simulation(self._simulation_id)
        if _is_stopped(self._row) and not _is_stopped(before):
            self._drained_at = self._now() + DRAIN_SECONDS
        elif before.status == Status.PAUSED != self._row.status:
            self._failures.clear()
        if self._schedule.in_work:
            self._executor.resubmit_lapsed()
        self._pacing.read(self._row, self._schedule.settled)
        self._requests_at = self._now() + self._options.requests_poll_seconds

    def _comes_to_rest(self) -> bool:
        """Return whether there is nothing more to do, having said so in the row."""
        row, schedule = self._row, self._schedule
        if row.status == Status.PAUSED:
            return not self._prepares() and self._is_drained()
        if row.status == Status.PAUSING and row.until_tick != schedule.farthest:
            # The agents that are behind come up to the one that is ahead, and no farther.
            end = schedule.farthest
            _rows(row).filter(status=Status.PAUSING).update(until_tick=end, pace=None)
            row.until_tick, row.pace = end, None
            self._pacing.read(row, schedule.settled)
        if not self._has_reached_end():
            return False
        self._commit()
        reason = row.reason if row.status == Status.PAUSING else "reached the end asked for"
        # A later run may have been requested meanwhile: then there is more to do.
        rested = _rows(row).filter(until_tick=row.until_tick, status=row.status)
        if not rested.update(status=Status.PAUSED, reason=reason):
            self._requests_at = self._now()
            return False
        ring_followers(self._simulation_id)
        row.status = Status.PAUSED
        self._drained_at = self._now() + DRAIN_SECONDS
        # Seed memories are formed within tick 0, which counts as settled all along.
        return self._is_drained()

    def _has_reached_end(self) -> bool:
        """Return whether the last tick that was asked for is settled."""
        end = self._row.until_tick
        return end is not None and self._schedule.settled >= end

    def _is_drained(self) -> bool:
        """Return whether no turn of a paused simulation is in work, or the wait is over."""
        for turn in self._executor.withdraw():
            if self._schedule.is_awaited(turn):
                self._schedule.drop(turn)
        if self._schedule.in_work and self._now() < self._drained_at:
            return False
        self._commit()
        self._end_preparation()
        return True

    def _prepares(self) -> bool:
        """Return whether a simulation that does not run has seed memories to form."""
        return self._row.is_preparing and not self._schedule.is_prepared

    def _end_preparation(self) -> None:
        """Record that the seed memories of all agents are formed."""
        if self._row.is_preparing:
            _rows(self._row).filter(is_preparing=True).update(is_preparing=False)
            ring_followers(self._simulation_id)

    # --- Turns that are due ------------------------------------------------------------------

    def _submit_due(self) -> float:
        """Submit the turns that are due; return the seconds to the next step."""
        schedule = self._schedule
        if self._was_preparing or not schedule.is_prepared:
            self._pacing.restart(schedule.settled)
        self._was_preparing = not schedule.is_prepared
        paced_tick = self._pacing.due_tick(schedule.settled)
        last_tick = self._last_tick(paced_tick)
        for turn in schedule.advance(last_tick):
            self._executor.submit(turn)
        if self._wants_requests():
            return 0.0
        # The agent that is farthest behind waits for nobody.
        assert schedule.in_work or schedule.settled >= last_tick, "some agent can always go on"
        if self._committer.has_news(schedule) and self._seconds_to_commit() <= 0:
            self._commit()
        if self._row.status != Status.PAUSED and self._has_reached_end():
            return 0.0
        is_paced = last_tick == paced_tick
        return max(0.0, self._seconds_to_next_step(last_tick if is_paced else None))

    def _last_tick(self, paced_tick: int | None) -> int:
        """Return the last tick that may be committed now."""
        if self._row.status == Status.PAUSED:
            return PREPARATION_TICK
        # No agent passes the tick of a command before the command is accepted.
        before_command = None if self._command_tick is None else self._command_tick - 1
        ends = [self._row.until_tick, before_command, paced_tick]
        return min((tick for tick in ends if tick is not None), default=LAST_TICK)

    def _seconds_to_next_step(self, paced_tick: int | None) -> float:
        """Return the seconds until something is due that no notification tells.

        :param paced_tick: the last tick that is due, if only the pace holds the agents up.
        """
        seconds = self._requests_at - self._now()
        if self._committer.has_news(self._schedule):
            seconds = min(seconds, self._seconds_to_commit())
        if paced_tick is not None:
            # Ticks without a turn are committed together, about once a second.
            next_tick = self._pacing.seconds_until(paced_tick + 1)
            seconds = min(seconds, max(next_tick, self._seconds_to_commit()))
            check = self._schedule.next_check(paced_tick)
            if check is not None:
                seconds = min(seconds, self._pacing.seconds_until(check))
        return seconds

    # --- Clocks ------------------------------------------------------------------------------

    def _commit(self) -> None:
        self._committer.commit(self._schedule)
        self._committed_at = self._now()
        self._has_new_turns = False

    def _seconds_to_commit(self) -> float:
        is_idle = self._row.pace is not None and not self._has_new_turns
        interval = IDLE_COMMIT_SECONDS if is_idle else COMMIT_SECONDS
        return self._committed_at + interval - self._now()

    def _now(self) -> float:
        return self._options.time.monotonic()


def _rows(row: SimulationRow) -> QuerySet[SimulationRow]:
    return SimulationRow.objects.filter(pk=row.pk)


def _is_stopped(row: SimulationRow) -> bool:
    """Return whether no turn of the simulation is to be submitted."""
    return row.status == Status.PAUSED and not row.is_preparing


def _lookahead(constants: Constants, *, lock_step: bool) -> LookaheadPolicy:
    if lock_step:
        return LockStep()
    return DistanceLookahead(vision=constants.settings.vision, reach=constants.reach)
