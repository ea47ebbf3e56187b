"""Lists that can be had whole, as they stand at the settled tick: JSON Lines or CSV (U9).

The form is negotiated: `?format=` names it, else the header Accept does. Filters and order
are those of the list; there are no pages.
"""

from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import closing
from itertools import islice
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from apps.api.base import ApiView
from apps.api.fields import Choice, Strict
from apps.api.line_forms import CSV, JSONLines, LineForm
from apps.api.negotiation import FormAsked
from apps.api.paging import listed
from apps.api.refusals import FieldError, InvalidRequest

ROWS_AT_A_TIME = 100
"""How many rows are fetched from the database's cursor, and sent, at once."""
LINE_FORMS: tuple[type[LineForm], ...] = (JSONLines, CSV)
_OF_PAGES = ("limit", "cursor")

DISPOSITION = OpenApiParameter(
    name="Content-Disposition",
    type=str,
    location=OpenApiParameter.HEADER,
    response=[200],
    description="Of a download: the name of its file.",
)


class Formed(Strict):
    """In which form a list is wanted."""

    format = Choice(
        choices=[str(JSONRenderer.format), *(form.format for form in LINE_FORMS)],
        required=False,
        help_text="A page (json), or all of it to be kept (jsonl, csv), without limit and "
        "cursor. The header Accept can ask for the same by media type.",
    )


class Download(StreamingHttpResponse):
    """A response that is made part by part, the next when the client has taken the last.

    Before an asynchronous server, Django would read a synchronous iterator to its end at
    once. Here each part is made in the request's own thread, which has the connection to
    the database and the cursor on it.
    """

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the parts."""
        parts: Iterator[bytes] = iter(self)

        def make() -> bytes | None:
            return next(parts, None)

        try:
            while (part := await sync_to_async(make)()) is not None:
                yield part
        except Exception:
            # Django closes no response that broke off: its connection would be lost.
            await sync_to_async(self.close)()
            raise


class Downloadable(ApiView):
    """A view of a list that can be had in pages, or whole."""

    renderer_classes = (JSONRenderer, *LINE_FORMS)
    content_negotiation_class = FormAsked

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at the form, too: a download has no pages."""
        super().initial(request, *args, **kwargs)
        if self.line_form is None:
            return
        asked = [name for name in _OF_PAGES if name in request.query_params]
        if asked:
            raise InvalidRequest([_not_in_a_download(name) for name in asked])

    @property
    def line_form(self) -> LineForm | None:
        """The form of the download that is asked for; None for a page."""
        form = self.request.accepted_renderer
        return form if isinstance(form, LineForm) else None

    def download(
        self,
        rows: QuerySet[Any],
        item: type[serializers.Serializer[Any]],
        shown: Callable[[Any], Mapping[str, Any]],
        *,
        name: str,
    ) -> Download:
        """Return all the rows, each as the list shows it, in the form asked for.

        :param shown: makes of a row what `item` takes.
        :param name: what the file is called, without what its form puts behind.
        """
        form = self.line_form
        assert form is not None, "only what was asked for is made"
        is_wanted = self.request.method != "HEAD"
        parts = _parts(rows, item(), shown, form) if is_wanted else iter(())
        file = content_disposition_header(as_attachment=True, filename=f"{name}.{form.format}")
        return Download(
            parts,
            content_type=form.content_type,
            headers={"Content-Disposition": file},
        )


def listed_or_downloaded(
    item: type[serializers.Serializer[Any]],
) -> dict[tuple[int, str], Any]:
    """Return how such a list's answers are described: a page, and each form of a download."""
    page = {(200, str(JSONRenderer.media_type)): listed(item)}
    columns = ", ".join(item().fields)
    return page | {
        (200, form.media_type): {
            "type": "string",
            "description": form.words.format(item=item.__name__, columns=columns),
        }
        for form in LINE_FORMS
    }


def _parts(
    rows: QuerySet[Any],
    item: serializers.Serializer[Any],
    shown: Callable[[Any], Mapping[str, Any]],
    form: LineForm,
) -> Iterator[bytes]:
    columns = tuple(item.fields)
    head = form.head(columns)
    if head:
        yield head
    # A cursor of the server; it ends with the block, also when the client goes away.
    cursor = cast("Generator[Any]", rows.iterator(chunk_size=ROWS_AT_A_TIME))
    with closing(cursor):
        while fetched := list(islice(cursor, ROWS_AT_A_TIME)):
            yield b"".join(
                form.line(item.to_representation(shown(row)), columns) for row in fetched
            )


def _not_in_a_download(parameter: str) -> FieldError:
    return FieldError(
        parameter=parameter,
        code="not-in-a-download",
        detail="a download is not in pages; leave it out",
    )
