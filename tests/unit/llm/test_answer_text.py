"""Typed answers out of a model's raw words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from apps.llm.answers.answer_reading import answer_in
from apps.llm.answers.task_answer import InvalidAnswer
from tests.model_server.example import GOOD, GOOD_TEXT, Importances


class Remark(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    weight: float = 1.0


class TestAnswerIn:
    @pytest.mark.parametrize(
        "text",
        [
            GOOD_TEXT,
            f"  {GOOD_TEXT}\n",
            f"```json\n{GOOD_TEXT}\n```",
            f"Sure! Here you are: {GOOD_TEXT} Anything else?",
            f"<think>They want {{numbers}}: maybe {{}}</think>{GOOD_TEXT}",
            f"I first thought {{1, 2}} but then {GOOD_TEXT}",
            f'{{"answer": {GOOD_TEXT}}}',
            f"{{oh}} {GOOD_TEXT}",
            f'{GOOD_TEXT} {{"importances": [2, 2]}}',
        ],
    )
    def test_finds_the_object_wherever_it_stands(self, text: str) -> None:
        assert answer_in(text, Importances).answer == GOOD

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("", "no complete JSON object"),
            ("la la la", "no complete JSON object"),
            ('{"importances": [9,', "no complete JSON object"),
            ('{"importances": [9, 11]}', r"importances.1: Input should be less than or equal"),
            ("{importances: 9}", "not valid JSON"),
            ('{"importances": NaN}', "NaN is not a number"),
            (
                '{"importances": ' + "[" * 50_000 + "]" * 50_000 + "}",
                "not valid JSON|no complete",
            ),
            ("{" * 60_000, "not valid JSON"),
        ],
    )
    def test_says_what_is_wrong(self, text: str, told: str) -> None:
        with pytest.raises(InvalidAnswer, match=told):
            answer_in(text, Importances)

    def test_names_no_more_than_a_few_problems(self) -> None:
        with pytest.raises(InvalidAnswer, match="and 15 more"):
            answer_in(json.dumps({"importances": ["x"] * 20}), Importances)

    def test_leaves_no_text_that_cannot_be_stored(self) -> None:
        remark = answer_in(r'{"text": "a\u0000b\ud800c\u001b\n"}', Remark).answer
        assert remark.text == "ab\ufffdc\n"

    def test_believes_no_infinity(self) -> None:
        with pytest.raises(InvalidAnswer):
            answer_in('{"text": "x", "weight": 1e999}', Remark)

    @given(st.text(max_size=400))
    def test_refuses_or_answers_whatever_comes(self, text: str) -> None:
        try:
            answer = answer_in(text, Importances).answer
        except InvalidAnswer:
            return
        assert isinstance(answer, Importances)

    @given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
    def test_finds_an_answer_amid_any_prose(self, before: str, text: str, after: str) -> None:
        said = json.dumps({"text": text})
        prose = before.replace("{", "(").replace("<think>", ""), after.replace("{", "(")
        found = answer_in(f"{prose[0]}{said}{prose[1]}", Remark)
        assert found == answer_in(said, Remark)
