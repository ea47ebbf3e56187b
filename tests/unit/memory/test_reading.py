"""What sentences of memory say is found: names, days, news, ties, gatherings."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.rule_model.reading.concerns import is_answered, is_pursuit, question_in
from apps.rule_model.reading.gatherings import gathering_in
from apps.rule_model.reading.moments import (
    When,
    clock_of,
    is_over,
    minute_of,
    moment_of,
    spoken,
    when_in,
    written,
)
from apps.rule_model.reading.names import people_in, subject_of, with_full_names
from apps.rule_model.reading.news import news_in, strength_of, told_in
from apps.rule_model.reading.summaries import told_by_summary, traits_in
from apps.rule_model.reading.ties import Closeness, opinion_of, tie_to
from apps.rule_model.reading.topics import place_in, topic_of

MONDAY, NOW = date(2023, 2, 13), datetime(2023, 2, 13, 9)
ISABELLA, KLAUS, MARIA, SAM = "Isabella Rodriguez", "Klaus Mueller", "Maria Lopez", "Sam Moore"
PARTY = (
    f"{ISABELLA} is planning a Valentine's Day party at Hobbs Cafe on February 14, 2023, from "
    "5:00 pm to 7:00 pm"
)
_DAYS = st.dates(date(2023, 2, 13), date(2023, 7, 31))
_MINUTES = st.integers(0, 1439)


class TestNames:
    def test_people_are_told_from_places(self) -> None:
        text = f"Did {SAM} tell {MARIA} at Hobbs Cafe on Valentine's Day?"
        assert people_in(text) == [SAM, MARIA]

    def test_some_people_are_called_like_places(self) -> None:
        assert people_in("Ryan Park is walking in Johnson Park") == ["Ryan Park"]
        assert subject_of("Ryan Park is developing an app") == "Ryan Park"
        assert place_in("a walk in Johnson Park") == "Johnson Park"

    @pytest.mark.parametrize("known", [("Klaus", KLAUS), (KLAUS, "Klaus")])
    def test_name_people_in_one_order_whatever_order_they_are_known_in(
        self, known: tuple[str, ...]
    ) -> None:
        # What is known is a set in places; both names begin at the same character.
        assert people_in(f"{KLAUS} is reading", known) == ["Klaus", KLAUS]

    def test_a_subject_begins_the_sentence(self) -> None:
        assert subject_of(PARTY) == ISABELLA
        assert subject_of("Hobbs Cafe is closing") == ""
        assert subject_of("the stove is burning") == ""
        assert subject_of("Vera lost her dog", ("Vera",)) == "Vera"

    def test_given_names_are_made_full(self) -> None:
        assert with_full_names("Sam likes Maria Lopez", [SAM, MARIA]) == f"{SAM} likes {MARIA}"


class TestMoments:
    @given(_DAYS, _DAYS, _MINUTES, _MINUTES)
    def test_what_is_said_short_is_written_out_the_same(
        self, today: date, day: date, start: int, end: int
    ) -> None:
        end = end if end > start else min(start + 60, 1439)
        if start == end:
            return
        dated = f"on {day:%B} {day.day}, {day.year}, from {clock_of(start)} to {clock_of(end)}"
        sentence = f"{ISABELLA} is planning a party {dated}"
        said = spoken(sentence, today)
        if abs((today - day).days) < 150:
            assert written(said, today) == sentence
            assert when_in(said, today) == When(day, start, end)

    @given(_MINUTES)
    def test_a_clock_is_read_as_it_is_told(self, minute: int) -> None:
        assert minute_of(clock_of(minute)) == minute

    @pytest.mark.parametrize(
        ("said", "meant"),
        [
            ("tomorrow at 5 pm", When(date(2023, 2, 14), 1020)),
            ("today from 3 to 4:30 pm", When(MONDAY, 900, 990)),
            ("tonight at 19:30", When(MONDAY, 1170)),
            ("on Thursday from 11 to 1 pm", When(date(2023, 2, 16), 660, 780)),
            ("on Monday at noon", When(date(2023, 2, 20), 720)),
            (
                "on Tuesday, February 14, from 5:00 PM to 7:00 PM",
                When(date(2023, 2, 14), 1020, 1140),
            ),
            ("on March 3rd", When(date(2023, 3, 3))),
            ("next month", When()),
        ],
    )
    def test_days_and_hours_are_found(self, said: str, meant: When) -> None:
        assert when_in(f"There is a party {said}", MONDAY) == meant

    def test_what_is_over_is_over(self) -> None:
        assert not is_over(PARTY, NOW)
        assert is_over(PARTY, datetime(2023, 2, 14, 19))
        assert not is_over("a party some day", NOW)

    def test_the_time_of_prompts_is_read(self) -> None:
        assert moment_of("Monday, February 13, 2023, 12:05 am") == datetime(2023, 2, 13, 0, 5)
        assert moment_of("now") is None


class TestNews:
    @pytest.mark.parametrize(
        "sentence",
        [
            PARTY,
            f"{SAM} will run for mayor in the local election next month",
            f"{SAM} is getting married",
            f"{SAM} lost his keys",
            f"{SAM} has been accepted at Oak Hill College",
            f"{SAM} got a new job",
            f"{SAM} is going to leave town",
        ],
    )
    def test_is_what_comes_or_has_changed(self, sentence: str) -> None:
        assert [news.core for news in news_in([sentence], NOW, ())] == [sentence]

    @pytest.mark.parametrize(
        "sentence",
        [
            f"{SAM} is studying",
            f"{SAM} is asleep",
            f"{SAM} plans to open Hobbs Cafe at Hobbs Cafe from 7:45 am to 12:00 pm on Monday, "
            "February 13",
            f"{SAM} asks everyone he meets who will run for mayor in the election next month",
            f"{SAM} is curious who will run for mayor in the election next month",
            f"{SAM} has breakfast in his house around 5:30 am",
            f"{SAM} has lived next door to {MARIA} for three years",
            f"{SAM} said to {MARIA}: Hi, I'm {SAM}. I'll run for mayor.",
            "the stove is burning",
            "Hobbs Cafe is closing",
        ],
    )
    def test_is_not_what_goes_on_anyway(self, sentence: str) -> None:
        assert news_in([sentence], NOW, ()) == []

    def test_who_told_it_is_kept_apart_from_what_is_told(self) -> None:
        told = told_in(
            f"{MARIA} told {KLAUS} that {PARTY}, which {MARIA} had heard from {ISABELLA}"
        )
        assert (told.core, told.teller, told.source) == (PARTY, MARIA, ISABELLA)

    def test_an_invitation_holds_the_news_of_the_party(self) -> None:
        told = told_in(f"{MARIA} invited {KLAUS} to {ISABELLA}'s party at Hobbs Cafe")
        assert (told.core, told.teller) == (
            f"{ISABELLA} is having a party at Hobbs Cafe",
            MARIA,
        )

    def test_what_comes_to_mind_first_and_is_dated_is_worth_most(self) -> None:
        mild, strong = f"{SAM} is planning a podcast", PARTY
        assert [news.core for news in news_in([mild, strong], NOW, ())] == [strong, mild]
        assert strength_of(PARTY, ISABELLA) > strength_of(PARTY.partition(" on ")[0], ISABELLA)

    def test_the_same_news_counts_once(self) -> None:
        memories = [PARTY, f"{MARIA} told {KLAUS} that {PARTY}"]
        assert len(news_in(memories, NOW, ())) == 1

    def test_topics_are_short(self) -> None:
        candidacy = f"{SAM} will run for mayor in the local election next month"
        assert topic_of(candidacy, SAM) == f"{SAM} running for mayor"
        assert topic_of(PARTY, ISABELLA) == f"{ISABELLA}'s Valentine's Day party at Hobbs Cafe"
        paper = f"{KLAUS} is writing a research paper on what gentrification does"
        assert topic_of(paper, KLAUS) == f"{KLAUS}'s research paper"

    def test_places_are_found(self) -> None:
        assert place_in(PARTY) == "Hobbs Cafe"
        assert place_in("a drink at The Rose and Crown Pub tonight") == "The Rose and Crown Pub"
        assert place_in(f"decorate Hobbs Cafe with {MARIA}") == "Hobbs Cafe"
        assert place_in("at home") == ""


class TestTies:
    @pytest.mark.parametrize(
        ("memory", "closeness"),
        [
            (f"{KLAUS} loves his wife, {MARIA}, who is a professor", Closeness.FAMILY),
            (f"{KLAUS} lives with his parents, John Lin and {MARIA}", Closeness.FAMILY),
            (f"{KLAUS} has been close friends for two years with {MARIA}", Closeness.CLOSE),
            (f"{KLAUS} has been friends for a year with {MARIA}", Closeness.FRIEND),
            (f"{KLAUS} knows {MARIA} as a customer of the bar", Closeness.ACQUAINTED),
            (f"{KLAUS} and {MARIA} talked about the weather", Closeness.ACQUAINTED),
            (
                f"{KLAUS} has heard of {MARIA}, but has never talked with her",
                Closeness.STRANGER,
            ),
            (f"{KLAUS} knows {SAM}, who is a colleague of his wife", Closeness.STRANGER),
            (f"{MARIA} is studying", Closeness.STRANGER),
        ],
    )
    def test_are_read_from_what_one_remembers(self, memory: str, closeness: Closeness) -> None:
        assert tie_to(MARIA, KLAUS, [memory]).closeness is closeness

    def test_many_talks_make_friends(self) -> None:
        talks = [f"{KLAUS} and {MARIA} talked about day {number}" for number in range(4)]
        assert tie_to(MARIA, KLAUS, talks).closeness is Closeness.FRIEND

    def test_feelings_are_read(self) -> None:
        assert tie_to(MARIA, KLAUS, [f"{KLAUS} has a crush on {MARIA}"]).in_love
        assert tie_to(
            MARIA, KLAUS, [f"{KLAUS} lives next door to {MARIA} and dislikes her"]
        ).dislikes
        assert opinion_of(SAM, KLAUS, [f"{KLAUS} knows {SAM} and finds him a kind man"]) == 1
        assert opinion_of(SAM, KLAUS, [f"{KLAUS} knows {SAM} and dislikes him"]) == -1
        assert opinion_of(SAM, KLAUS, []) == 0


class TestConcerns:
    def test_work_is_told_from_acts(self) -> None:
        assert is_pursuit(f"{KLAUS} is writing a research paper", KLAUS)
        assert is_pursuit(f"{KLAUS} studies sociology at Oak Hill College", KLAUS)
        assert not is_pursuit(f"{KLAUS} is drinking a coffee", KLAUS)

    def test_what_one_wants_to_know_is_found_and_whether_it_is_answered(self) -> None:
        wonders = (
            f"{KLAUS} is somewhat curious who will run for mayor in the election next month"
        )
        question = question_in(wonders, KLAUS)
        assert question == "who will run for mayor in the election next month"
        assert not is_answered(question, [wonders, PARTY])
        assert is_answered(
            question, [f"{SAM} will run for mayor in the local election next month"]
        )


class TestGatherings:
    def test_are_put_together_from_what_was_said(self) -> None:
        told = [
            f"{ISABELLA} is planning a party",
            "the party is at Hobbs Cafe",
            "tomorrow at 5 pm",
        ]
        party = gathering_in(told, MONDAY)
        assert party is not None
        assert (
            party.in_full
            == f"{ISABELLA}'s party at Hobbs Cafe on February 14, 2023, at 5:00 pm"
        )

    def test_are_not_found_in_other_words(self) -> None:
        assert gathering_in([f"{KLAUS} is writing a research paper"], MONDAY) is None


def test_summaries_are_read_as_memories() -> None:
    traits = "Innate traits: wise, humorous"
    summary = f"Name: {SAM} (age: 65)\n{traits}\n{SAM} reads. Sam will run for mayor."
    assert traits_in(summary) == {"wise", "humorous"}
    assert told_by_summary(summary, SAM) == [f"{SAM} reads", f"{SAM} will run for mayor"]
