"""Lists that can be downloaded whole, as of the settled tick: JSON Lines or CSV (U9).

The form is negotiated: `?format=` names it, else the header Accept does. Filters and order
are those of the list. The client sees no pages, but the rows are read in pages: a download
holds no database connection while it waits for its client.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from apps.api.http.continued_access import AccessLost, ContinuedAccess, grant_of
from apps.api.http.fields import Choice, Strict
from apps.api.http.line_formats import CSV, JSONLines, LineFormat
from apps.api.http.negotiation import RequestedFormat
from apps.api.http.paging import page_of_items
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import SimulationView
from apps.api.http.slots import DOWNLOADS, ConnectionSlot, DownloadsTaken, TooManyDownloads
from apps.django_support.keyset import pages_of
from apps.kernel.errors import SmallvilleError

ROWS_PER_PAGE = 100
"""How many rows are read from the database, and sent, at once."""
LINE_FORMATS: tuple[type[LineFormat], ...] = (JSONLines, CSV)
_OF_PAGES = ("limit", "cursor")

DISPOSITION = OpenApiParameter(
    name="Content-Disposition",
    type=str,
    location=OpenApiParameter.HEADER,
    response=[200],
    description="Of a download: the name of its file.",
)


class FormatParameter(Strict):
    """In which form a list is wanted."""

    format = Choice(
        choices=[str(JSONRenderer.format), *(form.format for form in LINE_FORMATS)],
        required=False,
        help_text="A page (json), or all of it to be kept (jsonl, csv), without limit and "
        "cursor. The header Accept can ask for the same by media type.",
    )


class DownloadInterrupted(SmallvilleError):
    """A download cannot continue; the connection breaks off, so that the client notices."""

    code: ClassVar[str] = "download-interrupted"


class Download(StreamingHttpResponse):
    """A response that is made part by part, the next when the client has taken the last.

    Before an asynchronous server, Django would read a synchronous iterator to its end at
    once. Here each part is made in the request's own thread, which then returns its
    connection to the pool.
    """

    def __init__(
        self, parts: Iterator[bytes], *, slot: ConnectionSlot | None = None, **inputs: Any
    ) -> None:
        """Take the parts, and the slot to release when the response is over."""
        super().__init__(parts, **inputs)
        self._slot = slot

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the parts."""
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


class Downloadable(SimulationView):
    """A view of a list that can be read in pages, or downloaded whole."""

    errors: ClassVar = {"GET": (TooManyDownloads, DownloadsTaken)}
    renderer_classes = (JSONRenderer, *LINE_FORMATS)
    content_negotiation_class = RequestedFormat
    response_headers: ClassVar = (DISPOSITION,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at the form, too: a download has no pages."""
        super().initial(request, *args, **kwargs)
        if self.line_format is None:
            return
        requested = [name for name in _OF_PAGES if name in request.query_params]
        if requested:
            raise InvalidRequest([_not_in_a_download(name) for name in requested])

    @property
    def line_format(self) -> LineFormat | None:
        """The format of the requested download; None for a page."""
        form = self.request.accepted_renderer
        return form if isinstance(form, LineFormat) else None

    def download(
        self,
        rows: QuerySet[Any],
        item: type[serializers.Serializer[Any]],
        shown: Callable[[Any], Mapping[str, Any]],
        *,
        name: str,
    ) -> Download:
        """Return all rows, each represented as in the list, in the requested format.

        :param rows: ordered by fields of one direction that are never null and tell any two
            rows apart.
        :param shown: makes of a row what `item` takes.
        :param name: the name of the file without its extension.
        :raises TooManyDownloads: if the user has as many downloads open as allowed.
        :raises DownloadsTaken: if the process has.
        """
        return self._download_pages(pages_of(rows, ROWS_PER_PAGE), item, shown, name=name)

    def download_list(
        self,
        items: Sequence[Mapping[str, Any]],
        item: type[serializers.Serializer[Any]],
        *,
        name: str,
    ) -> Download:
        """Do the same for a list that is computed as a whole, and is in memory already.

        :param items: what `item` takes.
        """
        starts = range(0, len(items), ROWS_PER_PAGE)
        pages = (items[start : start + ROWS_PER_PAGE] for start in starts)
        return self._download_pages(pages, item, lambda shown: shown, name=name)

    def _download_pages(
        self,
        pages: Iterator[Sequence[Any]],
        item: type[serializers.Serializer[Any]],
        shown: Callable[[Any], Mapping[str, Any]],
        *,
        name: str,
    ) -> Download:
        form = self.line_format
        assert form is not None, "a download has a format"
        is_wanted = self.request.method != "HEAD"
        access = ContinuedAccess(grant_of(self.request, self.context))
        file = content_disposition_header(as_attachment=True, filename=f"{name}.{form.format}")
        return Download(
            _parts(pages, item(), shown, form, access) if is_wanted else iter(()),
            slot=download_slot(self.user.pk) if is_wanted else None,
            content_type=form.content_type,
            headers={"Content-Disposition": file},
        )


def page_or_download(
    item: type[serializers.Serializer[Any]],
) -> dict[tuple[int, str], Any]:
    """Return how such a list's answers are described: a page, and each form of a download."""
    page = {(200, str(JSONRenderer.media_type)): page_of_items(item)}
    columns = ", ".join(item().fields)
    forms: dict[tuple[int, str], Any] = {
        (200, form.media_type): {
            "type": "string",
            "description": form.words.format(item=item.__name__, columns=columns),
        }
        for form in LINE_FORMATS
    }
    return page | forms


def _parts(
    pages: Iterator[Sequence[Any]],
    item: serializers.Serializer[Any],
    shown: Callable[[Any], Mapping[str, Any]],
    form: LineFormat,
    access: ContinuedAccess,
) -> Iterator[bytes]:
    columns = tuple(item.fields)
    ends_at = time.monotonic() + settings.DOWNLOAD_SECONDS_MAX
    head = form.head(columns)
    if head:
        yield head
    for page in pages:
        if time.monotonic() > ends_at:
            raise DownloadInterrupted(
                f"the download took longer than {settings.DOWNLOAD_SECONDS_MAX:g} seconds"
            )
        yield b"".join(form.line(item.to_representation(shown(row)), columns) for row in page)
        _interrupt(access.lost_if_due())
    # The rows of a simulation that is deleted meanwhile end early, and look complete.
    _interrupt(access.lost())


def _interrupt(lost: AccessLost | None) -> None:
    if lost is not None:
        raise DownloadInterrupted(lost.detail)


def _not_in_a_download(parameter: str) -> FieldError:
    return FieldError(
        parameter=parameter,
        code="not-in-a-download",
        detail="a download is not in pages; leave it out",
    )
