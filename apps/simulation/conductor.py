"""Drives a simulation: says whose turn is due and free, and when the simulation rests.

It works under a lease that another conductor takes over when it lapses. Everything it has in
mind it can read again from the rows: kill it at any moment and the next one goes on.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.eventlog.store import AlreadyWritten
from apps.kernel.errors import Refusal
from apps.simulation import calling, residency
from apps.simulation.accepting import Acceptance
from apps.simulation.bell import ring_followers
from apps.simulation.commands import stop_at_once
from apps.simulation.dispatch import Dispatcher, DueTurn, Finished, reason_of
from apps.simulation.gate import DistanceGate, Gate, LockStepGate
from apps.simulation.lease import LEASE_SECONDS, Lease
from apps.simulation.models import ClockRow, SimulationRow, Status
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.queries import get_simulation, paced_tick
from apps.simulation.score import Score

ORDERS_SECONDS = 0.25
WAIT_SECONDS = 0.1
ATTEMPTS_MAX = 5
END_OF_TIME = 2**31 - 2

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conducting:
    """How a conductor works: who it is, whether in lock-step, who watches, when to stop.

    `watch` is told the settled tick as it moves; `stop` is asked often.
    """

    holder: str
    lock_step: bool = False
    watch: Callable[[int], None] = lambda _settled: None
    stop: Callable[[], bool] = lambda: False


class Conductor:
    """One simulation's conductor, for as long as it holds the lease."""

    def __init__(
        self,
        ports: Ports,
        simulation_id: UUID,
        *,
        dispatcher: Dispatcher,
        conducting: Conducting,
    ) -> None:
        """Prepare; nothing is read before `conduct`."""
        self._ports = ports
        self._simulation_id = simulation_id
        self._constants = constants_of(simulation_id, ports.worlds_root)
        self._acceptance = Acceptance(ports, simulation_id, self._constants)
        self._dispatcher = dispatcher
        self._conducting = conducting
        self._gate = _gate(self._constants, lock_step=conducting.lock_step)
        self._failures: Counter[DueTurn] = Counter()
        self._kept: dict[str, int] = {}
        self._scheduled: int | None = None

    def conduct(self, *, seconds: float | None = None) -> bool:
        """Work until the simulation rests or the time is over; return whether it rests.

        :raises LeaseLost: if another conductor works on the simulation.
        """
        with Lease(self._simulation_id, self._conducting.holder) as lease:
            return self._conduct_under(lease, seconds)

    def _conduct_under(self, lease: Lease, seconds: float | None) -> bool:
        stops_at = None if seconds is None else time.monotonic() + seconds
        # First who is at work, then the clocks: whoever comes back in between is ahead of both.
        handed_out = self._dispatcher.start()
        score = Score(self._constants, self._gate)
        for turn in handed_out:
            score.resume(turn)
        calling.tell_outcomes(self._simulation_id)
        try:
            while True:
                lease.refuse_lost()
                row = self._orders(score)
                if self._rests(row, score):
                    return True
                if self._conducting.stop() or (stops_at and time.monotonic() > stops_at):
                    return False
                self._work_for(score, row)
        finally:
            if not lease.is_lost:
                self._keep(score)

    def _work_for(self, score: Score, row: SimulationRow) -> None:
        """Hand out and take back turns until it is time to look at the orders again."""
        until = time.monotonic() + ORDERS_SECONDS
        while time.monotonic() < until:
            last_tick = self._last_tick(row)
            for turn in score.advance(last_tick):
                self._dispatcher.hand_out(turn)
            back = self._dispatcher.finished(WAIT_SECONDS if score.in_work else 0.0)
            # All of them, whatever one says: who is not taken back counts as in work.
            said = [self._take_back(score, finished) for finished in back]
            if not all(said):
                return
            if score.departing():
                return
            if not score.in_work and not back:
                # Whoever is farthest behind can always go on, so all have come to the end;
                # only the real clock or a new order can make another tick due.
                assert score.settled >= last_tick, "somebody can always go on"
                time.sleep(self._nap(row))
                return

    def _take_back(self, score: Score, finished: Finished) -> bool:
        """Take in a turn that came back; return whether to go on handing out turns."""
        if not score.is_awaited(finished.turn):
            return True
        error = finished.error
        if error is None or isinstance(error, AlreadyWritten):
            self._failures.pop(finished.turn, None)
            self._take_in(score, finished.turn)
            return True
        score.drop(finished.turn)
        return self._after_failure(finished, error)

    def _take_in(self, score: Score, turn: DueTurn) -> None:
        """Take in a turn that was written, and what came of what a user asked for it."""
        is_users = turn.agent in score.users
        score.take_in(turn)
        if is_users:
            calling.tell_outcomes(self._simulation_id)
        if score.has_gone(turn.agent):
            residency.forget_clock(self._simulation_id, turn.agent)
            score.see_off(turn.agent)

    def _after_failure(self, finished: Finished, error: Exception) -> bool:
        """Try the turn again, or pause with the reason when that is no use."""
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
        if not isinstance(error, Refusal) and attempts < ATTEMPTS_MAX:
            return True
        stop_at_once(self._simulation_id, reason=reason_of(turn, error))
        return False

    # --- What is asked of the simulation -----------------------------------------------------

    def _orders(self, score: Score) -> SimulationRow:
        """Keep what is known, carry out what is asked of people, look at what is asked now."""
        self._keep(score)
        self._scheduled = self._acceptance.accept_due(score)
        return get_simulation(self._simulation_id)

    def _rests(self, row: SimulationRow, score: Score) -> bool:
        """Whether there is nothing more to do, having said so in the row."""
        if row.status == Status.PAUSED:
            self._drain(score)
            return True
        if row.status == Status.PAUSING and row.until_tick != score.farthest:
            # Whoever is behind comes up to whoever is ahead, and no farther.
            end = score.farthest
            _rows(row).filter(status=Status.PAUSING).update(until_tick=end, pace=None)
            row.until_tick = end
        if row.until_tick is None or score.settled < row.until_tick:
            return False
        reason = row.reason if row.status == Status.PAUSING else "reached the end asked for"
        self._keep(score)
        # A later `run` may have been asked for meanwhile: then there is more to do.
        rested = _rows(row).filter(until_tick=row.until_tick, status=row.status)
        rests = bool(rested.update(status=Status.PAUSED, reason=reason))
        ring_followers(self._simulation_id)
        return rests

    def _drain(self, score: Score) -> None:
        """Take back the turns in work of a simulation that was paused for a reason."""
        ends_at = time.monotonic() + LEASE_SECONDS
        while score.in_work and time.monotonic() < ends_at:
            for finished in self._dispatcher.finished(WAIT_SECONDS):
                if not score.is_awaited(finished.turn):
                    continue
                if finished.error is None:
                    self._take_in(score, finished.turn)
                else:
                    score.drop(finished.turn)

    def _last_tick(self, row: SimulationRow) -> int:
        """Return the last tick that may settle now: the end asked for, or the pace's."""
        paced = paced_tick(row, self._constants.calendar.tick_seconds, timezone.now())
        # Nobody passes the tick that a command is for before it is accepted.
        held = None if self._scheduled is None else self._scheduled - 1
        ends = [tick for tick in (row.until_tick, paced, held) if tick is not None]
        return min(ends, default=END_OF_TIME)

    def _nap(self, row: SimulationRow) -> float:
        if row.pace is None:
            return 0.0
        return min(ORDERS_SECONDS, self._constants.calendar.tick_seconds / row.pace)

    # --- Clocks ------------------------------------------------------------------------------

    def _keep(self, score: Score) -> None:
        """Keep the clocks that have moved, and what is settled, for readers and successors."""
        clocks = score.clocks
        moved = {
            agent: clock for agent, clock in clocks.items() if self._kept.get(agent) != clock
        }
        if not moved:
            return
        with transaction.atomic():
            ClockRow.objects.bulk_create(
                (
                    ClockRow(simulation_id=self._simulation_id, agent=agent, clock=clock)
                    for agent, clock in moved.items()
                ),
                update_conflicts=True,
                unique_fields=["simulation_id", "agent"],
                update_fields=["clock"],
            )
            settled = SimulationRow.objects.filter(
                pk=self._simulation_id, settled_tick__lt=score.settled
            )
            if settled.update(settled_tick=score.settled):
                ring_followers(self._simulation_id)
        self._kept = clocks
        self._conducting.watch(score.settled)


def _rows(row: SimulationRow) -> QuerySet[SimulationRow]:
    return SimulationRow.objects.filter(pk=row.pk)


def _gate(constants: Constants, *, lock_step: bool) -> Gate:
    if lock_step:
        return LockStepGate()
    return DistanceGate(vision=constants.settings.vision, reach=constants.reach)
