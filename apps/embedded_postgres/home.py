"""The folder SMALLVILLE_HOME: its paths, permissions and secrets; the port of its server."""

import errno
import os
import pwd
import secrets
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from apps.embedded_postgres.errors import DataFolderNotWritable, FolderOfAnotherUser, NoFreePort
from apps.embedded_postgres.locks import (
    PRIVATE_FILE_MODE,
    create_private_folder,
    restrict_file,
    restrict_folder,
)

HOME_NAME = ".smallville"
KNOWN_NAMES = (
    "admin_password",
    "beat-schedule",
    "celerybeat",
    "logs",
    "postgres",
    "secret_key",
    "serve.lock",
    "simulation",
    "token",
    "worlds",
    *(".admin_password-", ".secret_key-", ".simulation-", ".token-"),
)
"""The beginnings of the names of an installation's files."""
DISK_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})


class Home:
    """The paths in one SMALLVILLE_HOME; `folder` is absolute."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().absolute()
        self.postgres = self.folder / "postgres"  # all files of the embedded PostgreSQL
        self.data = self.postgres / "data"  # PostgreSQL's data folder
        self.port = self.postgres / "port"  # stored, so that the server keeps its URL
        self.password = self.postgres / "password"  # of the database's only role
        self.server_log = self.postgres / "server.log"  # of PostgreSQL and its supervisor
        # Exclusive, held by the supervisor; the file has its process id.
        self.supervisor_lock = self.postgres / "keeper.lock"
        self.users_lock = self.postgres / "users.lock"  # shared, held by processes in use
        self.start_lock = self.postgres / "start.lock"  # exclusive, while a supervisor starts


def prepare_home(folder: Path) -> Home:
    """Return the home, created private to its owner if necessary, and checked for writing.

    :raises DataFolderNotWritable: if it is not.
    :raises FolderOfAnotherUser: if it does not belong to this user alone.
    """
    home = Home(folder)
    prepare_home_folder(home.folder)
    with _writable(home.folder):
        create_private_folder(home.postgres)
        restrict_home(home)
        try_writing(home.postgres)
    return home


def prepare_home_folder(folder: Path) -> None:
    """Create the folder of an installation, or check that it belongs to this user.

    :raises DataFolderNotWritable: if it cannot be created.
    :raises FolderOfAnotherUser: if it does not, or all users may write to it.
    """
    with _writable(folder):
        create_private_folder(folder)
        found = folder.stat()
        ensure_own(folder, found)
        if is_exclusive(folder):
            restrict_folder(folder)
        elif found.st_mode & stat.S_IWOTH:
            raise FolderOfAnotherUser(
                f"Every user may write to the data folder {folder}: set SMALLVILLE_HOME to a "
                "new folder inside it."
            )


def ensure_own(path: Path, found: os.stat_result) -> None:
    """Check that a file belongs to this user.

    :raises FolderOfAnotherUser: if it does not.
    """
    if found.st_uid != os.geteuid():
        raise FolderOfAnotherUser(
            f"{path} belongs to the user {user_name(found.st_uid)}: run as that user, change "
            "its owner, or set SMALLVILLE_HOME to a folder of your own."
        )


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataFolderNotWritable(
            f"The data folder {folder} cannot be written to "
            f"({error.strerror or error}): {_hint(error)}"
        ) from error


def is_exclusive(folder: Path) -> bool:
    """Return whether a folder has the files of an installation and no others.

    The mode of another folder, such as a user's home directory, is not changed.
    """
    if folder.name == HOME_NAME:
        return True
    return all(entry.name.startswith(KNOWN_NAMES) for entry in folder.iterdir())


def restrict_home(home: Home) -> None:
    """Remove the access of other users to what was copied or restored.

    :raises FolderOfAnotherUser: if a file belongs to another user.
    """
    for folder in (home.folder / "logs", home.postgres):
        if folder.is_dir():
            restrict_folder(folder)
    files = (*home.folder.iterdir(), *home.folder.glob("logs/*"), *home.postgres.iterdir())
    for path in files:
        if path.parent != home.folder or path.name.startswith(KNOWN_NAMES):
            with suppress(FileNotFoundError):  # a draft of another process
                found = path.lstat()
                if stat.S_ISREG(found.st_mode):
                    ensure_own(path, found)
                    restrict_file(path)


def try_writing(folder: Path) -> None:
    """Write a file and remove it.

    :raises OSError: if it cannot be written.
    """
    probe = folder / f".probe-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        probe.write_text("written\n")
    finally:
        probe.unlink(missing_ok=True)


def user_name(uid: int) -> str:
    """Return the name of a user, or the number if there is no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _hint(error: OSError) -> str:
    if error.errno in DISK_FULL_ERRORS:
        return "free space on its disk, or set SMALLVILLE_HOME to a folder on another one."
    return "make it writable for you, or set SMALLVILLE_HOME to a folder that is."


def kept_secret(path: Path, make: Callable[[], str] = secrets.token_urlsafe) -> str:
    """Return the secret in a private file, which is created on first use.

    Concurrent processes get the same secret: the file is created atomically.
    """
    if not path.exists():
        draft = private_draft(path, make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first; its secret counts
        finally:
            draft.unlink()
    return path.read_text().strip()


def write_private(path: Path, text: str) -> None:
    """Write a line to a private file, atomically."""
    private_draft(path, text).replace(path)


def private_draft(path: Path, text: str) -> Path:
    """Return a new private file beside `path` with a line."""
    create_private_folder(path.parent)
    draft = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text + "\n")
    except OSError:
        draft.unlink()  # the disk is full: each try would leave an empty draft
        raise
    return draft


HOST = "127.0.0.1"
PORTS = range(20_000, 32_000)
"""Below the range of ports for outgoing connections."""
PORT_TRIES_MAX = 100


def choose_port(home: Home) -> int:
    """Return the stored port of this home; if it is in use, choose and store another.

    :raises NoFreePort: if no port is free.
    """
    if home.port.exists() and home.port.read_text().strip().isdigit():
        stored = int(home.port.read_text())
        if is_free(stored):
            return stored
    for _ in range(PORT_TRIES_MAX):
        port = secrets.choice(PORTS)
        if is_free(port):
            write_private(home.port, str(port))
            return port
    raise NoFreePort(
        f"No port of {HOST} between {PORTS.start} and {PORTS.stop} is free: stop what uses "
        "them, or set DATABASE_URL to a running PostgreSQL."
    )


def is_free(port: int) -> bool:
    """Return whether a server can listen at a port of the loopback interface."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True
