"""Options of answers: an enumeration for the server, and keys for the program (L2, W2)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from apps.llm.answers.answer_options import (
    DATE_FORM,
    DATE_OR_TIME_FORM,
    EMOJI_FORM,
    ClockTime,
    Incidental,
    OneOf,
    Options,
    call_schema,
    key_meant,
)
from apps.llm.answers.answer_reading import OTHER_FORM, UNKNOWN_FIELD, answer_in
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.json_schema import (
    Variant,
    as_asked,
    fields_in_words,
    schema_of,
    strict_schema,
    with_bounds,
    with_variants,
)
from apps.llm.answers.task_answer import InvalidAnswer, TaskAnswer
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.prompts.sections import COMMON
from apps.llm.prompts.template import PromptTemplate
from apps.llm.prompts.values import PromptValue, data_list
from apps.llm.task import LLMTask
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

HOUSE = "Lin family's house"
ROOMS = (
    f"{HOUSE}: Eddy Lin's bedroom",
    f"{HOUSE}: Mei and John Lin's bedroom",
    f"{HOUSE}: bathroom",
    f"{HOUSE}: kitchen",
    "Hobbs Cafe: kitchen",
)


class Step(TaskAnswer):
    """A step in a room."""

    what: str
    room: Annotated[str, OneOf("rooms")] = Field(description="one of the rooms")


class Find(TaskAnswer):
    """A thing of an earlier list."""

    key: Annotated[str, OneOf("things")]


class Search(TaskAnswer):
    """What is searched, and what of earlier lists is found."""

    what: str
    found: tuple[Find, ...] = ()
    lost: tuple[Annotated[str, OneOf("things")], ...] = ()


class Steps(TaskAnswer):
    """Steps, and the room of the end, if there is one."""

    steps: list[Step]
    last: Annotated[str, OneOf("rooms")] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The rooms that are offered."""

    rooms: tuple[str, ...] = ROOMS


def _fill(inputs: House) -> Mapping[str, PromptValue]:
    return {"rooms": data_list(inputs.rooms)}


def offer(inputs: House) -> Options:
    return {"rooms": inputs.rooms}


def stay(inputs: House) -> Steps:
    return Steps(steps=[Step(what="wait", room=inputs.rooms[0])])


def at_most_two(_: House, answer: Steps) -> Adjusted[Steps]:
    left_out = tuple(
        Difference(
            field=f"steps.{number}", answered=step.what, used="", reason="more than two steps"
        )
        for number, step in enumerate(answer.steps[2:], start=3)
    )
    return Adjusted(answer.model_copy(update={"steps": answer.steps[:2]}), left_out)


TEMPLATE = PromptTemplate.parse(
    '## common\n## task\n<quoted source="rooms">\n$rooms\n</quoted>\nWhere?',
    trusted=(),
    shared={COMMON: "You plan."},
)
STEPS = LLMTask(
    name="example.steps",
    template=lambda _: TEMPLATE,
    input_type=House,
    answer_type=Steps,
    variables=_fill,
    fallback=stay,
    decision=None,
    options=offer,
    adjust=at_most_two,
)


def room_of(answered: str) -> tuple[str, tuple[Difference, ...]]:
    given = {"steps": [{"what": "play", "room": answered}], "last": None}
    read = answer_in(json.dumps(given), Steps, {"rooms": ROOMS})
    return read.answer.steps[0].room, read.differences


class TestSchema:
    def test_lists_the_keys_of_the_call_wherever_the_set_is_named(self) -> None:
        schema = call_schema(schema_of(Steps), {"rooms": ROOMS})
        assert schema["$defs"]["Step"]["properties"]["room"]["enum"] == list(ROOMS)
        choices = schema["properties"]["last"]["anyOf"]
        assert {"type": "string", "enum": list(ROOMS)} in choices
        assert "x-option-set" not in str(strict_schema(schema))

    def test_is_that_of_one_call(self) -> None:
        before = str(schema_of(Steps))
        call_schema(schema_of(Steps), {"rooms": ROOMS})
        assert str(schema_of(Steps)) == before

    def test_needs_keys_for_every_set_that_is_named(self) -> None:
        with pytest.raises(AssertionError, match="no keys of the set 'rooms'"):
            call_schema(schema_of(Steps), {"rooms": ()})

    def test_has_no_field_that_cannot_apply(self) -> None:
        schema = call_schema(schema_of(Search), {"things": ()})
        assert list(schema["properties"]) == ["what"]
        assert schema["$defs"] == {}
        whole = call_schema(schema_of(Search), {"things": ("key", "lamp")})
        assert list(whole["properties"]) == ["what", "found", "lost"]
        assert list(whole["$defs"]) == ["Find"]

    def test_reads_an_answer_without_the_field_that_cannot_apply(self) -> None:
        empty = '{"what": "shed", "found": [], "lost": []}'
        assert answer_in(empty, Search, {"things": ()}) == Adjusted(Search(what="shed"), ())
        made_up = answer_in('{"what": "shed", "lost": ["lamp"]}', Search, {"things": ()})
        assert made_up.answer == Search(what="shed")
        assert [one.reason for one in made_up.differences] == [UNKNOWN_FIELD]


