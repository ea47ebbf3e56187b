"""The PostgreSQL of one home: its data folder, its start, its end."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from apps.embedded_postgres import identity
from apps.embedded_postgres.binaries import POSTGRES_MAJOR, Binaries
from apps.embedded_postgres.errors import (
    DataFolderNotWritable,
    NoFreePort,
    PostgresDidNotStart,
    PostgresOfAnotherVersion,
)
from apps.embedded_postgres.home import Home, kept_secret, write_private

ROLE = "smallville"
HOST = "127.0.0.1"
PORTS = range(20_000, 32_000)
"""Below the range from which kernels take the ports of outgoing connections."""
PORT_TRIES_MAX = 100
CLEAN_STOP_SECONDS = 30.0
RECOVERY_SECONDS_MAX = 300.0
STATUS_LINE = 7
"""Of postmaster.pid, counted from 0: what the server says of itself."""

# Small in memory, durable on disk: what a laptop's town needs. Commits wait for the disk.
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
    """One PostgreSQL, a child of this process."""

    def __init__(self, home: Home, binaries: Binaries) -> None:
        """Nothing is started yet.

        :raises DataFolderNotWritable: if PostgreSQL's user could not come to its files.
        """
        self._home = home
        self._binaries = binaries
        self._way = identity.way_to_run(home.data)
        identity.let_runner_through((home.folder, home.postgres), self._way)
        self._refuse_closed_folders()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start PostgreSQL and return when it takes connections.

        :raises NoFreePort: if no port can be had.
        :raises PostgresDidNotStart: if it ended before it was ready.
        """
        end_remains(self._home.data)
        self._prepare_data()
        port = choose_port(self._home)
        program: list[Path | str] = [self._binaries.postgres, "-D", self._home.data]
        program += ["-p", str(port)]
        for name, value in SETTINGS.items():
            program += ["-c", f"{name}={value}"]
        with self._home.server_log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                identity.command_for(self._way, program, parent=os.getpid()),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._wait_until_ready(self._process)

    def has_ended(self, *, within_seconds: float) -> bool:
        """Say whether PostgreSQL has ended, waiting for that at most so long."""
        if self._process is None:
            return True
        try:
            self._process.wait(timeout=within_seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """End PostgreSQL: cleanly if it can, at once if not. What was committed stays."""
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if self.has_ended(within_seconds=0):
                return
            if self._process is not None:
                self._process.send_signal(how)
            if self.has_ended(within_seconds=CLEAN_STOP_SECONDS):
                return

    def _refuse_closed_folders(self) -> None:
        for path in (self._home.data, self._binaries.postgres):
            closed = identity.closed_folder(path, self._way)
            if closed is not None:
                raise DataFolderNotWritable(
                    "PostgreSQL does not run as root, this machine has no user namespaces, and "
                    f"other users may not enter {closed}: run as an ordinary user, or move "
                    f"{path} to a folder that everybody may enter."
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
            f"{last_words(self._home.server_log)}"
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
        if self._way == identity.PLAIN and owner != os.geteuid():
            raise DataFolderNotWritable(
                f"The data folder {self._home.data} belongs to user {owner}: "
                "run as that user, or set SMALLVILLE_HOME to a folder of your own."
            )

    def _create_data(self) -> None:
        """Create the cluster beside its place and move it there whole."""
        draft = self._home.postgres / "data.draft"
        words = self._home.postgres / "password.draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        write_private(words, kept_secret(self._home.password))
        for given in (draft, words):
            identity.give_to_runner(given, self._way)
        program: list[Path | str] = [self._binaries.initdb, "-D", draft, "-U", ROLE]
        program += ["-A", "scram-sha-256", f"--pwfile={words}", "--no-locale", "-E", "UTF8"]
        made = subprocess.run(  # noqa: S603
            identity.command_for(
                self._way, [*program, "--no-instructions"], parent=os.getpid()
            ),
            check=False,
            capture_output=True,
            text=True,
        )
        words.unlink()
        if made.returncode != 0:
            raise PostgresDidNotStart(
                f"The database folder {self._home.data} could not be made: "
                f"{' '.join(made.stderr.split()) or made.returncode}"
            )
        draft.rename(self._home.data)


def choose_port(home: Home) -> int:
    """Return the port kept for this home, or another if that is taken; it is kept from now on.

    :raises NoFreePort: if none can be had.
    """
    if home.port.exists() and home.port.read_text().strip().isdigit():
        kept = int(home.port.read_text())
        if is_free(kept):
            return kept
    for _ in range(PORT_TRIES_MAX):
        port = secrets.choice(PORTS)
        if is_free(port):
            write_private(home.port, str(port))
            return port
    raise NoFreePort(
        f"No port of {HOST} between {PORTS.start} and {PORTS.stop} is free: end what takes "
        "them, or set DATABASE_URL to a PostgreSQL that runs already."
    )


def is_free(port: int) -> bool:
    """Say whether a server could listen at a port of the loopback interface."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
            tried.listen(1)
        except OSError:
            return False
    return True


def postmaster_lines(data: Path) -> list[str]:
    """Return the lines of the file in which a running server describes itself."""
    try:
        return (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return []


def is_ready(process: int, data: Path) -> bool:
    """Say whether the server that is this process takes connections."""
    lines = postmaster_lines(data)
    if len(lines) <= STATUS_LINE or lines[0] != str(process):
        return False
    return lines[STATUS_LINE].startswith("ready")


def end_remains(data: Path) -> None:
    """See a server of an earlier keeper off, so that the next one can start.

    Its keeper is gone, so it has been told to end and needs only time. A process id that has
    been given to somebody else meanwhile (after a reboot) is forgotten.
    """
    for how in (None, signal.SIGQUIT, signal.SIGKILL):
        lines = postmaster_lines(data)
        if not lines:
            return
        process = int(lines[0])
        if not serves(process, data):
            (data / "postmaster.pid").unlink(missing_ok=True)
            return
        if how is not None:
            os.kill(process, how)
        deadline = time.monotonic() + CLEAN_STOP_SECONDS
        while serves(process, data) and time.monotonic() < deadline:
            time.sleep(0.02)


def serves(process: int, data: Path) -> bool:
    """Say whether a process is alive and is a PostgreSQL on this data folder."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return str(data).encode() in words


def last_words(log: Path) -> str:
    """Return the last complaint of a log, on one line."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    complaints = [
        line for line in lines if "FATAL" in line or "PANIC" in line or "rror" in line
    ]
    return (complaints or lines or ["nothing"])[-1].strip()
