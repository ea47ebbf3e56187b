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
            f'{{"importances": [2, 2]}} or rather {GOOD_TEXT}',
            f"{GOOD_TEXT} That is how I see it [1].",
            json.dumps(GOOD_TEXT),
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
            ("{importances; 9}", "not valid JSON"),
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

    @pytest.mark.parametrize(
        "thoughts",
        [
            "<think>{draft}</think>",
            "<thinking>{draft}</thinking>",
            "<Thought>{draft}</Thought>",
            "<reasoning>{draft}</reasoning>",
            "<seed:think>{draft}</seed:think>",
            "[THINK]{draft}[/THINK]",
            "\u25c1think\u25b7{draft}\u25c1/think\u25b7",
            "<|START_THINKING|>{draft}<|END_THINKING|>",
            "<|begin_of_thought|>{draft}<|end_of_thought|>",
            "{draft}\n</think>",
            "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final"
            "<|message|>",
            "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final "
            "<|constrain|>json<|message|>",
            "<|channel>thought\n{draft}<channel|>",
            "analysisWe need numbers. {draft}assistantfinal",
        ],
    )
    def test_takes_no_thoughts_for_the_answer(self, thoughts: str) -> None:
        draft = '{"importances": [1, 1]}'
        before = thoughts.replace("{draft}", f"First {draft}, but that is low.")
        assert answer_in(f"{before}\n{GOOD_TEXT}", Importances).answer == GOOD
        unclosed = before.partition(draft)[0] + draft
        if unclosed.startswith(("<", "[", "\u25c1", "analysis")):
            with pytest.raises(InvalidAnswer):
                answer_in(unclosed, Importances)

    def test_takes_thoughts_that_are_held_to_the_schema(self) -> None:
        assert answer_in(f"<think>{GOOD_TEXT}</think>", Importances).answer == GOOD

    def test_leaves_marks_inside_of_an_answer_alone(self) -> None:
        remark = Remark(text="I </think> so")
        assert answer_in(remark.model_dump_json(), Remark).answer == remark

    @pytest.mark.parametrize(
        ("text", "slip"),
        [
            ('{"text": "a\nb"}', "a line feed or a tab inside a text"),
            ('{"text": "a\\nb",}', "a comma before the end"),
            ('{"text": "a\\nb" // so\n}', "a comment in the JSON"),
            ('{"text": /* so */ "a\\nb"}', "a comment in the JSON"),
            ("{'text': 'a\\nb'}", "other quotation marks than those of JSON"),
            (
                "{\u201ctext\u201d: \u201ca\\nb\u201d}",
                "other quotation marks than those of JSON",
            ),
            ('{\u201ctext": "a\\nb"}', "other quotation marks than those of JSON"),
            ('{text: "a\\nb"}', "a field name without quotation marks"),
            ('{"text"\uff1a "a\\nb"}', "a wide colon or comma"),
            ('{"text": "a\\nb"', "a missing bracket at the end"),
            ('```json\n{"text": "a\\nb"\n```', "a missing bracket at the end"),
        ],
    )
    def test_reads_a_slip_of_syntax_and_says_so(self, text: str, slip: str) -> None:
        read = answer_in(text, Remark)
        assert read.answer == Remark(text="a\nb")
        assert [one.reason for one in read.differences] == [slip]

    @pytest.mark.parametrize(
        ("text", "read"),
        [
            (r'{"text": "a\_b"}', "a_b"),
            (r"{'text': 'it\'s'}", "it's"),
            (r"{'text': 'a 😀 \ud83d\ude00'}", "a 😀 😀"),
        ],
    )
    def test_reads_signs_behind_a_backslash(self, text: str, read: str) -> None:
        assert answer_in(text, Remark).answer.text == read

    @pytest.mark.parametrize(
        "text",
        [
            "{'text': 'it's fine'}",
            r'{"text": "a\qb"}',
            '{"text": "a" "b"}',
            '{"text" "a"}',
            '{"text": "a',
            '{"text": nothing}',
            '{"text": Infinity, }',
        ],
    )
    def test_reads_nothing_that_can_mean_two_things(self, text: str) -> None:
        with pytest.raises(InvalidAnswer):
            answer_in(text, Remark)

    def test_does_not_complete_a_list(self) -> None:
        with pytest.raises(InvalidAnswer):
            answer_in('{"importances": [9, 1', Importances)

    def test_completes_nothing_that_was_cut_off(self) -> None:
        with pytest.raises(InvalidAnswer):
            answer_in('{"text": "a"', Remark, cut_off=True)

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
