"""Cursors."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.api.http.fields import INTEGER_MAX
from apps.api.http.lists import Paged, decode_cursor, encode_cursor
from apps.api.http.request_errors import InvalidRequest
from apps.kernel.names import NAME_CHARACTERS_MAX
from apps.world.tree import SEPARATOR

NAMES = st.text(st.characters(categories=["L", "N", "P"]), max_size=40)
NUMBERS = st.integers(min_value=0, max_value=INTEGER_MAX)


class TestCursor:
    @given(NUMBERS, NAMES, NUMBERS)
    def test_gives_back_what_it_holds(self, tick: int, stream: str, number: int) -> None:
        cursor = encode_cursor(tick, stream, number)
        assert decode_cursor(cursor) == [tick, stream, number]
        assert cursor.replace("-", "").replace("_", "").isalnum()

    @given(st.text(max_size=60))
    def test_is_rejected_unless_the_service_made_it(self, cursor: str) -> None:
        with pytest.raises(InvalidRequest) as rejected:
            decode_cursor(cursor)
        assert rejected.value.errors[0].code == "unusable-cursor"

    def test_never_holds_other_keys_once_it_was_changed(self) -> None:
        cursor = encode_cursor(1, "klaus-mueller")
        for place, character in enumerate(cursor):
            other = "A" if character != "A" else "B"
            changed = f"{cursor[:place]}{other}{cursor[place + 1 :]}"
            with suppress(InvalidRequest):
                assert decode_cursor(changed) == [1, "klaus-mueller"]

    @pytest.mark.parametrize("letter", ["a", '"', "я", "町", "𐌀"])
    def test_of_the_longest_path_is_taken(self, letter: str) -> None:
        path = SEPARATOR.join([letter * NAME_CHARACTERS_MAX] * 3)
        sent = Paged(data={"cursor": encode_cursor("0" * 12, 4_000, path)})
        assert sent.is_valid(), sent.errors
        assert decode_cursor(sent.validated_data["cursor"]) == ["0" * 12, 4_000, path]
