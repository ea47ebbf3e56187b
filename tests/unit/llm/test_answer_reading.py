"""The reading of sloppy answers: what can mean one thing only is read, and recorded (L2)."""

import json
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from apps.llm.answers.answer_options import ClockTime, Incidental, OneOf
from apps.llm.answers.answer_reading import answer_in
from apps.llm.answers.task_answer import InvalidAnswer, TaskAnswer

PLACES = {"places": ("", "Hobbs Cafe", "Hobbs Cafe: kitchen", "Oak Hill College")}


class Chunk(TaskAnswer):
    """A chunk of a day."""

    starts: Annotated[str, ClockTime()]
    minutes: int
    activity: str
    place: Annotated[str, OneOf("places")]
    with_agents: tuple[str, ...] = ()
    mood: Literal["calm", "in a hurry"] = "calm"
    alone: bool = False
    weight: Annotated[int, Field(ge=1, le=10), Incidental(3)]
    look: Annotated[str, Incidental("?")]


class Day(TaskAnswer):
    """Chunks, and nothing else."""

    chunks: list[Chunk]


GOOD = {
    "starts": "17:05",
    "minutes": 30,
    "activity": "cook",
    "place": "Hobbs Cafe: kitchen",
    "with_agents": ["Klaus Mueller"],
    "mood": "calm",
    "alone": False,
    "weight": 5,
    "look": "+",
}


def read(**changes: object) -> tuple[dict[str, object], list[tuple[str, str]]]:
    """Return the chunk as it is read, and the field and reason of each difference."""
    answer = answer_in(json.dumps({"chunks": [GOOD | changes]}), Day, PLACES)
    differences = [(one.field, one.reason) for one in answer.differences]
    return answer.answer.chunks[0].model_dump(mode="json"), differences


class TestReading:
    def test_keeps_a_good_answer_as_given(self) -> None:
        assert read() == (GOOD, [])

    def test_takes_the_default_of_a_field_that_is_left_out(self) -> None:
        given = {name: part for name, part in GOOD.items() if name != "mood"}
        answer = answer_in(json.dumps({"chunks": [given]}), Day, PLACES)
        assert answer.answer.chunks[0].mood == "calm"
        assert answer.differences == ()

    @pytest.mark.parametrize(
        ("field", "answered", "used", "reason"),
        [
            ("starts", "5:05 pm", "17:05", "the time of day in another form"),
            ("starts", "5:05 PM.", "17:05", "the time of day in another form"),
            ("starts", "9", "09:00", "the time of day in another form"),
            ("starts", 17, "17:00", "the time of day in another form"),
            ("starts", "17:05:00", "17:05", "the time of day in another form"),
            ("starts", "17.05 Uhr", "17:05", "the time of day in another form"),
            ("minutes", "30", 30, "a whole number in another form"),
            ("minutes", 30.0, 30, "a whole number in another form"),
            ("minutes", "30 minutes", 30, "a whole number in another form"),
            ("minutes", "30 Min.", 30, "a whole number in another form"),
            ("place", "kitchen", "Hobbs Cafe: kitchen", "the option in another form"),
            ("place", 2, "Hobbs Cafe", "the option in another form"),
            ("place", "oak hill college", "Oak Hill College", "the option in another form"),
            ("place", None, "", "null in place of an empty value"),
            ("activity", None, "", "null in place of an empty value"),
            ("with_agents", None, [], "null in place of an empty value"),
            ("with_agents", "Klaus Mueller", ["Klaus Mueller"], "one value in place of a list"),
            ("mood", "In a hurry.", "in a hurry", "the option in another form"),
            ("activity", ["cook"], "cook", "a text inside of a list or an object"),
            ("activity", {"value": "cook"}, "cook", "a text inside of a list or an object"),
            ("alone", "False", False, "a truth value in another form"),
            ("alone", "no", False, "a truth value in another form"),
            ("weight", "9/10", 9, "a whole number in another form"),
            ("weight", 11, 10, "a value that cannot be used, and decides nothing"),
            ("weight", 6.7, 7, "a value that cannot be used, and decides nothing"),
            ("weight", "high", 3, "a value that cannot be used, and decides nothing"),
            ("weight", None, 3, "a value that cannot be used, and decides nothing"),
            ("look", 7, "?", "a value that cannot be used, and decides nothing"),
            ("look", ["*"], "*", "a text inside of a list or an object"),
        ],
    )
    def test_takes_another_form_of_the_only_value_that_is_meant(
        self, field: str, answered: object, used: object, reason: str
    ) -> None:
        chunk, differences = read(**{field: answered})
        assert chunk == GOOD | {field: used}
        assert differences == [(f"chunks.1.{field}", reason)]

    def test_takes_the_name_of_a_field_in_another_spelling(self) -> None:
        given = {name: part for name, part in GOOD.items() if name != "with_agents"}
        answered = given | {"With-Agents": GOOD["with_agents"]}
        answer = answer_in(json.dumps({"Chunks": [answered]}), Day, PLACES)
        assert answer.answer.chunks[0].model_dump(mode="json") == GOOD
        assert [one.field for one in answer.differences] == ["chunks", "chunks.1.with_agents"]

    def test_costs_no_answer_for_a_field_that_decides_nothing(self) -> None:
        given = {name: part for name, part in GOOD.items() if name not in ("weight", "look")}
        answer = answer_in(json.dumps({"chunks": [given]}), Day, PLACES)
        assert answer.answer.chunks[0].model_dump(mode="json") == GOOD | {
            "weight": 3,
            "look": "?",
        }
        assert {one.field for one in answer.differences} == {"chunks.1.weight", "chunks.1.look"}

    def test_leaves_out_what_was_not_asked_for_and_says_so(self) -> None:
        chunk, differences = read(reasoning="I like to cook")
        assert chunk == GOOD
        assert differences == [("chunks.1.reasoning", "a field that was not asked for")]

    def test_takes_a_list_for_the_object_around_it(self) -> None:
        text = f"Here is the plan:\n{json.dumps([GOOD, GOOD])}"
        assert len(answer_in(text, Day, PLACES).answer.chunks) == 2

    @pytest.mark.parametrize(
        ("field", "answered"),
        [
            ("starts", "around noon"),
            ("starts", "40:00"),
            ("starts", None),
            ("minutes", "half an hour"),
            ("minutes", "1 hour"),
            ("minutes", 30.5),
            ("place", "the cafe"),
            ("place", "Hobs Cafe"),
            ("place", ["Hobbs Cafe"]),
            ("mood", "hurried"),
            ("activity", ["cook", "eat"]),
        ],
    )
    def test_guesses_nothing(self, field: str, answered: object) -> None:
        with pytest.raises(InvalidAnswer, match=f"chunks.1.{field}|chunks.0.{field}"):
            read(**{field: answered})

    def test_does_not_take_a_part_of_an_answer_for_the_whole(self) -> None:
        text = json.dumps({"chunks": [GOOD, GOOD | {"place": "garage"}]})
        with pytest.raises(InvalidAnswer, match="garage"):
            answer_in(text, Day, PLACES)

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from([*GOOD, "other"]), inner, max_size=4)
            ),
        )
    )
    def test_refuses_or_answers_any_json(self, value: object) -> None:
        try:
            answer = answer_in(json.dumps({"chunks": value}), Day, PLACES)
        except InvalidAnswer:
            return
        assert all(chunk.place in PLACES["places"] for chunk in answer.answer.chunks)
