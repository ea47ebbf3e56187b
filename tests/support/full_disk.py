"""Databases whose disk is full: by triggers that say so, or on a small file system."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import psycopg
from django.apps import apps
from psycopg import sql

from tests.support.processes import database_url

REFUSE = """
CREATE OR REPLACE FUNCTION refuse_for_disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'disk_full',
        MESSAGE = 'could not extend file "base/1/2": No space left on device',
        HINT = 'Check free disk space.';
END $$
"""
ON_TABLE = """
CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE OR DELETE ON {}
EXECUTE FUNCTION refuse_for_disk_full()
"""
BLOCK = bytes(2**16)


class Disk(Protocol):
    """A disk that can be full."""

    def fill(self) -> None:
        """Take all space that is left."""
        ...

    def free(self) -> None:
        """Give it back."""
        ...


class SmallFileSystem:
    """A file system in memory, mounted at a folder."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(BLOCK)
            except OSError:
                return

    def free(self) -> None:
        self._ballast.unlink()


class RefusingServer:
    """A server that refuses every change of these tables, or of all, as on a full disk."""

    def __init__(self, url: str, tables: tuple[str, ...] = ()) -> None:
        self._url = url
        self._tables = tables or tuple(
            model._meta.db_table
            for config in apps.get_app_configs()
            if config.name.startswith("apps.")
            for model in config.get_models()
        )

    def fill(self) -> None:
        with psycopg.connect(self._url) as connection:
            connection.execute(REFUSE)
            for table in self._tables:
                connection.execute(sql.SQL(ON_TABLE).format(sql.Identifier(table)))

    def free(self) -> None:
        with psycopg.connect(self._url) as connection:
            connection.execute("DROP FUNCTION refuse_for_disk_full() CASCADE")


@contextmanager
def no_space_for(*tables: str) -> Iterator[None]:
    """Let the test's own database refuse changes for as long as the block runs."""
    disk = RefusingServer(database_url(), tables)
    disk.fill()
    try:
        yield
    finally:
        disk.free()


@contextmanager
def mounted(folder: Path, *, megabytes: int) -> Iterator[bool]:
    """Mount a small file system at a folder; gives False where that is not allowed."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", str(folder)]
    try:
        is_mounted = not subprocess.run(mount, check=False, capture_output=True).returncode
    except FileNotFoundError:
        is_mounted = False
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607
