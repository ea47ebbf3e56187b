"""`manage.py serve`, which is `make run`: Smallville alive on this machine, in one command."""

import http.client
import os
import secrets
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from tqdm import tqdm

from apps.access import commands as access_commands
from apps.access import queries as access_queries
from apps.console.first_morning import Step
from apps.console.first_night import ProgressBar
from apps.console.supervision import Program, Supervisor
from apps.console.town_keeping import TownKeeper, ensure_town
from apps.django_support.schema_version import ensure_schema_is_not_newer
from apps.embedded_postgres import locks
from apps.embedded_postgres.home import kept_secret, prepare_home_folder, write_private
from apps.embedded_postgres.log_interval import LogInterval
from apps.embedded_postgres.private_files import PRIVATE_UMASK
from apps.embedded_postgres.provide import ensure_running
from apps.embedded_postgres.server import HOST, is_free
from apps.kernel.errors import DomainError
from apps.metrics.directory import remove_shared_metrics, share_metrics

ADMINISTRATOR = "admin"
PORT_DEFAULT = "8000"
PORT_MAX = 65_535
PORT_PATIENCE_SECONDS = 5.0
"""The processes of a run that was killed need a moment to see that it is gone."""
ANSWER_PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.2
NIGHT_LOOK_SECONDS = 0.5


class PortUnusable(DomainError):
    """The port cannot be served on."""

    code: ClassVar[str] = "port-unusable"


class AlreadyServing(DomainError):
    """Another process serves this SMALLVILLE_HOME."""

    code: ClassVar[str] = "already-serving"


