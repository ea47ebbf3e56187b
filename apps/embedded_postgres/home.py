"""The folder SMALLVILLE_HOME: what lies where in it, and how secrets are kept there."""

import errno
import os
import pwd
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from apps.embedded_postgres.errors import DataFolderNotWritable, FolderOfAnotherUser
from apps.embedded_postgres.private_files import (
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
    *(".admin_password-", ".secret_key-", ".simulation-", ".token-"),
)
"""How the names of an installation's files begin."""
DISK_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Home:
    """The places inside one SMALLVILLE_HOME; `folder` is absolute."""

    folder: Path

    @property
    def postgres(self) -> Path:
        """All that belongs to the embedded PostgreSQL."""
        return self.folder / "postgres"

    @property
    def data(self) -> Path:
        """PostgreSQL's own data folder."""
        return self.postgres / "data"

    @property
    def port(self) -> Path:
        """The port, kept so that a server that comes back is found at the same place."""
        return self.postgres / "port"

    @property
    def password(self) -> Path:
        """The password of the database's one role."""
        return self.postgres / "password"

    @property
    def keeper_lock(self) -> Path:
        """Held exclusively by the keeper for as long as it lives; holds its process id."""
        return self.postgres / "keeper.lock"

    @property
    def users_lock(self) -> Path:
        """Held shared by every process that uses the server."""
        return self.postgres / "users.lock"

    @property
    def start_lock(self) -> Path:
        """Held exclusively by the one process that is starting a keeper."""
        return self.postgres / "start.lock"

    @property
    def server_log(self) -> Path:
        """What PostgreSQL and its keeper have to say."""
        return self.postgres / "server.log"


def home_at(folder: Path) -> Home:
    """Return the home at a folder, created private to its owner and tried for writing.

    :raises DataFolderNotWritable: if nothing can be written there.
    :raises FolderOfAnotherUser: if it is not this user's alone.
    """
    home = Home(folder.expanduser().absolute())
    prepare_home_folder(home.folder)
    with _refused_unless_writable(home.folder):
        create_private_folder(home.postgres)
        restrict_home(home)
        try_writing(home.postgres)
    return home


def prepare_home_folder(folder: Path) -> None:
    """Create the folder of an installation, or check that it is this user's.

    :raises DataFolderNotWritable: if it cannot be created.
    :raises FolderOfAnotherUser: if it is another user's, or open to all for writing.
    """
    with _refused_unless_writable(folder):
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
    """Refuse what belongs to another user.

    :raises FolderOfAnotherUser: if it does.
    """
    if found.st_uid != os.geteuid():
        raise FolderOfAnotherUser(
            f"{path} belongs to the user {user_name(found.st_uid)}: run as that user, change "
            "its owner, or set SMALLVILLE_HOME to a folder of your own."
        )


@contextmanager
def _refused_unless_writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataFolderNotWritable(
            f"The data folder {folder} cannot be written to "
            f"({error.strerror or error}): {_hint(error)}"
        ) from error


def is_exclusive(folder: Path) -> bool:
    """Return whether a folder holds the files of an installation and nothing else.

    The mode of another folder, as a user's home directory, is not ours to change.
    """
    if folder.name == HOME_NAME:
        return True
    return all(entry.name.startswith(KNOWN_NAMES) for entry in folder.iterdir())


def restrict_home(home: Home) -> None:
    """Take the access of other users away from what an earlier release left open to them.

    :raises FolderOfAnotherUser: if a file there is another user's.
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
    """Write a file and remove it, whether or not it could be written.

    :raises OSError: if it could not.
    """
    probe = folder / f".probe-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        probe.write_text("written\n")
    finally:
        probe.unlink(missing_ok=True)


def user_name(uid: int) -> str:
    """Return the name of a user, or the number of one who has no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _hint(error: OSError) -> str:
    if error.errno in DISK_FULL_ERRORS:
        return "free space on its disk, or set SMALLVILLE_HOME to a folder on another one."
    return "make it writable for you, or set SMALLVILLE_HOME to a folder that is."


def kept_secret(path: Path, make: Callable[[], str] = secrets.token_urlsafe) -> str:
    """Return the secret kept at a path, which is made on first use, readable by its owner only.

    Two processes that ask at once get the same one: the file appears whole or not at all.
    """
    if not path.exists():
        draft = private_draft(path, make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first; its secret is the one that counts
        finally:
            draft.unlink()
    return path.read_text().strip()


def write_private(path: Path, text: str) -> None:
    """Write a line to a file that only its owner may read; readers see all of it or none."""
    private_draft(path, text).replace(path)


def private_draft(path: Path, text: str) -> Path:
    """Return a new file beside `path` that holds a line, for its owner only."""
    create_private_folder(path.parent)
    draft = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text + "\n")
    except OSError:
        draft.unlink()  # the disk is full: an empty draft would be left at each try
        raise
    return draft
