"""What the stand-in reads out of phrases."""

import pytest

from apps.rule_model.planning.clauses import clauses_of, minute_of, own_sentences

NAME = "Klaus Mueller"


class TestClausesOf:
    @pytest.mark.parametrize(
        ("sentence", "read"),
        [
            (
                "opens Hobbs Cafe at 8:00 am and stands behind its counter until 8:00 pm, when "
                "she closes it",
                [("opens Hobbs Cafe and stands behind its counter", 480, 1_200)],
            ),
            (
                "writes in the library from 8:00 am to 12:00 pm and from 1:30 pm to 5:00 pm",
                [("writes in the library", 480, 720), ("writes in the library", 810, 1_020)],
            ),
            (
                "has lunch at Hobbs Cafe around 12:30 pm",
                [("has lunch at Hobbs Cafe", 750, None)],
            ),
            (
                "takes classes from 10:00 to 14:00, then studies in its library until 17:00",
                [("takes classes", 600, 840), ("studies in its library", 840, 1_020)],
            ),
            ("gives a party from 5 to 7 pm", [("gives a party", 1_020, 1_140)]),
            ("tends the bar from 8:00 pm to 1:00 am", [("tends the bar", 1_200, 1_500)]),
            ("is kind to everybody", []),
        ],
    )
    def test_finds_times_and_what_they_are_for(
        self, sentence: str, read: list[tuple[str, int, int | None]]
    ) -> None:
        found = [(clause.text, clause.start, clause.end) for clause in clauses_of(sentence)]
        assert found == read

    def test_finds_parts_of_the_day_and_hours_a_day(self) -> None:
        sentence = "runs in the park in the morning, plays games six hours a day"
        found = [(clause.part, clause.hours) for clause in clauses_of(sentence)]
        assert found == [("morning", 0), ("", 6)]


class TestOwnSentences:
    def test_leaves_out_what_is_about_others(self) -> None:
        texts = [
            "Klaus Mueller is a student; Maria Lopez plays games. She sleeps late",
            "Klaus eats at Hobbs Cafe. He likes it",
        ]
        assert own_sentences(NAME, texts) == ["is a student", "eats at Hobbs Cafe", "likes it"]


class TestMinuteOf:
    @pytest.mark.parametrize(
        ("text", "minute"),
        [
            ("8:00 am", 480),
            ("12:30 pm", 750),
            ("17:30", 1_050),
            ("noon", 720),
            ("midnight", 1_440),
        ],
    )
    def test_reads_clocks(self, text: str, minute: int) -> None:
        assert minute_of(text) == minute
