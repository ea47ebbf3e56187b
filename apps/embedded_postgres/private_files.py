"""Private files and folders: created with a mode that gives access to their owner only."""

import os
import stat
from pathlib import Path

PRIVATE_FOLDER_MODE = 0o700
PRIVATE_FILE_MODE = 0o600
PRIVATE_UMASK = 0o077
RUNNER_FOLDER_MODE = 0o710
"""The mode of a folder of root that the user of the embedded PostgreSQL may pass through."""
ROOT_UID = 0


def create_private_folder(path: Path) -> None:
    """Create a private folder; an existing one is not changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)


def restrict_folder(path: Path) -> None:
    """Remove the access of other users to a folder."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode == RUNNER_FOLDER_MODE and os.geteuid() == ROOT_UID:
        return
    if mode & PRIVATE_UMASK:
        path.chmod(mode & PRIVATE_FOLDER_MODE)


def restrict_file(path: Path) -> None:
    """Remove the access of other users to a file."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & PRIVATE_UMASK:
        path.chmod(mode & ~PRIVATE_UMASK)