class Meeting(TaskAnswer):
    """An answer with fields of a fixed form."""

    starts: Annotated[str, ClockTime()] | None = Field(description="when it begins")
    date: str = Field(
        description='on which day, such as "2023-02-14"', json_schema_extra=DATE_FORM
    )
    until: str = Field(description="the last date", json_schema_extra=DATE_OR_TIME_FORM)
    look: Annotated[str, Incidental("")] = Field(
        description="emoji", json_schema_extra=EMOJI_FORM
    )
    told: tuple[int, ...] = Field(description="the numbers of the statements")
    steps: list[Step] = Field(description="what is done, in order")
    last: Step | None = Field(default=None, description="what is done, in order")


class TestForms:
    @pytest.mark.parametrize(
        ("field", "fits", "does_not"),
        [
            ("starts", "09:05 23:59", "9:05 24:00 09:60 noon"),
            ("date", "2023-02-14 1890-12-31", "2023-02-32 2023-2-14 today"),
            ("until", ",2023-02-14,2023-02-14T19:00,2023-02-14 19:00", "tonight 19:00"),
            ("look", "\U0001f634 \u2615\U0001f950", "sleeping \u2615\u2615\u2615"),
        ],
    )
    def test_are_in_the_schema(self, field: str, fits: str, does_not: str) -> None:
        schema = call_schema(schema_of(Meeting), {"rooms": ROOMS})["properties"][field]
        pattern = re.compile((schema["anyOf"][0] if "anyOf" in schema else schema)["pattern"])
        assert all(map(pattern.search, fits.split("," if "," in fits else " ")))
        assert not any(map(pattern.search, does_not.split()))

    def test_have_the_bounds_of_the_call(self) -> None:
        schema = call_schema(schema_of(Meeting), {"rooms": ROOMS})
        bounded = with_bounds(schema, lengths={"steps": (1, 3)}, numbers={"told": (1, 7)})
        steps, told = (bounded["properties"][field] for field in ("steps", "told"))
        assert (steps["minItems"], steps["maxItems"]) == (1, 3)
        assert told["items"] == {"type": "integer", "minimum": 1, "maximum": 7}
        assert "minItems" not in schema["properties"]["steps"]

    def test_are_told_in_words_once(self) -> None:
        schema = call_schema(schema_of(Meeting), {"rooms": ROOMS})
        assert fields_in_words(schema).splitlines() == [
            "- starts: when it begins",
            "- date: on which day",
            "- until: the last date",
            "- look: emoji",
            "- told: the numbers of the statements; a list",
            "- steps: what is done, in order; a list",
            "  - what",
            "  - room: one of the rooms",
            "- last: as above",
            "  - what",
            "  - room: as above",
        ]


class Choice(TaskAnswer):
    """A choice, and what it needs."""

    choice: str
    whom: int = Field(default=0, description="the number of the person")
    say: str = Field(default="", description='the words, such as "Hello"')


class TestVariants:
    SCHEMA = with_variants(
        call_schema(schema_of(Choice), {}),
        (
            Variant(value="wait", meaning="do nothing"),
            Variant(
                value="talk", meaning="talk now", fields=("whom", "say"), numbers={"whom": [2]}
            ),
            Variant(
                value="later", meaning="talk later", fields=("whom",), numbers={"whom": [2, 4]}
            ),
        ),
    )

    def test_have_the_fields_that_apply_behind_the_choice(self) -> None:
        forms = strict_schema(self.SCHEMA)["properties"]["answer"]["anyOf"]
        assert [form["required"] for form in forms] == [
            ["choice"], ["choice", "whom", "say"], ["choice", "whom"],
        ]  # fmt: skip
        assert [form["properties"]["choice"]["enum"] for form in forms] == [
            ["wait"], ["talk"], ["later"],
        ]  # fmt: skip
        assert [form["properties"]["whom"]["enum"] for form in forms[1:]] == [[2], [2, 4]]

    def test_are_told_in_words_once(self) -> None:
        assert fields_in_words(self.SCHEMA).splitlines() == [
            "- answer: one of these",
            '  - do nothing: {"choice": "wait"}',
            '  - talk now: {"choice": "talk", "whom": …, "say": …}',
            '  - talk later: {"choice": "later", "whom": …}',
            "  - whom: the number of the person",
            "  - say: the words",
        ]

    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ('{"answer": {"choice": "wait"}}', Choice(choice="wait")),
            ('{"choice": "later", "whom": 4}', Choice(choice="later", whom=4)),
        ],
    )
    def test_are_read_with_and_without_the_field_around_them(
        self, text: str, answer: Choice
    ) -> None:
        assert answer_in(text, Choice) == Adjusted(answer)

    def test_are_written_in_the_form_that_was_asked_for(self) -> None:
        given = Choice(choice="later", whom=4).model_dump()
        asked = {"answer": {"choice": "later", "whom": 4}}
        assert as_asked(self.SCHEMA, given) == asked
        assert as_asked(self.SCHEMA, asked) == asked


