"""The helpers for short texts."""

from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.text import clip, in_markdown, join_and, join_or, one_line, shortened


class TestMarkdown:
    @given(st.text())
    def test_of_any_text_has_one_line(self, text: str) -> None:
        assert len(in_markdown(text).splitlines()) <= 1

    def test_has_no_tag_and_no_markup(self) -> None:
        assert in_markdown("<b>a|b</b> _c_ &lt;") == r"\<b\>a\|b\</b\> \_c\_ \&lt;"
        assert in_markdown("valued_share") == "valued_share"


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

    def test_shortened_texts_end_with_a_sentence(self) -> None:
        assert shortened("It rains. Tom reads.", 20) == "It rains. Tom reads."
        assert shortened("It is late. It rains. Tom reads.", 25) == "It is late. It rains."
        assert shortened('He said: "Come!" She came.', 18) == 'He said: "Come!"'

    def test_shortened_texts_without_a_sentence_end_with_a_word(self) -> None:
        assert shortened("It rains. Tom reads the paper, slowly", 34) == (
            "It rains. Tom reads the paper …"
        )

    @given(st.text(), st.integers(1, 50))
    def test_shortened_texts_keep_to_their_length(self, text: str, most: int) -> None:
        assert len(shortened(text, most)) <= most

    @given(st.text(), st.integers(1, 50))
    def test_clip_keeps_a_beginning_of_the_text(self, text: str, most: int) -> None:
        clipped = clip(text, most)
        assert len(clipped) <= max(most, 0)
        assert text.startswith(clipped)
