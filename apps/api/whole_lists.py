"""Downloads of lists that are computed as a whole, not read row by row."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.http import content_disposition_header
from rest_framework import serializers

from apps.api.downloads import ROWS_PER_PAGE, Download, Downloadable, download_slot
from apps.api.line_forms import LineForm


class WholeListDownloadable(Downloadable):
    """A view of a list that is in memory before the first byte is sent.

    Sending it takes neither queries nor a connection to the database.
    """

    def download_list(
        self,
        items: Sequence[Mapping[str, Any]],
        item: type[serializers.Serializer[Any]],
        *,
        name: str,
    ) -> Download:
        """Return all the items in the form asked for, as `Downloadable.download` does.

        :param items: what `item` takes.
        :param name: the name of the file, without its suffix.
        """
        form = self.line_form
        assert form is not None, "only what was asked for is made"
        is_wanted = self.request.method != "HEAD"
        file = content_disposition_header(as_attachment=True, filename=f"{name}.{form.format}")
        return Download(
            _parts(items, item(), form) if is_wanted else iter(()),
            slot=download_slot(self.user.pk) if is_wanted else None,
            content_type=form.content_type,
            headers={"Content-Disposition": file},
        )


def _parts(
    items: Sequence[Mapping[str, Any]], item: serializers.Serializer[Any], form: LineForm
) -> Iterator[bytes]:
    columns = tuple(item.fields)
    yield form.head(columns)
    for start in range(0, len(items), ROWS_PER_PAGE):
        yield b"".join(
            form.line(item.to_representation(each), columns)
            for each in items[start : start + ROWS_PER_PAGE]
        )
