"""The scheduler of one simulation: submits its turns, step by step, until it is at rest.

`SimulationScheduler.step` is the body of the loop:

1. collect the turns that were executed, and reload the agents that took them;
2. read what users request: commands, and the run of the simulation;
3. end if the simulation is at rest;
4. submit the turns that are ready, commit the clocks, and return when the next step is due.

A step never waits. The caller holds the simulation's lease. The schedule state is in memory
between the steps and can be read again from the rows at any moment, so that a scheduler may be
killed between any two statements.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from django.db import OperationalError, transaction

from apps.eventlog.store import AlreadyWritten
from apps.kernel.errors import DomainError
from apps.kernel.language import use_language
from apps.simulation.commands.agents import delete_clock, depart
from apps.simulation.commands.command import Processing
from apps.simulation.commands.command_log import pending_commands, reject
from apps.simulation.commands.embodied_action import record_outcomes
from apps.simulation.commands.registry import spec_of
from apps.simulation.engine.lookahead import LockStep, LookaheadPolicy
from apps.simulation.engine.pace import RealTime
from apps.simulation.engine.run_control import ClockCommitter, RunControl, stop_at_once
from apps.simulation.engine.schedule_state import ScheduleState, lookahead_of
from apps.simulation.engine.turn_executors import (
    ExecutedTurn,
    ReadyTurn,
    TurnExecutor,
    Written,
    failure_reason,
)
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports, constants_of

REQUESTS_POLL_SECONDS = 2.0
"""How often requests are read and lapsed turns resubmitted should a notification be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerOptions:
    """How a simulation is scheduled.

    `ensure_lease` raises `LeaseLost` once another process may hold the lease; `on_progress` is
    called with the committed tick; `requests_poll_seconds` is shorter where no notification
    arrives.
    """

    ensure_lease: Callable[[], None]
    lock_step: bool = False
    on_progress: Callable[[int], None] = lambda _committed: None
    requests_poll_seconds: float = REQUESTS_POLL_SECONDS
    time: RealTime = field(default_factory=RealTime)


def process_due_commands(processing: Processing) -> int | None:
    """Process the commands that are due; return the tick of the next one, None without one."""
    schedule, later = processing.schedule, []
    for command in pending_commands(processing.constants.simulation_id):
        if command.at_tick is not None and command.at_tick > schedule.next_tick:
            later.append(command.at_tick)
        else:
            _process(processing, command)
    for agent, tick in schedule.due_departures():
        depart(processing, agent, tick)
    return min(later, default=None)


def _process(processing: Processing, command: CommandRow) -> None:
    """Process the command in one transaction, or record why it is rejected."""
    try:
        with transaction.atomic():
            spec_of(command.kind).run(processing, command)
    except DomainError as error:
        reject(command, error.message)


