"""Formats of responses: which one a request asks for, lists by line, whole documents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from apps.reports.tables import cell, csv_line

_QUALITY = re.compile(r"(?:^|;)\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)")


class AlwaysJSON(BaseContentNegotiation):
    """Responds in JSON, whatever a client accepts."""

    def select_parser(
        self, request: Request, parsers: Iterable[BaseParser]
    ) -> BaseParser | None:
        """Return the parser for the body's type; a body without a type is taken as JSON."""
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        if not media_type:
            return next(iter(parsers))
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 (the framework's signature)
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer."""
        only = next(iter(renderers))
        return only, str(only.media_type)


class RequestedFormat(AlwaysJSON):
    """Responds in the format of `?format=`, else of the header Accept, else in JSON.

    Nothing is rejected here: an unknown format is an unusable value of the query.
    """

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002 (the framework's signature)
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer of the format."""
        known = list(renderers)
        name = request.query_params.get("format")
        if name is not None:
            found = [one for one in known if one.format == name]
        else:
            found = [
                one
                for accepted in _accepted_ranges(request.headers.get("Accept", ""))
                for one in known
                if _matches(str(one.media_type), accepted)
            ]
        chosen = (found or known)[0]
        return chosen, str(chosen.media_type)


def _matches(media_type: str, accepted: str) -> bool:
    return accepted in {media_type, f"{media_type.partition('/')[0]}/*", "*/*"}


def _accepted_ranges(header: str) -> list[str]:
    """Return the media ranges of a header Accept, the best first.

    Their parameters do not count, but for the quality. Django compares them.
    """
    ranges: list[tuple[float, bool, str]] = []
    for token in header.lower().split(","):
        media_range, _, parameters = token.partition(";")
        found = _QUALITY.search(parameters)
        quality = float(found[1]) if found else 1.0
        if quality:
            ranges.append((quality, "*" not in media_range, media_range.strip()))
    return [
        media_range for *_, media_range in sorted(ranges, key=itemgetter(0, 1), reverse=True)
    ]


class LineFormat(BaseRenderer):
    """A format that is written item by item.

    `columns` are the names of an item's values, in the order in which they are declared;
    `description` is for the OpenAPI document.
    """

    media_type: str
    format: str
    content_type: ClassVar[str]
    description: ClassVar[str]

    def head(self, columns: Sequence[str]) -> bytes:
        """Return the bytes before the first item."""
        raise NotImplementedError

    def line(self, item: Mapping[str, Any], columns: Sequence[str]) -> bytes:
        """Return the line of an item."""
        raise NotImplementedError


class JSONLines(LineFormat):
    """One item per line, as in the results of a page."""

    media_type = "application/x-ndjson"
    format = "jsonl"
    content_type = "application/x-ndjson"
    description = "One {item} a line, just as it stands in `results`."

    def head(self, columns: Sequence[str]) -> bytes:  # noqa: ARG002 (every line names them)
        """Return nothing: each line names its values."""
        return b""

    def line(self, item: Mapping[str, Any], columns: Sequence[str]) -> bytes:  # noqa: ARG002
        """Return the item as compact JSON."""
        rendered: bytes = JSONRenderer().render(item)
        return rendered + b"\n"


class CSV(LineFormat):
    """RFC 4180, in UTF-8, with a line of names, and without formulas."""

    media_type = "text/csv"
    format = "csv"
    content_type = "text/csv; charset=utf-8; header=present"
    description = (
        "One {item} a line, below a line with the names of the columns, always in this order: "
        "{columns}. Lists and objects are JSON, null is empty. Text that a spreadsheet could "
        "take for a formula, and text that begins with an apostrophe, has an apostrophe put "
        "before it: remove the first apostrophe."
    )

    def head(self, columns: Sequence[str]) -> bytes:
        """Return the line of names."""
        return csv_line(columns).encode()

    def line(self, item: Mapping[str, Any], columns: Sequence[str]) -> bytes:
        """Return the values of the item in the order of the columns."""
        return csv_line([cell(item[column]) for column in columns]).encode()


LOADS_NOTHING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The content security policy of a document that has its style and its figures inline."""
RUNS_NOTHING = f"{LOADS_NOTHING}; sandbox"
"""That of a document with texts of users."""


class Document(BaseRenderer):
    """A document that a view returns as text or bytes."""

    charset: str | None = "utf-8"

    def render(self, data: Any, *_arguments: Any, **_options: Any) -> Any:
        """Return the document."""
        return data


class CsvDocument(Document):
    """A table as CSV."""

    media_type, format = "text/csv", "csv"


class MarkdownDocument(Document):
    """A text as Markdown."""

    media_type, format = "text/markdown", "markdown"


class HtmlDocument(Document):
    """A page as HTML."""

    media_type, format = "text/html", "html"


class ParquetDocument(Document):
    """A table as Parquet, which is no text.

    Programs that generate clients know no media type of Parquet, but that of any bytes.
    """

    media_type, format = "application/octet-stream", "parquet"
    charset = None
    render_style = "binary"


class SvgDocument(Document):
    """An image as SVG."""

    media_type, format = "image/svg+xml", "svg"
