"""The document on the quality of retrieval, and its questions."""

from collections import Counter

from benchmarks.retrieval_table import (
    FOCUS_FIRST,
    KINDS,
    NOT_DISTANT,
    TABLE,
    read_results,
    table,
)
from tests.support.retrieval_measure import VARIANTS, found
from tests.support.retrieval_questions import ANSWERS, STREAMS, questions

TEXTS = dict(enumerate("abcdefgh", 1)) | {9: "a"}


class TestFound:
    def test_counts_what_answers_or_helps_among_the_first(self) -> None:
        one = found({1: 1, 2: 2, 8: 1}, TEXTS, [3, 1, 4, 5, 6, 2])
        assert (one.precision, one.best, one.answered) == (0.2, 0.6, False)
        assert one.recall == 2 / 3

    def test_counts_repetitions_once(self) -> None:
        one = found({1: 2, 9: 2}, TEXTS, [9])
        assert (one.precision, one.best, one.recall, one.answered) == (0.2, 0.2, 1.0, True)

    def test_looks_at_the_first_fifteen_for_recall(self) -> None:
        texts = {number: str(number) for number in range(1, 31)}
        one = found({16: 2, 15: 1}, texts, list(range(1, 31)))
        assert one.recall == 0.5


class TestQuestions:
    def test_are_enough_of_each_kind(self) -> None:
        kinds = Counter(question.kind for question in questions())
        assert set(kinds) == {*KINDS} - {"all"}
        assert min(kinds.values()) >= 12
        assert sum(kinds.values()) >= 60

    def test_have_an_answer_each(self) -> None:
        assert all(ANSWERS in question.grades.values() for question in questions())

    def test_ask_once(self) -> None:
        asked = [(one.agent, one.query, one.as_of_tick) for one in questions()]
        assert len(set(asked)) == len({one.id for one in questions()}) == len(asked)

    def test_rest_on_a_small_file(self) -> None:
        assert STREAMS.stat().st_size < 1_000_000


class TestTable:
    def test_has_every_variant(self) -> None:
        names = [variant.name for variant in VARIANTS]
        for result in read_results():
            # Vectors of packages are measured where the packages are installed.
            is_hashed = result["embedding"].startswith("hashing")
            missing = set() if is_hashed else {NOT_DISTANT, FOCUS_FIRST}
            assert [*result["variants"]] == [name for name in names if name not in missing]

    def test_is_up_to_date(self) -> None:
        assert table(read_results()) == TABLE.read_text(encoding="utf-8")
