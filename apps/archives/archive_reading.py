"""Opens archives, and reads their lines; everything is checked while it is read."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import IO, Any, TypeVar

from django.conf import settings
from pydantic import ValidationError

from apps.archives.archive_format import (
    FORMAT,
    LINES,
    MANIFEST,
    VERSION,
    WORLD,
    WORLD_FILE,
    ArchiveInvalid,
    ArchiveLine,
    ArchiveVersionUnknown,
    Manifest,
)
from apps.kernel.followed_items import followed
from apps.kernel.strict_yaml import read_at_most

MANIFEST_BYTES_MAX = 1_000_000
LINE_BYTES_MAX = 4_000_000
WORLD_BYTES_MAX = 50_000_000
MEMBERS_MAX = 1_000
DIRECTORY_BYTES_MAX = 1_000_000
LINE = "line of"
LINES_AT_ONCE = 500
BYTES_AT_ONCE = 4_000_000
"""A batch of lines has at most so many bytes, and those of its last line."""

_Line = TypeVar("_Line", bound=ArchiveLine)
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_READING_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError)


class Archive:
    """An archive that is open for reading."""

    def __init__(self, file: IO[bytes]) -> None:
        """Open the file, which can be sought in.

        :raises ArchiveInvalid: if it is no archive, or its list of members is wrong.
        :raises ArchiveVersionUnknown: if another version of the format wrote it.
        """
        try:
            bounded = _BoundedDirectory(file)
            self._zip = zipfile.ZipFile(bounded)
            bounded.is_opened = True
        except _READING_ERRORS as error:
            raise ArchiveInvalid(
                f"the file is no archive, or its end is missing ({error}); copy it again"
            ) from error
        self.manifest = self._read_manifest()
        self._check_members()

    def batches(self, name: str, kind: type[_Line]) -> Iterator[list[_Line]]:
        """Yield the lines of a member in lists of at most LINES_AT_ONCE and BYTES_AT_ONCE.

        A command shows the progress.

        :raises ArchiveInvalid: if a line is not of its kind, or the member is damaged.
        """
        batch: list[_Line] = []
        size = 0
        total = self.manifest.members[name].lines
        for line, line_size in followed(self._read_lines(name, kind), f"{LINE} {name}", total):
            batch.append(line)
            size += line_size
            if len(batch) >= LINES_AT_ONCE or size >= BYTES_AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _read_lines(self, name: str, kind: type[_Line]) -> Iterator[tuple[_Line, int]]:
        """Yield the lines of a member with their bytes; its length and hash are checked last.

        :raises ArchiveInvalid: if a line is not of its kind, or the member is damaged.
        """
        expected = self.manifest.members[name]
        digest, size, count = sha256(), 0, 0
        try:
            with self._opened(name) as member:
                while line := member.readline(LINE_BYTES_MAX + 1):
                    digest.update(line)
                    size, count = size + len(line), count + 1
                    if size > expected.bytes or len(line) > LINE_BYTES_MAX:
                        raise ArchiveInvalid(f"{name} is longer than its manifest says")
                    yield _parsed(kind, line, f"{name}, line {count}"), len(line)
        except _READING_ERRORS as error:
            raise _damaged(name, error) from error
        if (size, digest.hexdigest(), count) != (
            expected.bytes,
            expected.sha256,
            expected.lines,
        ):
            raise _damaged(name, "it is not what the manifest says")

    def world_files(self) -> dict[str, bytes]:
        """Return the files of the world by their path in its folder.

        :raises ArchiveInvalid: if one is damaged.
        """
        names = [name for name in self.manifest.members if name.startswith(WORLD)]
        if sum(self.manifest.members[name].bytes for name in names) > WORLD_BYTES_MAX:
            raise ArchiveInvalid(f"the world has more than {WORLD_BYTES_MAX:,} bytes")
        return {name.removeprefix(WORLD): self._file(name) for name in names}

    def _file(self, name: str) -> bytes:
        expected = self.manifest.members[name]
        content = self._read(name, expected.bytes)
        if sha256(content).hexdigest() != expected.sha256:
            raise _damaged(name, "it is not what the manifest says")
        return content

    def _read(self, name: str, bytes_max: int) -> bytes:
        try:
            with self._opened(name) as member:
                content = read_at_most(member, bytes_max)
        except _READING_ERRORS as error:
            raise _damaged(name, error) from error
        except KeyError:
            raise ArchiveInvalid(f"the archive has no {name}") from None
        if content is None:
            raise ArchiveInvalid(f"{name} is longer than {bytes_max:,} bytes")
        return content

    def _opened(self, name: str) -> IO[bytes]:
        """Open a member; only these two methods unpack in pieces of a bounded size.

        :raises ArchiveInvalid: if it is packed in another way.
        """
        if self._zip.getinfo(name).compress_type not in _PACKED:
            raise ArchiveInvalid(f"{name} is packed in another way than deflated")
        return self._zip.open(name)

    def _read_manifest(self) -> Manifest:
        content = self._read(MANIFEST, MANIFEST_BYTES_MAX)
        try:
            values: Any = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ArchiveInvalid(f"{MANIFEST} is not JSON: {error}") from error
        if not isinstance(values, dict) or values.get("format") != FORMAT:
            raise ArchiveInvalid("the file is no archive of a simulation")
        if values.get("version") != VERSION:
            raise ArchiveVersionUnknown(
                f"the archive has version {values.get('version')!r} of the format, this "
                f"installation reads version {VERSION}; it was written by "
                f"{str(values.get('written_by'))[:80]!r}"
            )
        return _validated(Manifest, values, MANIFEST)

    def _check_members(self) -> None:
        names = [name for name in self._zip.namelist() if name != MANIFEST]
        listed = self.manifest.members
        if len(names) > MEMBERS_MAX or sorted(names) != sorted(listed):
            raise ArchiveInvalid("the members of the archive are not those of its manifest")
        if missing := [name for name in LINES if name not in listed]:
            raise ArchiveInvalid(f"the archive has no {missing[0]}")
        for name in names:
            if name not in LINES and not WORLD_FILE.fullmatch(name):
                raise ArchiveInvalid(f"an archive has no member {name[:200]!r}")
        unpacked = sum(member.bytes for member in listed.values())
        if unpacked > settings.IMPORT_UNPACKED_BYTES_MAX:
            raise ArchiveInvalid(
                f"the archive has {unpacked:,} bytes unpacked, and this installation imports "
                f"{settings.IMPORT_UNPACKED_BYTES_MAX:,}; the operator can set "
                "IMPORT_UNPACKED_BYTES_MAX"
            )


class _BoundedDirectory:
    """A file whose list of members is refused if it is too long: `zipfile` holds it whole."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.is_opened = file, False
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Read as the file does.

        :raises ArchiveInvalid: if more than DIRECTORY_BYTES_MAX are read before it is opened.
        """
        if size > DIRECTORY_BYTES_MAX and not self.is_opened:
            raise ArchiveInvalid(
                f"the list of members has more than {DIRECTORY_BYTES_MAX:,} bytes"
            )
        return self._file.read(size)


def _parsed(kind: type[_Line], line: bytes, where: str) -> _Line:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ArchiveInvalid(f"{where} is not JSON: {error}") from error
    return _validated(kind, values, where)


def _validated(kind: type[_Line], values: object, where: str) -> _Line:
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False, include_input=False)
        place = ".".join(map(str, first["loc"]))
        raise ArchiveInvalid(f"{where}, {place}: {first['msg']}") from error


def _damaged(name: str, reason: object) -> ArchiveInvalid:
    return ArchiveInvalid(f"{name} in the archive is damaged ({reason}); copy the file again")
