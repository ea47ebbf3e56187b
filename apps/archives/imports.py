"""Imports of archives: the request of one, and how a process carries it out (V5).

The file is in the database until its import is over, so that a process that ends loses nothing
of it, and an import that was stopped continues once its problem is solved.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from apps.archives.archive_format import ArchiveInvalid
from apps.archives.archive_reading import LINE, Archive
from apps.archives.importing import import_archive
from apps.archives.models import FilePieceRow, ImportRow
from apps.django_support.heartbeat import PeriodicThread
from apps.kernel.errors import Conflict, DomainError
from apps.kernel.followed_items import follower
from apps.work.kinds import (
    PROGRESS_SECONDS,
    OnProgress,
    TakenWork,
    WorkKind,
    WorkProgress,
    WorkStopped,
)
from apps.work.rows import OPEN, OVER, WorkState

UNFINISHED_MAX = 10
STORED_PIECE_BYTES = 1_000_000
IN_MEMORY_BYTES_MAX = 1_000_000


class TooManyImports(Conflict):
    """You have too many imports that are not over; resume or delete one of them."""


def request_import(
    file: IO[bytes], *, owner: User, reason: str = "", import_id: UUID | None = None
) -> ImportRow:
    """Record the request to import an archive for a user, and store the file.

    :param import_id: the id of the import; a second request with it is the first one.
    :raises ArchiveInvalid: if it is no archive, or its list of members is wrong.
    :raises ArchiveVersionUnknown: if another version of the format wrote it.
    :raises TooManyImports: if the user has UNFINISHED_MAX that are not over.
    """
    manifest = Archive(file).manifest
    with transaction.atomic():
        if import_id and (before := ImportRow.objects.filter(pk=import_id).first()):
            return before
        owned = ImportRow.objects.filter(owner=owner)
        if owned.exclude(state__in=OVER).count() >= UNFINISHED_MAX:
            raise TooManyImports
        row = ImportRow.objects.create(
            pk=import_id or uuid4(),
            owner=owner,
            by=owner.get_username(),
            reason=reason,
            name=manifest.simulation.name,
            bytes=file.seek(0, 2),
            lines_total=manifest.lines,
        )
        file.seek(0)
        for number, piece in enumerate(iter(lambda: file.read(STORED_PIECE_BYTES), b"")):
            FilePieceRow.objects.create(of=row, number=number, content=piece)
    return row


def _pieces_of(import_id: UUID) -> QuerySet[FilePieceRow]:
    return FilePieceRow.objects.filter(of=import_id)


def _carry_out(taken: TakenWork[ImportRow]) -> None:
    """Import the file in one transaction, which also records that it is done.

    If two processes import it at the same time, the second one finds it done, and stops.
    """
    row = taken.row
    try:
        with _stored_file(row) as file, _watched(row, taken.on_progress), transaction.atomic():
            simulation = import_archive(
                taken.ports, file, owner_id=row.owner_id, has_new_id=True
            )
            IMPORTS.lock_wanted(row.pk)
            IMPORTS.end(row.pk, WorkState.DONE, simulation=simulation, lines=row.lines_total)
            _pieces_of(row.pk).delete()
    except ArchiveInvalid as error:
        IMPORTS.end(row.pk, WorkState.FAILED, error.code, error.message)
        _pieces_of(row.pk).delete()
        raise
    except WorkStopped:
        raise
    except DomainError as error:
        error.args = (f"{error.message}; the file is kept: then resume the import {row.pk}",)
        raise


@contextmanager
def _stored_file(row: ImportRow) -> Iterator[IO[bytes]]:
    """Yield the file of an import.

    :raises ArchiveInvalid: if the database does not have the whole file any more.
    """
    pieces = _pieces_of(row.pk).order_by("number")
    with SpooledTemporaryFile(IN_MEMORY_BYTES_MAX) as file:
        for number in pieces.values_list("number", flat=True):
            file.write(pieces.values_list("content", flat=True).get(number=number))
        if file.tell() != row.bytes:
            raise ArchiveInvalid("the file of the import is missing; send it again")
        file.seek(0)
        yield file


@contextmanager
def _watched(row: ImportRow, on_progress: OnProgress) -> Iterator[None]:
    """Record how many lines the block has read, and end it when the import is stopped.

    The block is a transaction: another connection records what everybody can see.
    """
    lines, is_stopped = 0, False

    def record() -> None:
        nonlocal is_stopped
        rows = IMPORTS.rows.filter(pk=row.pk)
        rows.filter(state__in=OPEN).update(lines=lines)
        is_stopped = rows.exclude(state__in=OPEN).exists()

    def follow(items: Iterable[Any], noun: str, _total: int | None) -> Iterator[Any]:
        nonlocal lines
        for item in items:
            if is_stopped:
                raise WorkStopped
            if noun.startswith(LINE):
                lines += 1
                on_progress(lines, row.lines_total)
            yield item

    recorder = PeriodicThread("import", PROGRESS_SECONDS, record)
    token = follower.set(follow)
    recorder.start()
    try:
        yield
    finally:
        follower.reset(token)
        recorder.stop()


class _ImportKind(WorkKind[ImportRow]):
    """Imports, whose files are kept while they may continue."""

    def progress_of(self, rows: Sequence[ImportRow]) -> Mapping[UUID, WorkProgress]:
        """Return the lines that were read."""
        return {row.pk: WorkProgress(done=row.lines, total=row.lines_total) for row in rows}

    def cancel(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """End the import, whose file is not needed any more."""
        super().cancel(work_id, by=by, reason=reason)
        _pieces_of(work_id).delete()


IMPORTS = _ImportKind(name="import", model=ImportRow, parts="lines", step=_carry_out)
