"""Downloads of whole lists as of the committed tick, as JSON Lines or CSV (U9).

`?format=` or the header Accept selects the format; filters and order are those of the list.
The rows are read in pages, so that a download holds no database connection while it waits for
its client.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from apps.api.http.fields import Choice, Strict
from apps.api.http.formats import CSV, JSONLines, LineFormat, RequestedFormat
from apps.api.http.lists import ListView, Rows, page_of_items
from apps.api.http.long_responses import (
    DOWNLOADS,
    ConnectionSlot,
    ContinuedAccess,
    ResponseEnd,
    grant_of,
)
from apps.api.http.request_errors import DOWNLOAD_ERRORS, FieldError, InvalidRequest
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import Errors, header
from apps.django_support.keyset import pages_of
from apps.kernel.errors import SmallvilleError

ROWS_PER_PAGE = 100
"""The number of rows that are read from the database, and sent, at once."""
LINE_FORMATS: tuple[type[LineFormat], ...] = (JSONLines, CSV)


class FormatParameter(Strict):
    """The format of a list."""

    format = Choice(
        choices=[str(JSONRenderer.format), *(form.format for form in LINE_FORMATS)],
        required=False,
        help_text="A page (json), or a download of the whole list (jsonl, csv), without limit "
        "and cursor. The header Accept can ask for the same by media type.",
    )


class DownloadInterrupted(SmallvilleError):
    """A download cannot continue; the connection breaks off, so that the client notices."""


class Download(StreamingHttpResponse):
    """A response that is made part by part, the next when the client has taken the last.

    With an asynchronous server, Django would read a synchronous iterator to its end at once.
    Here each part is made in the request's own thread, which then returns its connection to
    the pool.
    """

    def __init__(
        self, parts: Iterator[bytes], *, slot: ConnectionSlot | None = None, **options: Any
    ) -> None:
        super().__init__(parts, **options)
        self._slot = slot

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts: Iterator[bytes] = iter(self)

        def make() -> bytes | None:
            try:
                return next(parts, None)
            finally:
                close_old_connections()

        try:
            while (part := await sync_to_async(make)()) is not None:
                yield part
        except Exception:
            # Django does not close a response that breaks off.
            await sync_to_async(self.close)()
            raise
        finally:
            self._release()

    def close(self) -> None:
        """Release the slot, also if no part was ever taken."""
        self._release()
        super().close()

    def _release(self) -> None:
        if self._slot is not None:
            self._slot.release()


def download_slot(user_id: int) -> ConnectionSlot:
    """Return a slot for a download of the user.

    :raises TooManyDownloads: if the user has as many as allowed.
    :raises DownloadsTaken: if the process has.
    """
    return DOWNLOADS.acquire(
        user_id,
        slots_max=settings.DOWNLOADS_MAX,
        slots_per_user_max=settings.DOWNLOADS_PER_USER_MAX,
    )


def file_download(
    view: SimulationView, parts: Iterator[bytes], *, filename: str, content_type: str
) -> Download:
    """Return the download of a file, whose parts are sent while the user may read on.

    :raises TooManyDownloads: if the user has as many downloads open as allowed.
    :raises DownloadsTaken: if the process has.
    """
    is_read = view.request.method != "HEAD"
    access = ContinuedAccess(grant_of(view.request, view.context))
    file = content_disposition_header(as_attachment=True, filename=filename)
    return Download(
        _while_permitted(parts, access) if is_read else iter(()),
        slot=download_slot(view.user.pk) if is_read else None,
        content_type=content_type,
        headers={"Content-Disposition": str(file)},
    )


class DownloadableList(ListView, SimulationView):
    """A view of a list that can be read in pages, or downloaded whole."""

    errors: ClassVar[Errors] = DOWNLOAD_ERRORS
    renderer_classes = (JSONRenderer, *LINE_FORMATS)
    content_negotiation_class = RequestedFormat
    response_headers: ClassVar = (
        header("Content-Disposition", "Of a download: the name of its file.", response=[200]),
    )

    def initial(self, request: Request, *args: Any, **names: Any) -> None:
        """Reject the parameters of pages for a download."""
        super().initial(request, *args, **names)
        if self.line_format is not None:
            detail = "a download is not in pages; leave it out"
            errors = [
                FieldError(parameter=name, code="not-in-a-download", detail=detail)
                for name in ("limit", "cursor")
                if name in request.query_params
            ]
            if errors:
                raise InvalidRequest(errors)

    @property
    def line_format(self) -> LineFormat | None:
        """The format of the requested download; None for a page."""
        renderer = self.request.accepted_renderer
        return renderer if isinstance(renderer, LineFormat) else None

    def respond(
        self,
        rows: Rows,
        item: type[serializers.BaseSerializer[Any]],
        key: tuple[str, ...],
        prepare: Callable[[list[Any]], Iterable[Any]] = list,
    ) -> HttpResponseBase:
        """Return a page, or all rows in the requested format.

        :param rows: for a download, ordered by fields of one direction that are never null
            and tell any two rows apart.
        :raises TooManyDownloads: if the user has as many downloads open as allowed.
        :raises DownloadsTaken: if the process has.
        """
        form = self.line_format
        if form is None:
            return super().respond(rows, item, key, prepare)
        serializer = item(context=self.serializer_context)
        pages = (prepare(page) for page in _pages(rows))
        name = self.request.path.rpartition("/")[2]
        if "agent" in self.kwargs:
            name += f"-of-{self.kwargs['agent']}"
        return file_download(
            self,
            _parts(pages, serializer, form),
            filename=f"{name}.{form.format}",
            content_type=form.content_type,
        )


def page_or_download(item: type[serializers.Serializer[Any]]) -> dict[tuple[int, str], Any]:
    """Return the description of the responses of such a list: a page, and each download."""
    columns = ", ".join(item().fields)
    forms: dict[tuple[int, str], Any] = {
        (200, form.media_type): {
            "type": "string",
            "description": form.description.format(item=item.__name__, columns=columns),
        }
        for form in LINE_FORMATS
    }
    return {(200, str(JSONRenderer.media_type)): page_of_items(item)} | forms


def _pages(rows: Rows) -> Iterator[list[Any]]:
    if isinstance(rows, QuerySet):
        return pages_of(rows, ROWS_PER_PAGE)
    starts = range(0, len(rows), ROWS_PER_PAGE)
    return (list(rows[start : start + ROWS_PER_PAGE]) for start in starts)


def _parts(
    pages: Iterator[Iterable[Any]],
    serializer: serializers.BaseSerializer[Any],
    form: LineFormat,
) -> Iterator[bytes]:
    columns: Sequence[str] = tuple(serializer.fields)  # type: ignore[attr-defined]
    head = form.head(columns)
    if head:
        yield head
    for page in pages:
        yield b"".join(form.line(serializer.to_representation(row), columns) for row in page)


def _while_permitted(parts: Iterator[bytes], access: ContinuedAccess) -> Iterator[bytes]:
    """Yield the parts while the user may read on, for a time."""
    ends_at = time.monotonic() + settings.DOWNLOAD_SECONDS_MAX
    for part in parts:
        if time.monotonic() > ends_at:
            raise DownloadInterrupted(
                f"the download took longer than {settings.DOWNLOAD_SECONDS_MAX:g} seconds"
            )
        yield part
        _interrupt(access.lost_if_due())
    # The rows of a simulation that is deleted meanwhile end early, and look complete.
    _interrupt(access.lost())


def _interrupt(lost: ResponseEnd | None) -> None:
    if lost is not None:
        raise DownloadInterrupted(lost.detail)
