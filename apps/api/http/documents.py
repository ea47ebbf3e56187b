"""Responses that are whole documents: tables, texts, pages and images, with their policies."""

from typing import Any

from rest_framework.renderers import BaseRenderer

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
