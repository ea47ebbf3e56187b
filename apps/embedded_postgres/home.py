"""The folder SMALLVILLE_HOME: what lies where in it, and how secrets are kept there."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from apps.embedded_postgres.errors import DataFolderNotWritable

PRIVATE_MODE = 0o600


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
    """Return the home at a folder, which is made and tried for writing.

    :raises DataFolderNotWritable: if nothing can be written there.
    """
    home = Home(folder.expanduser().absolute())
    try:
        home.postgres.mkdir(parents=True, exist_ok=True)
        probe = home.postgres / f".probe-{os.getpid()}-{secrets.token_hex(4)}"
        probe.write_text("written\n")
        probe.unlink()
    except OSError as error:
        raise DataFolderNotWritable(
            f"The data folder {home.folder} cannot be written to "
            f"({error.strerror or error}): make it writable for you, "
            "or set SMALLVILLE_HOME to a folder that is."
        ) from error
    return home


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
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    return draft
