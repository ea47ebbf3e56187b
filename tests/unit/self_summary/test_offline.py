"""The stand-in's summaries say what the statements say, and nothing else (L4, S1)."""

import pytest

from apps.rule_model.model import Chance
from apps.rule_model.summary import (
    TASK_RULES,
    core_characteristics,
    daily_occupation,
    recent_progress,
)
from apps.self_summary.chains.statements import Statements, Summary

CHANCE = Chance(seed=7, chain="self_summary.x", call_id="0/isabella-rodriguez/x/0")
ISABELLA = (
    "Isabella Rodriguez is the owner of Hobbs Cafe and opens it at 8:00",
    "Isabella Rodriguez loves to make people feel welcome",
    "the counter is idle",
    "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe",
    "Isabella Rodriguez has known Arthur Burton for three years",
    "Maria Lopez is a student at Oak Hill College",
    "Isabella Rodriguez is wiping the counter",
)


def given(*statements: str) -> Statements:
    return Statements(
        agent_name="Isabella Rodriguez",
        now="Monday, February 13, 2023, 6:05 am",
        statements=statements,
    )


class TestCoreCharacteristics:
    def test_says_who_the_person_is_and_whom_they_know(self) -> None:
        assert core_characteristics(given(*ISABELLA), CHANCE) == Summary(
            summary="Isabella Rodriguez loves to make people feel welcome. "
            "Isabella has known Arthur Burton for three years."
        )

    def test_joins_sentences_and_does_not_repeat_the_full_name(self) -> None:
        summary = core_characteristics(
            given("Isabella Rodriguez is kind.", "Isabella Rodriguez likes order"), CHANCE
        ).summary
        assert summary == "Isabella Rodriguez is kind. Isabella likes order."


class TestDailyOccupation:
    def test_says_what_the_person_works(self) -> None:
        assert daily_occupation(given(*ISABELLA), CHANCE) == Summary(
            summary="Isabella Rodriguez is the owner of Hobbs Cafe and opens it at 8:00."
        )


class TestRecentProgress:
    def test_says_what_the_person_feels_and_plans(self) -> None:
        assert recent_progress(given(*ISABELLA), CHANCE) == Summary(
            summary="Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe."
        )

    def test_tells_what_has_been_going_on_where_nothing_else_is_known(self) -> None:
        assert recent_progress(given(ISABELLA[0], ISABELLA[-1]), CHANCE) == Summary(
            summary="Isabella Rodriguez has been wiping the counter."
        )


class TestOfflineAnswers:
    @pytest.mark.parametrize("chain", sorted(TASK_RULES))
    @pytest.mark.parametrize(
        "statements",
        [
            ("the counter is idle",),
            ("Isabella Rodriguez knows Maria Lopez",),
            ("Isabella Rodriguez is sleeping",),
            ("Isabella Rodriguez " + "is very kind and " * 200,),
            ("Isabella Rodriguez",),
            ("...",),
            ISABELLA * 20,
        ],
    )
    def test_are_never_blank_and_never_too_long(
        self, chain: str, statements: tuple[str, ...]
    ) -> None:
        answer = TASK_RULES[chain](given(*statements), CHANCE)
        assert isinstance(answer, Summary)
        assert answer.summary.strip()

    @pytest.mark.parametrize("chain", sorted(TASK_RULES))
    def test_say_no_word_that_was_not_given(self, chain: str) -> None:
        answer = TASK_RULES[chain](given(*ISABELLA), CHANCE)
        assert isinstance(answer, Summary)
        words = set(" ".join(ISABELLA).replace(".", "").split()) | {"has", "been"}
        assert set(answer.summary.replace(".", "").split()) <= words

    def test_tell_different_things(self) -> None:
        told = [
            answer(given(*ISABELLA), CHANCE).model_dump_json() for answer in TASK_RULES.values()
        ]
        assert len(set(told)) == 3
