"""Formats in which each item of a list is one line: JSON Lines and CSV (U9)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rest_framework.renderers import BaseRenderer, JSONRenderer

from apps.reports.tables import cell, csv_line


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
