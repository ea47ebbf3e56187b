"""Asking until the answer is valid (L2)."""

import pytest

from apps.llm.calls.answering import AnswerOutcome, CallFailed, ask_until_valid
from apps.llm.port import ModelUnavailable
from tests.model_server.example import (
    GOOD,
    GOOD_TEXT,
    IMPORTANCES,
    INPUTS,
    Importances,
    request,
)
from tests.support.llm_doubles import ScriptedModel


def scripted(*answers: str | Exception) -> ScriptedModel:
    return ScriptedModel({IMPORTANCES.name: list(answers)})


class TestAskUntilValid:
    def test_takes_a_valid_answer_at_once(self) -> None:
        answered = ask_until_valid(IMPORTANCES, INPUTS, request(), scripted(GOOD_TEXT))
        assert (answered.answer, answered.outcome) == (GOOD, AnswerOutcome.VALID)
        assert len(answered.attempts) == 1

    def test_asks_again_with_what_was_wrong(self) -> None:
        model = scripted('{"importances": [99, 1]}', GOOD_TEXT)
        answered = ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert (answered.answer, answered.outcome) == (GOOD, AnswerOutcome.REPAIRED)
        told = model.asked[1].messages
        assert told[:2] == model.asked[0].messages
        assert told[2].content == '{"importances": [99, 1]}'
        assert "less than or equal to 10" in told[3].content

    def test_asks_again_with_what_the_check_says(self) -> None:
        model = scripted('{"importances": [1]}', GOOD_TEXT)
        answered = ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert answered.attempts[0].error == "give exactly 2 numbers"
        assert "give exactly 2 numbers" in model.asked[1].messages[-1].content

    def test_does_not_let_the_messages_grow_with_every_attempt(self) -> None:
        model = scripted("no", "never", GOOD_TEXT)
        ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert [len(asked.messages) for asked in model.asked] == [2, 4, 4]

    def test_falls_back_by_name_after_three_attempts(self) -> None:
        model = scripted("no", "never", "not I")
        answered = ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert answered.answer == Importances(importances=[3, 3])
        assert (answered.outcome, answered.fallback) == (AnswerOutcome.FELL_BACK, "middling")
        assert [attempt.completion.text for attempt in answered.attempts] == [
            "no",
            "never",
            "not I",
        ]

    def test_asks_no_third_time_for_an_answer_that_is_repeated(self) -> None:
        model = scripted("no", "no", GOOD_TEXT)
        answered = ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert (answered.outcome, len(model.asked)) == (AnswerOutcome.FELL_BACK, 2)

    def test_keeps_what_was_paid_before_the_model_went_away(self) -> None:
        model = scripted("no", ModelUnavailable("gone"))
        with pytest.raises(CallFailed) as failed:
            ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert failed.value.error.message == "gone"
        assert len(failed.value.attempts) == 1
