"""`manage.py schedule`: a scheduler process; any number of them may run."""

import signal
from functools import partial
from types import FrameType
from typing import Any
from uuid import UUID

from apps import wiring
from apps.django_support.broker_check import ensure_broker_usable
from apps.django_support.service_command import ServiceCommand
from apps.metrics.exposition import start_metrics
from apps.simulation.engine.scheduler import SchedulerOptions, SimulationScheduler
from apps.simulation.engine.turn_claims import process_name
from apps.worker.scheduling import Listener, SchedulerProcess
from apps.worker.stepping import EnsureLease
from apps.worker.tasks import wake_worker
from apps.worker.turns import CeleryExecutor


class Command(ServiceCommand):
    """Submit the turns that are ready to the workers."""

    help = "Schedule the simulations that run. Any number of these processes may run."

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        """Run until SIGTERM or SIGINT."""
        ensure_broker_usable()
        start_metrics("scheduler")
        process = SchedulerProcess(process_name(), open_scheduler)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, partial(_stop, process))
        listener = Listener(process.notify, process.resync)
        listener.start()
        try:
            process.run()
        finally:
            listener.stop()


def open_scheduler(simulation_id: UUID, ensure_lease: EnsureLease) -> SimulationScheduler:
    """Return the scheduler of a simulation whose turns Celery workers execute."""
    return SimulationScheduler(
        wiring.ports(),
        simulation_id,
        executor=CeleryExecutor(simulation_id, wake_worker),
        options=SchedulerOptions(ensure_lease=ensure_lease),
    )


def _stop(process: SchedulerProcess, _number: int, _frame: FrameType | None) -> None:
    process.stop()
