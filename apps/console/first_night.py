"""The first night of a simulation, run in a thread of `manage.py serve`, with its progress.

The web server and the workers start at the same time, so that agents move when the page opens.
"""

import threading
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.db import OperationalError, connection
from tqdm import tqdm

from apps import wiring
from apps.simulation import queries
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.ports import constants_of
from apps.simulation.queries import LeaseLost
from apps.simulation.turn.preparation import is_local

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
