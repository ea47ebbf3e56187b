"""The parser of bodies that are archives: they are read to a temporary file within bounds."""

from collections.abc import Mapping
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from apps.api.http.request_errors import BodyTooLarge

# Generators of clients know no type application/zip.
ARCHIVE_TYPE = "application/octet-stream"
_CHUNK_BYTES = 65_536
_IN_MEMORY_BYTES_MAX = 1_000_000


class ArchiveParser(BaseParser):
    """Reads a body of bytes to a file that can be sought in."""

    media_type = ARCHIVE_TYPE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 (the framework's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:  # a file
        """Return the file.

        :raises BodyTooLarge: if it is longer than settings.IMPORT_BYTES_MAX.
        """
        file = SpooledTemporaryFile(_IN_MEMORY_BYTES_MAX)  # noqa: SIM115 (the view reads it)
        size = 0
        while chunk := stream.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > settings.IMPORT_BYTES_MAX:
                file.close()
                raise BodyTooLarge(
                    f"an archive has at most {settings.IMPORT_BYTES_MAX:,} bytes here; import "
                    "a larger one with `manage.py import`"
                )
            file.write(chunk)
        file.seek(0)
        return file


class ZipParser(ArchiveParser):
    """The same for a body that is declared as a ZIP file."""

    media_type = "application/zip"