ATTEMPTS_MAX = 5

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
        constants = constants_of(simulation_id, ports.worlds)
        self._simulation_id = simulation_id
        self._executor = executor
        self._options = options
        self._now = options.time.monotonic
        self._clocks = ClockCommitter(
            simulation_id=simulation_id,
            on_progress=options.on_progress,
            monotonic=self._now,
        )
        self._run = RunControl(
            simulation_id, options.time, tick_seconds=constants.calendar.tick_seconds
        )
        self._failures: Counter[ReadyTurn] = Counter()
        self._command_tick: int | None = None
        self._requests_at = self._now()
        # First the turns in work, then the clocks: a turn written in between is ahead of both.
        in_work = executor.start()
        lookahead: LookaheadPolicy = LockStep()
        if not options.lock_step:
            lookahead = lookahead_of(constants)
        self._schedule = ScheduleState(constants, lookahead)
        for turn in in_work:
            self._schedule.resume(turn)
        self._processing = Processing(ports=ports, constants=constants, schedule=self._schedule)
        record_outcomes(simulation_id)

    def step(self, *, requests: bool = False) -> float | None:
        """Do what can be done now; return the seconds to the next step, None when at rest.

        The next step is due earlier when a turn has been executed or a user requests something.

        :param requests: whether users may have requested something since the last step.
        :raises LeaseLost: if another process may schedule the simulation; nothing was done.
        :raises OperationalError: if the database is away; the schedule state is to be read
            again.
        """
        # What an agent has seen is compared with what it sees, in the same words.
        with use_language(self._processing.constants.world.language):
            return self._step(requests=requests)

    def _step(self, *, requests: bool) -> float | None:
        self._options.ensure_lease()
        continues = self._collect()
        if requests or not continues or self._needs_requests():
            self._read_requests()
        if self._comes_to_rest():
            return None
        if self._run.is_paused and not self._run.is_preparing(self._schedule):
            return max(0.0, self._requests_at - self._now())
        return self._submit_ready()

    def close(self) -> None:
        """Commit the clocks; another scheduler may continue from there at once."""
        self._options.ensure_lease()
        self._clocks.commit(self._schedule)

    # --- 1. Executed turns --------------------------------------------------------------------

    def _collect(self) -> bool:
        """Apply the turns that were executed; return False if one stops the simulation."""
        if not self._schedule.turns_in_work:
            return True
        # Every turn is applied: one that is not would count as in work for ever.
        continues = [self._apply(executed) for executed in self._executor.collect()]
        return all(continues)

    def _apply(self, executed: ExecutedTurn) -> bool:
        turn, error = executed.turn, executed.error
        if not self._schedule.is_in_work(turn):
            return True
        if error is None or isinstance(error, AlreadyWritten):
            self._failures.pop(turn, None)
            self._apply_written(turn, executed.written)
            return True
        self._schedule.discard(turn)
        if self._run.is_paused and not self._run.is_preparing(self._schedule):
            return True
        return self._after_failure(executed, error)

    def _apply_written(self, turn: ReadyTurn, written: Written) -> None:
        """Reload what the turn has changed, and the outcomes of a user's action requests."""
        is_embodied = turn.agent in self._schedule.embodied
        self._schedule.apply(turn, written)
        self._clocks.has_new_turns = True
        if is_embodied:
            record_outcomes(self._simulation_id)
        if self._schedule.has_left(turn.agent):
            delete_clock(self._simulation_id, turn.agent)
            self._schedule.remove_agent(turn.agent)

    def _after_failure(self, executed: ExecutedTurn, error: Exception) -> bool:
        """Return True for another attempt, else stop the simulation with the reason."""
        turn = executed.turn
        self._failures[turn] += 1
        attempts = max(self._failures[turn], executed.attempts)
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
        stop_at_once(self._simulation_id, reason=failure_reason(turn, error))
        return False

    # --- 2. Requests of users -----------------------------------------------------------------

    def _needs_requests(self) -> bool:
        """Return whether the requests are to be read without a notification."""
        tick = self._command_tick
        is_command_due = tick is not None and self._schedule.next_tick >= tick
        is_poll_due = self._now() >= self._requests_at
        return is_command_due or bool(self._schedule.due_departures()) or is_poll_due

    def _read_requests(self) -> None:
        """Process the commands that are due, and read the requested run."""
        self._clocks.commit(self._schedule)
        self._command_tick = process_due_commands(self._processing)
        if self._run.read(self._schedule):
            self._failures.clear()
        if self._schedule.turns_in_work:
            self._executor.resubmit_lapsed()
        self._requests_at = self._now() + self._options.requests_poll_seconds

    # --- 3. Rest ------------------------------------------------------------------------------

    def _comes_to_rest(self) -> bool:
        """Return whether nothing is left to do; the row is then paused."""
        run, schedule = self._run, self._schedule
        if run.is_paused:
            return not run.is_preparing(schedule) and self._is_drained()
        run.limit_pausing(schedule)
        if not run.has_reached_end(schedule):
            return False
        self._clocks.commit(schedule)
        if not run.finish():
            self._requests_at = self._now()
            return False
        # Seed memories are formed within tick 0, which always counts as committed.
        return self._is_drained()

    def _is_drained(self) -> bool:
        """Return whether no turn of a paused simulation is in work, or the wait is over."""
        for turn in self._executor.withdraw():
            if self._schedule.is_in_work(turn):
                self._schedule.discard(turn)
        if self._schedule.turns_in_work and not self._run.is_drain_over():
            return False
        self._clocks.commit(self._schedule)
        self._run.end_preparation()
        return True

    # --- 4. Ready turns -----------------------------------------------------------------------

    def _submit_ready(self) -> float:
        """Submit the turns that are ready; return the seconds to the next step."""
        run, schedule = self._run, self._schedule
        paced_tick = run.paced_tick(schedule)
        last_tick = run.last_tick(command_tick=self._command_tick, paced_tick=paced_tick)
        for turn in schedule.advance(last_tick):
            self._executor.submit(turn)
        if self._needs_requests():
            return 0.0
        # The agent that is farthest behind waits for no other agent.
        assert schedule.turns_in_work or schedule.committed_tick >= last_tick, "a deadlock"
        if self._clocks.has_changes(schedule) and self._seconds_to_commit() <= 0:
            self._clocks.commit(schedule)
        if not run.is_paused and run.has_reached_end(schedule):
            return 0.0
        is_paced = last_tick == paced_tick
        return max(0.0, self._seconds_to_next_step(last_tick if is_paced else None))

    def _seconds_to_next_step(self, paced_tick: int | None) -> float:
        """Return the seconds until something is due that comes without a notification.

        :param paced_tick: the last tick that is due, if only the pace holds the agents back.
        """
        seconds = self._requests_at - self._now()
        if self._clocks.has_changes(self._schedule):
            seconds = min(seconds, self._seconds_to_commit())
        if paced_tick is not None:
            # Ticks without a turn are committed together, about once a second.
            next_tick = self._run.pace.seconds_until(paced_tick + 1)
            seconds = min(seconds, max(next_tick, self._seconds_to_commit()))
            check = self._schedule.next_check(paced_tick)
            if check is not None:
                seconds = min(seconds, self._run.pace.seconds_until(check))
        return seconds

    def _seconds_to_commit(self) -> float:
        return self._clocks.seconds_to_commit(is_paced=self._run.row.pace is not None)
