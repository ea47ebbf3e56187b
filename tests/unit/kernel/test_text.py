"""The helpers for short texts."""

from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.text import clip, join_and, join_or, one_line


class TestTextHelpers:
    def test_fold_white_space(self) -> None:
        assert one_line(" open\n the\tcafe ") == "open the cafe"

    def test_join_items(self) -> None:
        assert join_and([]) == ""
        assert join_and(["a"]) == "a"
        assert join_and(["a", "b", "c"]) == "a, b and c"
        assert join_or(["a", "b"]) == "a or b"

    def test_clip_between_words(self) -> None:
        assert clip("one two three", 13) == "one two three"
        assert clip("one two three", 9) == "one two"
        assert clip("one two", 3) == "one"

    @given(st.text(), st.integers(1, 50))
    def test_clip_keeps_a_beginning_of_the_text(self, text: str, most: int) -> None:
        clipped = clip(text, most)
        assert len(clipped) <= max(most, 0)
        assert text.startswith(clipped)
