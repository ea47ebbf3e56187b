"""Bodies, parsed within bounds."""

import io
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.api.http.parsers import DEPTH_MAX, BoundedJSONParser
from apps.api.http.request_errors import BodyTooLarge, InvalidRequest, MalformedBody
from apps.kernel.text import compose

SAID = st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t\r\x85")
KEPT = st.text(SAID, max_size=20)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | KEPT,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEPT, below, max_size=3),
    max_leaves=8,
)  # fmt: skip


def parsed(body: bytes) -> Any:
    return BoundedJSONParser().parse(io.BytesIO(body))


class TestBoundedJSONParser:
    @given(DOCUMENTS)
    def test_gives_what_was_sent(self, document: Any) -> None:
        assert parsed(json.dumps(document).encode()) == compose(document)
        assert parsed(json.dumps(document, ensure_ascii=False).encode()) == compose(document)

    def test_composes_letters_and_their_accents(self) -> None:
        sent = {"Cafe\u0301": ["Jose\u0301", {"a\u030a": 1}]}
        assert parsed(json.dumps(sent).encode()) == {"Caf\u00e9": ["Jos\u00e9", {"\u00e5": 1}]}

    @given(st.binary(max_size=60))
    def test_reads_or_refuses_anything(self, body: bytes) -> None:
        with suppress(MalformedBody, InvalidRequest):
            json.dumps(parsed(body))

    def test_allows_a_depth_that_bodies_need(self) -> None:
        assert parsed(b"[" * DEPTH_MAX + b"]" * DEPTH_MAX)
        with pytest.raises(InvalidRequest, match="nested"):
            parsed(b"[" * (DEPTH_MAX + 2) + b"]" * (DEPTH_MAX + 2))

    def test_keeps_whole_surrogate_pairs(self) -> None:
        assert parsed(b'"\\ud83c\\udfd8"') == "🏘"

    def test_refuses_what_is_too_long(self, settings: Any) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
        assert parsed(b'"12345678"') == "12345678"
        with pytest.raises(BodyTooLarge, match="10 bytes"):
            parsed(b'"123456789"')
