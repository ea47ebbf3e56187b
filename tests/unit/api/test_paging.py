"""Cursors."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.api.http.fields import INTEGER_MAX
from apps.api.http.paging import Paged, decode_cursor, encode_cursor, split_page
from apps.api.http.request_errors import InvalidRequest
from apps.world.node import SEPARATOR
from apps.world.tree_building import NAME_CHARACTERS_MAX

NAMES = st.text(st.characters(categories=["L", "N", "P"]), max_size=40)
NUMBERS = st.integers(min_value=0, max_value=INTEGER_MAX)


class TestCursor:
    @given(NUMBERS, NAMES, NUMBERS)
    def test_gives_back_what_it_holds(self, tick: int, stream: str, number: int) -> None:
        cursor = encode_cursor(tick, stream, number)
        assert decode_cursor(cursor, int, str, int) == (tick, stream, number)
        assert cursor.replace("-", "").replace("_", "").isalnum()

    @given(st.text(max_size=60))
    def test_is_read_or_refused_whatever_it_is(self, cursor: str) -> None:
        with suppress(InvalidRequest):
            assert decode_cursor(cursor, str)

    @pytest.mark.parametrize(
        "keys", [(), (1, 2), (True,), (-1,), (2**31,), ("a",), ([1],), (None,), (1.0,)]
    )
    def test_of_other_keys_is_refused(self, keys: tuple[int, ...]) -> None:
        with pytest.raises(InvalidRequest):
            decode_cursor(encode_cursor(*keys), int)

    @pytest.mark.parametrize("letter", ["a", '"', "я", "町", "𐌀"])
    def test_of_the_longest_path_is_taken(self, letter: str) -> None:
        path = SEPARATOR.join([letter * NAME_CHARACTERS_MAX] * 3)
        asked = Paged(data={"cursor": encode_cursor("0" * 12, path)})
        assert asked.is_valid(), asked.errors
        assert decode_cursor(asked.validated_data["cursor"], str, str) == ("0" * 12, path)

    def test_is_none_on_the_first_page(self) -> None:
        assert decode_cursor(None, int) is None


class TestSplitPage:
    @pytest.mark.parametrize(("limit", "more"), [(1, True), (2, True), (3, False), (4, False)])
    def test_knows_whether_there_are_more(self, limit: int, more: bool) -> None:
        assert split_page([1, 2, 3], limit) == ([1, 2, 3][:limit], more)
