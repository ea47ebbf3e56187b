"""`manage.py serve`, which is `make run`: the whole service on this machine in one command."""

import os
import secrets
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from tqdm import tqdm

from apps.access import commands as access_commands
from apps.console.served_simulation import (
    ProgressBar,
    ServedSimulation,
    StartStep,
    ensure_simulation,
)
from apps.console.supervision import (
    ADMINISTRATOR,
    Supervisor,
    acquire_serve_lock,
    answers,
    free_port,
    kept_token,
    programs,
)
from apps.django_support.broker_check import ensure_broker_usable
from apps.django_support.service_command import ServiceCommand
from apps.embedded_postgres.database import ensure_running
from apps.embedded_postgres.errors import LogInterval
from apps.embedded_postgres.home import HOST, kept_secret, write_private
from apps.embedded_postgres.locks import PRIVATE_UMASK
from apps.kernel.errors import DomainError
from apps.metrics.directory import remove_shared_metrics, share_metrics

PORT_DEFAULT = "8000"
START_SECONDS_MAX = 60.0
POLL_SECONDS = 0.2
NIGHT_POLL_SECONDS = 0.5


class Command(ServiceCommand):
    help = (
        "Serve Smallville on 127.0.0.1:$PORT: database, web, scheduler, worker, beat, and a "
        "simulation."
    )

    _is_stopping = False
    _polled_night_at = 0.0

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        os.umask(PRIVATE_UMASK)  # of the files of all child processes, too
        self._bar = ProgressBar()
        self._database_reports = LogInterval()
        ensure_broker_usable()
        lock = acquire_serve_lock(settings.SMALLVILLE_HOME)
        port = free_port(os.environ.get("PORT") or PORT_DEFAULT)
        self._serve(port)
        os.close(lock)

    def _serve(self, port: int) -> None:
        home: Path = settings.SMALLVILLE_HOME
        self._say(f"Smallville is starting; its data is in {home}.")
        share_metrics(os.getpid())
        supervisor = Supervisor(
            programs(port),
            folder=settings.BASE_DIR,
            logs=home / "logs",
            announce=self._say,
        )
        # They take seconds to start; the simulation runs in the meantime.
        supervisor.poll()
        simulation = None
        try:
            password = kept_secret(home / "admin_password", lambda: secrets.token_urlsafe(12))
            administrator = access_commands.ensure_administrator(ADMINISTRATOR, password)
            token = kept_token(home, administrator)
            simulation_id = ensure_simulation(administrator.pk)
            write_private(home / "simulation", str(simulation_id))
            write_private(home / "address", f"http://{HOST}:{port}")
            simulation = ServedSimulation(simulation_id)
            self._announce_step(simulation.start(), simulation)
            self._wait_for_answer(supervisor, simulation, port)
            if not self._is_stopping:
                self._greet(port, token, home, str(simulation_id))
            self._poll(supervisor, simulation)
        finally:
            self._bar.close()
            self._say("Stopping.")
            if simulation is not None:
                simulation.night.stop()
            supervisor.stop()
            remove_shared_metrics(os.getpid())
        self._say(f"Stopped at {simulation.describe()}. Run it again to continue from there.")

    def _poll(self, supervisor: Supervisor, simulation: ServedSimulation) -> None:
        while not self._is_stopping:
            supervisor.poll()
            self._poll_database(supervisor)
            self._poll_night(simulation)
            time.sleep(POLL_SECONDS)

    def _wait_for_answer(
        self, supervisor: Supervisor, simulation: ServedSimulation, port: int
    ) -> None:
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._is_stopping and time.monotonic() < deadline:
            supervisor.poll()
            if answers(port):
                return
            self._poll_night(simulation)
            time.sleep(POLL_SECONDS)

    def _poll_database(self, supervisor: Supervisor) -> None:
        """Restart the embedded server if it is gone, and the service if its port changed."""
        if not settings.EMBEDDED:
            return
        try:
            url = ensure_running(settings.SMALLVILLE_HOME)
        except DomainError as error:
            if self._database_reports.is_due():
                self._say(f"The database is gone and does not come back yet. {error.message}")
            return
        self._database_reports.reset()
        if url != os.environ["DATABASE_URL"]:
            self._say("The database has moved to another port; starting again.")
            supervisor.stop()
            os.environ["DATABASE_URL"] = url
            os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606

    def _poll_night(self, simulation: ServedSimulation) -> None:
        now = time.monotonic()
        if not simulation.is_in_first_night or now - self._polled_night_at < NIGHT_POLL_SECONDS:
            return
        self._polled_night_at = now
        step = simulation.poll_first_night()
        preparation, tick = simulation.preparation, simulation.committed_tick
        if preparation.ready < preparation.agents and tick == 0:
            phase = f"Forming the memories of {preparation.agents} agents"
            self._bar.show(phase, preparation.ready, preparation.agents)
        else:
            game_time = f"{simulation.calendar.time_at(tick):%H:%M}"
            self._bar.show("The first night", tick, simulation.morning_tick, game_time)
        if step is not None:
            self._bar.close()
            self._announce_step(step, simulation)

    def _announce_step(self, step: StartStep, simulation: ServedSimulation) -> None:
        match step:
            case StartStep.NIGHT:
                self._say(
                    "The first night runs as fast as possible, until 06:55; the agents get up "
                    "from 04:00 on."
                )
            case StartStep.DAY:
                self._say("It is morning. From now on a game minute takes a second.")
            case StartStep.RESUME:
                self._say(f"The simulation continues from {simulation.describe()}.")
            case StartStep.NONE:
                self._say(
                    f"The simulation stays as it is: {simulation.describe()}. "
                    "POST /api/v1/simulations/ID/run runs it."
                )

    def _greet(self, port: int, token: str, home: Path, simulation_id: str) -> None:
        address = f"http://{HOST}:{port}"
        self._say(
            f"Smallville is served at {address}\n"
            f"  open            {address}/#token={token}&simulation={simulation_id}\n"
            f"  the API         {address}/api/v1/docs\n"
            f"  the simulation  {simulation_id} (also in {home / 'simulation'})\n"
            f"  the token       {token} (also in {home / 'token'})\n"
            f"  the admin       {address}/admin/ as {ADMINISTRATOR}, "
            f"password in {home / 'admin_password'}\n"
            f"  the logs        {home / 'logs'}\n"
            "  Ctrl-C stops all of it."
        )

    def _say(self, text: str) -> None:
        """Write a line, above the progress bar if there is one."""
        tqdm.write(text, file=sys.stdout)
        sys.stdout.flush()

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._is_stopping = True
