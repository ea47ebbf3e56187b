"""The first night of a simulation: run in a thread of `manage.py serve`, with its progress.

The web server and the workers start at the same time, so that agents move when the page opens.
"""

import threading
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.db import OperationalError, connection
from tqdm import tqdm

from apps import wiring
from apps.kernel.game_time import GameCalendar
from apps.simulation import queries
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.ports import constants_of
from apps.simulation.queries import LeaseLost
from apps.simulation.turn.preparation import Preparation, is_local

STOP_SECONDS = 10.0

logger = structlog.get_logger(__name__)


class _Stopped(Exception):
    """The run is interrupted, because the service stops."""


class FirstNight:
    """Runs one simulation under a lease of its own until it rests, or until it is stopped.

    Whatever ends it early, the lease is given back or lapses, and the service's other processes
    continue the run.
    """

    def __init__(self, simulation_id: UUID) -> None:
        self.holder = f"first night {uuid4().hex}"
        self._simulation_id = simulation_id
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="first night", daemon=True)

    def can_run_here(self) -> bool:
        """Return whether the models answer within this process, which needs no worker then."""
        ports = wiring.ports()
        constants = constants_of(self._simulation_id, ports.worlds_root)
        return is_local(
            ports.open_models(queries.model_of(self._simulation_id), constants.seed)
        )

    def start(self) -> None:
        """Begin; a run must have been requested with `holder` as the lease's holder."""
        if not self._thread.is_alive() and not self._stopping.is_set():
            self._thread = threading.Thread(target=self._run, name="first night", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End at the next tick that is settled, and wait for that within a bound."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        manner = RunOptions(holder=self.holder, on_progress=self._interrupt_when_stopping)
        try:
            run_until_rest(wiring.ports(), self._simulation_id, manner)
        except (_Stopped, LeaseLost):
            return
        except OperationalError as error:
            logger.warning("database went away in the first night", error=str(error))
        except Exception:
            # The scheduler meets the same error, and pauses the simulation with the reason.
            logger.exception("first night failed")
        finally:
            connection.close()

    def _interrupt_when_stopping(self, _settled: int) -> None:
        if self._stopping.is_set():
            raise _Stopped


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a simulation has come on the way to its first morning."""

    preparation: Preparation
    settled_tick: int
    morning_tick: int


class ProgressBar:
    """Shows at a terminal which phase of the start a simulation is in."""

    def __init__(self, calendar: GameCalendar) -> None:
        self._calendar = calendar
        self._bar: tqdm[Any] | None = None
        self._phase = ""

    def show(self, progress: Progress) -> None:
        """Show the seed memories while they are formed, then the night."""
        preparation = progress.preparation
        if preparation.ready < preparation.agents and progress.settled_tick == 0:
            phase = f"Forming the memories of {preparation.agents} agents"
            self._update(phase, preparation.ready, preparation.agents)
            return
        time = self._calendar.time_at(progress.settled_tick)
        self._update("The first night", progress.settled_tick, progress.morning_tick)
        if self._bar is not None:
            self._bar.set_postfix_str(f"{time:%H:%M}")

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _update(self, phase: str, done: int, total: int) -> None:
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
