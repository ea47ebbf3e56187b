"""Forms of downloads, which one is chosen, and what becomes of one that breaks off."""

import csv
import io
import json
from asyncio import run
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from apps.api.http.downloads import LINE_FORMATS, Download
from apps.api.http.formats import CSV, JSONLines, RequestedFormat
from apps.reports.tables import APOSTROPHE, cell, without_formula

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda parts: (
        st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=5), parts, max_size=3)
    ),
    max_leaves=5,
)
DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 (meant as they stand)


class TestFormulas:
    @given(st.text())
    @example("=1+1")
    @example("  =cmd|' /C calc'!A0")
    @example("'=1+1")
    @example("＝1")  # noqa: RUF001
    def test_cannot_be_written(self, text: str) -> None:
        written = without_formula(text)
        assert not written.startswith(DANGEROUS)
        assert not written.lstrip().startswith(DANGEROUS)

    @given(st.text())
    @example("'")
    @example("=1+1")
    def test_can_be_had_back(self, text: str) -> None:
        assert without_formula(text).removeprefix(APOSTROPHE) == text

    def test_are_all_that_is_changed(self) -> None:
        for text in ("", "Isabella", "a = b", "5 - 3", "<isabella@hobbs.example>", "🥐"):
            assert without_formula(text) == text


class TestCSV:
    @given(st.fixed_dictionaries({"a": PLAIN, "b, with a comma": PLAIN, "c": PLAIN}))
    def test_keeps_values_and_their_order(self, item: dict[str, Any]) -> None:
        form, columns = CSV(), ("c", "a", "b, with a comma")
        text = (form.head(columns) + form.line(item, columns)).decode()
        head, line = csv.reader(io.StringIO(text, newline=""))
        assert tuple(head) == columns
        assert line == [cell(item[column]) for column in columns]

    def test_writes_each_kind_of_value(self) -> None:
        values = (None, True, 7, 0.5, "-7", [1, "é"], {"a": None})
        cells = [cell(value) for value in values]
        assert cells == ["", "true", "7", "0.5", "'-7", '[1, "é"]', '{"a": null}']


class TestJSONLines:
    @given(st.dictionaries(st.text(max_size=5), PLAIN, max_size=4))
    def test_writes_one_line_for_an_item(self, item: dict[str, Any]) -> None:
        line = JSONLines().line(item, tuple(item))
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert json.loads(line) == item


class TestFormAsked:
    @pytest.mark.parametrize(
        ("accept", "form"),
        [
            ("", "json"),
            ("*/*", "json"),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"),
            ("image/png", "json"),
            ("text/csv", "csv"),
            ("Text/CSV; charset=utf-8; header=present", "csv"),
            ("*/*, text/csv", "csv"),
            ("text/*", "csv"),
            ("application/*", "json"),
            ("application/x-ndjson", "jsonl"),
            ("application/json, text/csv", "json"),
            ("application/json;q=0.5, text/csv", "csv"),
            ("text/csv; q=0.1, */*", "json"),
            ("text/csv;q=0", "json"),
            ("text/csv;q=nan, application/x-ndjson", "csv"),
            ("text/csv; a*=foo'bar'baz", "csv"),
            (",;=", "json"),
        ],
    )
    def test_follows_the_header(self, accept: str, form: str) -> None:
        assert form_for("", accept) == form

    @pytest.mark.parametrize(
        ("query", "form"),
        [("csv", "csv"), ("jsonl", "jsonl"), ("json", "json"), ("xml", "json")],
    )
    def test_follows_the_query_first(self, query: str, form: str) -> None:
        assert form_for(f"?format={query}", "application/x-ndjson") == form

    @given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc"])))
    def test_takes_any_header(self, accept: str) -> None:
        assert form_for("", accept) in {"json", "jsonl", "csv"}


class TestDownload:
    def test_is_made_part_by_part(self) -> None:
        made: list[int] = []

        def parts() -> Iterator[bytes]:
            for number in range(3):
                made.append(number)
                yield b"%d" % number

        async def take_one() -> bytes:
            return await anext(aiter(Download(parts())))

        assert run(take_one()) == b"0"
        assert made == [0]

    def test_is_closed_where_it_breaks_off(self) -> None:
        ended: list[str] = []

        def parts() -> Iterator[bytes]:
            try:
                yield b"a part"
                raise OSError("the database has gone")
            finally:
                ended.append("the cursor is closed")

        async def take_all(download: Download) -> None:
            async for _ in download:
                pass

        download = Download(parts())
        with pytest.raises(OSError, match="gone"):
            run(take_all(download))
        assert ended
        assert download.closed

    def test_is_the_same_before_a_synchronous_server(self) -> None:
        assert list(Download(iter([b"a", b"b"]))) == [b"a", b"b"]


def form_for(query: str, accept: str) -> str:
    """Return the name of the form that is chosen."""
    headers = {"accept": accept} if accept else {}
    request = Request(APIRequestFactory().get(f"/{query}", headers=headers))
    renderers = [JSONRenderer(), *(form() for form in LINE_FORMATS)]
    renderer, media_type = RequestedFormat().select_renderer(request, renderers)
    assert media_type == renderer.media_type
    return str(renderer.format)