class TestReading:
    @given(st.sampled_from(ROOMS))
    def test_keeps_a_key_as_it_is(self, key: str) -> None:
        assert room_of(key) == (key, ())

    @pytest.mark.parametrize(
        ("answered", "key"),
        [
            ("Eddy Lin's bedroom", ROOMS[0]),
            ("lin family's house: BATHROOM", ROOMS[2]),
            (f' "{ROOMS[3]}". ', ROOMS[3]),
            ("4", ROOMS[3]),
            ("4.", ROOMS[3]),
            ("3) bathroom", ROOMS[2]),
            (f"5. {ROOMS[4]}", ROOMS[4]),
            (f"Smallville: {ROOMS[0]}", ROOMS[0]),
        ],
    )
    def test_takes_another_form_of_one_key_and_records_it(
        self, answered: str, key: str
    ) -> None:
        difference = Difference(
            field="steps.1.room", answered=answered, used=key, reason=OTHER_FORM
        )
        assert room_of(answered) == (key, (difference,))

    @pytest.mark.parametrize(
        "answered",
        ["bedroom", "garage", "Moore family's house", "kitchen", "", "9", "2. bathroom"],
    )
    def test_takes_nothing_that_is_only_similar_or_means_several(self, answered: str) -> None:
        with pytest.raises(InvalidAnswer, match=r'"steps\.1\.room".*one of "Lin family'):
            room_of(answered)

    @given(st.text(max_size=30), st.lists(st.text(min_size=1, max_size=8), max_size=6))
    def test_returns_an_offered_key_or_none(self, answered: str, keys: Sequence[str]) -> None:
        assert key_meant(answered, keys) in (None, *keys)


class TestCall:
    def test_offers_the_keys_to_the_server(self) -> None:
        model = ScriptedModel({STEPS.name: stay(House())})
        agent_llm_in_memory(model).ask(STEPS, House())
        room = model.asked[0].json_schema["$defs"]["Step"]["properties"]["room"]  # type: ignore[index]
        assert room["enum"] == list(ROOMS)

    def test_is_asked_again_with_the_options_before_it_falls_back(self) -> None:
        wrong = '{"steps": [{"what": "look", "room": "garage"}]}'
        model = ScriptedModel({STEPS.name: [wrong, wrong, wrong]})
        llm = agent_llm_in_memory(model)
        assert llm.ask(STEPS, House()) == stay(House())
        correction = model.asked[1].messages[-1].content
        assert "garage" in correction
        assert ROOMS[4] in correction
        [call] = llm.call_log.calls.values()
        assert (call.outcome, call.fallback) == ("fell_back", "stay")

    def test_records_what_is_done_in_place_of_what_was_answered(self) -> None:
        rooms = ["3", ROOMS[0], ROOMS[0]]
        given = [{"what": f"step {number}", "room": room} for number, room in enumerate(rooms)]
        model = ScriptedModel({STEPS.name: json.dumps({"steps": given})})
        llm = agent_llm_in_memory(model)
        answer = llm.ask(STEPS, House())
        assert [step.room for step in answer.steps] == [ROOMS[2], ROOMS[0]]
        [call] = llm.call_log.calls.values()
        assert call.outcome == AnswerOutcome.ADJUSTED
        assert [one["field"] for one in call.differences] == ["steps.1.room", "steps.3"]
        assert '"3"' in str(call.attempts[0]["raw"])

    def test_keeps_an_answer_as_given(self) -> None:
        text = Steps(steps=[Step(what="rest", room=ROOMS[1])]).model_dump_json()
        llm = agent_llm_in_memory(ScriptedModel({STEPS.name: text}))
        assert llm.ask(STEPS, House()).model_dump_json() == text
        [call] = llm.call_log.calls.values()
        assert (call.outcome, call.differences) == (AnswerOutcome.VALID, ())
