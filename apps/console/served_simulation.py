"""The simulation of `manage.py serve`: a fast first night, then the paper's pace.

The night runs in a thread while the web server and the workers start, so that agents move when
the page opens.
"""

import threading
from contextlib import suppress
from datetime import datetime, time
from enum import Enum, auto
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.db import InterfaceError, OperationalError, connection
from tqdm import tqdm

from apps import wiring
from apps.kernel.game_time import GameCalendar
from apps.simulation import queries
from apps.simulation.commands.embodiments import NeedsPace
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import CannotRun, SimulationSpec
from apps.simulation.models import SimulationRow, Status
from apps.simulation.ports import constants_of
from apps.simulation.queries import LeaseLost
from apps.simulation.turn.preparation import is_local, preparations_of

STOP_SECONDS = 10.0

logger = structlog.get_logger(__name__)


class _Stopped(Exception):
    """The run is interrupted, because the service stops."""


class FirstNight:
    """Runs one simulation under a lease of its own until it rests, or until it is stopped.

    If it ends early, the lease is released or lapses, and the service's other processes
    continue the run.
    """

    def __init__(self, simulation_id: UUID) -> None:
        self.holder = f"first night {uuid4().hex}"
        self._simulation_id = simulation_id
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def can_run_here(self) -> bool:
        """Return whether the models answer within this process, which needs no worker then."""
        ports = wiring.ports()
        constants = constants_of(self._simulation_id, ports.worlds)
        return is_local(
            ports.open_models(queries.model_of(self._simulation_id), constants.seed)
        )

    def start(self) -> None:
        """Start the run, which must have been requested with `holder` as the lease's holder."""
        is_running = self._thread is not None and self._thread.is_alive()
        if not is_running and not self._stopping.is_set():
            self._thread = threading.Thread(target=self._run, name="first night", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop at the next committed tick, and wait for that at most STOP_SECONDS."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        options = RunOptions(holder=self.holder, on_progress=self._interrupt_when_stopping)
        try:
            run_until_rest(wiring.ports(), self._simulation_id, options)
        except (_Stopped, LeaseLost):
            return
        except OperationalError as error:
            logger.warning("database unavailable in the first night", error=str(error))
        except Exception:
            # The scheduler gets the same error, and pauses the simulation with the reason.
            logger.exception("first night failed")
        finally:
            connection.close()

    def _interrupt_when_stopping(self, _committed_tick: int) -> None:
        if self._stopping.is_set():
            raise _Stopped


class ProgressBar:
    """A bar at the terminal that shows one phase at a time."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None
        self._phase = ""

    def show(self, phase: str, done: int, total: int, detail: str = "") -> None:
        """Show the progress of the phase; a new phase gets a new bar."""
        if self._bar is None or phase != self._phase:
            self.close()
            self._phase = phase
            self._bar = tqdm(
                total=total,
                desc=phase,
                bar_format="{desc} {percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} {postfix}",
                disable=None,
                leave=False,
            )
        self._bar.update(done - self._bar.n)
        self._bar.set_postfix_str(detail)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


SIMULATION_NAME = "smallville"
WORLD = "smallville"
SEED = 1
MORNING = time(6, 55)
"""The end of the first night; agents begin to wake at about this time."""
PAPER_PACE = 60.0
"""Game seconds per real second: a game minute each second, as in the paper's demonstration."""


class StartStep(Enum):
    """The next run of the simulation."""

    NIGHT = auto()  # to the first morning as fast as possible
    DAY = auto()  # at the paper's pace
    RESUME = auto()  # as before, with the pace counted from now
    NONE = auto()  # no new run


def morning_tick(calendar: GameCalendar) -> int:
    """Return the tick of 06:55 of the first day, 0 if the simulation starts later."""
    return max(0, calendar.tick_at(datetime.combine(calendar.start.date(), MORNING)))


def next_step(row: SimulationRow, morning: int) -> StartStep:
    """Return the next run at the start of the service, or after the first night.

    Requests of users are not overridden: only a simulation without any request, or one in its
    first night, gets a new run.
    """
    night_is_over = row.committed_tick >= morning
    if row.status != Status.PAUSED:
        if not night_is_over and row.until_tick == morning:
            return StartStep.NIGHT
        return StartStep.NONE if row.pace is None else StartStep.RESUME
    if row.committed_tick == 0 and row.until_tick is None:
        return StartStep.DAY if night_is_over else StartStep.NIGHT
    is_at_morning = row.committed_tick == row.until_tick == morning
    return StartStep.DAY if is_at_morning else StartStep.NONE


class ServedSimulation:
    """Requests the runs of one simulation, and follows its first night."""

    def __init__(self, simulation_id: UUID) -> None:
        self._simulation_id = simulation_id
        self.calendar: GameCalendar = queries.calendar_of(simulation_id)
        self.morning_tick = morning_tick(self.calendar)
        self.committed_tick = queries.get_simulation(simulation_id).committed_tick
        self.preparation = preparations_of([simulation_id])[simulation_id]
        self.is_in_first_night = False
        self.night = FirstNight(simulation_id)

    def start(self) -> StartStep:
        """Request the next run; return which one it is."""
        row = queries.get_simulation(self._simulation_id)
        self.committed_tick = row.committed_tick
        step = next_step(row, self.morning_tick)
        self.is_in_first_night = step is StartStep.NIGHT
        match step:
            case StartStep.NIGHT:
                self._run_first_night()
            case StartStep.DAY:
                lifecycle.request_run(row.pk, pace=PAPER_PACE)
            case StartStep.RESUME:
                with suppress(CannotRun):  # it is at the end of its run
                    lifecycle.request_run(row.pk, until_tick=row.until_tick, pace=row.pace)
        return step

    def poll_first_night(self) -> StartStep | None:
        """Read the progress of the first night; at its end, request the next run.

        :returns: the next run, None during the night, and while the database does not answer.
        """
        if not self.is_in_first_night:
            return None
        try:
            row = queries.get_simulation(self._simulation_id)
            self.committed_tick = row.committed_tick
            if row.committed_tick == 0:
                self.preparation = preparations_of([row.pk])[row.pk]
            if row.status != Status.PAUSED and row.until_tick == self.morning_tick:
                return None
            return self.start()
        except (InterfaceError, OperationalError):
            return None
        finally:
            connection.close()

    def describe(self) -> str:
        """Return the game time and the status."""
        status = ""
        try:
            row = queries.get_simulation(self._simulation_id)
            self.committed_tick = row.committed_tick
            is_paused = row.status == Status.PAUSED
            status = f" ({f'paused: {row.reason}' if is_paused else row.status})"
        except (InterfaceError, OperationalError):
            pass  # the database stops: the last known time is enough
        finally:
            connection.close()
        return f"{self.calendar.time_at(self.committed_tick):%A, %d %B %Y, %H:%M}{status}"

    def _run_first_night(self) -> None:
        """Run to the morning as fast as possible, or at the paper's pace if a user takes part.

        With a model of this process, the night runs here and needs no worker.
        """
        is_local = self.night.can_run_here()
        holder = self.night.holder if is_local else ""
        until = self.morning_tick
        try:
            lifecycle.request_run(self._simulation_id, until_tick=until, holder=holder)
        except NeedsPace:
            lifecycle.request_run(self._simulation_id, until_tick=until, pace=PAPER_PACE)
        else:
            if is_local:
                self.night.start()


def ensure_simulation(owner_id: int) -> UUID:
    """Return the served simulation, which is created if the owner has none of its name."""
    known = SimulationRow.objects.filter(name=SIMULATION_NAME, owner_id=owner_id)
    row = known.order_by("created_at").first()
    if row is None:
        founding = SimulationSpec(name=SIMULATION_NAME, world=WORLD, seed=SEED)
        row = lifecycle.create_simulation(wiring.ports(), founding, owner_id=owner_id)
    return row.pk