class Command(BaseCommand):
    help = (
        "Serve Smallville on 127.0.0.1:$PORT: database, town, web, scheduler, worker and beat."
    )
    requires_system_checks = ()  # for developers, who have `manage.py check`

    _told_to_end = False
    _bar: ProgressBar | None = None
    _looked_at = 0.0
    _database_reports = LogInterval()

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._end)
        os.umask(PRIVATE_UMASK)  # for the files of all processes that are started below, too
        try:
            place = take_place(settings.SMALLVILLE_HOME)
            port = free_port(os.environ.get("PORT") or PORT_DEFAULT)
            self._serve(port)
            os.close(place)
        except DomainError as refusal:
            self.stderr.write(refusal.message)
            raise SystemExit(1) from None

    def _serve(self, port: int) -> None:
        home: Path = settings.SMALLVILLE_HOME
        self._say(f"Smallville is starting; its data is in {home}.")
        ensure_schema_is_not_newer()
        call_command("migrate", interactive=False, verbosity=0)
        share_metrics(os.getpid())
        supervisor = Supervisor(
            programs(port),
            folder=settings.BASE_DIR,
            logs=home / "logs",
            announce=self._say,
        )
        # They take seconds to start; the simulation runs in the meantime.
        supervisor.look_after()
        keeper = None
        try:
            password = kept_secret(home / "admin_password", lambda: secrets.token_urlsafe(12))
            administrator = access_commands.ensure_administrator(ADMINISTRATOR, password)
            token = kept_token(home, administrator)
            simulation = ensure_town(administrator.pk)
            write_private(home / "simulation", str(simulation))
            keeper = TownKeeper(simulation)
            self._bar = ProgressBar(keeper.calendar)
            self._tell(keeper.begin(), keeper)
            self._wait_for_answer(supervisor, keeper, port)
            if not self._told_to_end:
                self._greet(port, token, home, str(simulation))
                self._look_after(supervisor, keeper)
        finally:
            self._close_bar()
            self._say("Stopping.")
            if keeper is not None:
                keeper.night.stop()
            supervisor.stop()
            remove_shared_metrics(os.getpid())
        self._say(f"Stopped at {keeper.where()}. Run it again and it goes on from there.")

    def _wait_for_answer(self, supervisor: Supervisor, keeper: TownKeeper, port: int) -> None:
        deadline = time.monotonic() + ANSWER_PATIENCE_SECONDS
        while not self._told_to_end and time.monotonic() < deadline:
            supervisor.look_after()
            if answers(port):
                return
            self._look_at_night(keeper)
            time.sleep(LOOK_SECONDS)

    def _look_after(self, supervisor: Supervisor, keeper: TownKeeper) -> None:
        while not self._told_to_end:
            supervisor.look_after()
            self._look_after_database(supervisor)
            self._look_at_night(keeper)
            time.sleep(LOOK_SECONDS)

    def _look_after_database(self, supervisor: Supervisor) -> None:
        """Bring the embedded server back; should it have had to move, begin again with it."""
        if not settings.EMBEDDED:
            return
        try:
            url = ensure_running(settings.SMALLVILLE_HOME)
        except DomainError as refusal:
            if self._database_reports.is_due():
                self._say(f"The database is gone and does not come back yet. {refusal.message}")
            return
        self._database_reports.reset()
        if url != os.environ["DATABASE_URL"]:
            self._say("The database has moved to another port; starting again.")
            supervisor.stop()
            os.environ["DATABASE_URL"] = url
            os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606

    def _look_at_night(self, keeper: TownKeeper) -> None:
        if not keeper.night_is_on or time.monotonic() - self._looked_at < NIGHT_LOOK_SECONDS:
            return
        self._looked_at = time.monotonic()
        step = keeper.look()
        if self._bar is not None:
            self._bar.show(keeper.progress())
        if step is not None:
            self._close_bar()
            self._tell(step, keeper)

    def _tell(self, step: Step, keeper: TownKeeper) -> None:
        """Say what was asked of the town."""
        match step:
            case Step.NIGHT:
                self._say(
                    "The first night runs as fast as possible, until 06:55; the agents get up "
                    "from 04:00 on."
                )
            case Step.DAY:
                self._say("It is morning. From now on a game minute takes a second.")
            case Step.RESUME:
                self._say(f"The simulation continues from {keeper.where()}.")
            case Step.LEAVE:
                self._say(
                    f"The simulation stays as it is: {keeper.where()}. "
                    "POST /api/v1/simulations/ID/run runs it."
                )

    def _greet(self, port: int, token: str, home: Path, town: str) -> None:
        address = f"http://{HOST}:{port}"
        self._say(
            f"Smallville is served at {address}\n"
            f"  open            {address}/#token={token}&simulation={town}\n"
            f"  the API         {address}/api/v1/docs\n"
            f"  the simulation  {town} (also in {home / 'simulation'})\n"
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

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._told_to_end = True


def take_place(home: Path) -> int:
    """Return the lock that says that this process serves a home.

    :raises AlreadyServing: if another process holds it.
    :raises FolderOfAnotherUser: if the home is another user's.
    """
    prepare_home_folder(home)
    descriptor = locks.open_lock(home / "serve.lock")
    if not locks.try_exclusive(descriptor):
        raise AlreadyServing(
            f"Smallville is being served from {home} already: stop that, "
            "or set SMALLVILLE_HOME and PORT for a second one."
        )
    return descriptor


def free_port(asked: str) -> int:
    """Return the port to serve on.

    :raises PortUnusable: if it is no port, or somebody listens there.
    """
    if not (asked.isdecimal() and 0 < int(asked) <= PORT_MAX):
        raise PortUnusable(f"PORT is {asked!r}: set it to a number from 1 to {PORT_MAX}.")
    port = int(asked)
    deadline = time.monotonic() + PORT_PATIENCE_SECONDS
    while not is_free(port):
        if time.monotonic() > deadline:
            raise PortUnusable(
                f"Port {port} of {HOST} is in use: stop what listens there, "
                "or choose another, as in PORT=8001 make run."
            )
        time.sleep(LOOK_SECONDS)
    return port


def answers(port: int) -> bool:
    """Say whether a web server answers at a port, whatever it says."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/health")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def kept_token(home: Path, administrator: Any) -> str:
    """Return the token kept in a home if it is good, else a new one, kept from now on."""
    path = home / "token"
    if path.exists():
        token = path.read_text().strip()
        if access_queries.user_of(token) == administrator:
            return token
    token = access_commands.issue_token(administrator, "make run")
    write_private(path, token)
    return token


def programs(port: int) -> list[Program]:
    """Return the processes that serve a town. Names are fixed: brokers keep queues by them."""
    celery = ("-m", "celery", "--app", "smallville_api")
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return [
        Program("web", ("-m", "smallville_api.web", "--host", HOST, "--port", str(port))),
        Program(
            "worker",
            (*celery, "worker", "--pool", "threads", "--hostname", "worker@smallville", *quiet),
        ),
        Program("scheduler", ("manage.py", "schedule")),
        Program("beat", (*celery, "beat", "--pidfile=")),
    ]
