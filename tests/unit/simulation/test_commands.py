"""Tests of the registry of command kinds, their bodies and their choice of ticks."""

from typing import Any

import pytest
from pydantic import ValidationError

from apps.kernel.errors import DomainError, NotFound
from apps.simulation.commands.command import (
    CommandBody,
    CommandBodyInvalid,
    Processing,
    earliest_tick,
)
from apps.simulation.commands.embodied_action import EmbodiedActionBody
from apps.simulation.commands.embodiments import control_tick
from apps.simulation.commands.interventions import InnerVoiceBody, UnusableText
from apps.simulation.commands.object_state import SetObjectStateBody, UnusableState
from apps.simulation.commands.registry import COMMANDS, CommandKindUnknown, spec_of
from apps.simulation.embodiment.requested_actions import Move, Use
from apps.simulation.models import CommandRow
from tests.support.command_schedules import FixedSchedule

KLAUS = "klaus-mueller"

# Bodies as rows store them, and as clients read them in `asked`: they stay readable.
STORED: list[tuple[str, dict[str, Any]]] = [
    (
        "add-agent",
        {
            "name": "Maria Lopez",
            "age": 21,
            "traits": ["energetic"],
            "description": "Maria Lopez studies physics",
            "hours": {"wake": "08:00", "sleep": "24:00"},
            "home": "Oak Hill College Dorm: Maria Lopez's room",
            "knows": ["Hobbs Cafe"],
        },
    ),
    ("send-away", {}),
    ("set-object-state", {"object": "Hobbs Cafe: cafe: piano", "state": "burning"}),
    ("inner-voice", {"text": "You are going to run for mayor"}),
    ("observation", {"text": "the stove is on fire"}),
    (
        "remember-interview",
        {
            "persona": "a reporter",
            "question": "Who are you?",
            "answer": "I am John.",
            "model_calls": ["1/john-lin/interview.answer/1"],
        },
    ),
    ("embody", {"embodiment": 2}),
    (
        "visit",
        {
            "embodiment": 1,
            "name": "Ada Finch",
            "description": "",
            "age": 30,
            "traits": [],
            "area": "",
        },
    ),
    ("embodied-action", {"embodiment": 1, "move": {"to": "", "tile": [70, 20]}}),
    ("embodied-action", {"embodiment": 1, "say": {"text": "Hello", "to": "", "ends": False}}),
    (
        "embodied-action",
        {
            "embodiment": 1,
            "act": {"object": "Hobbs Cafe: cafe: piano", "doing": "playing", "minutes": 5},
            "event": "3480/commands/0",
        },
    ),
    ("hand-back", {"embodiment": 2, "event": "3600/commands/0"}),
]


def never(_processing: Processing, command: CommandRow, _body: CommandBody) -> None:
    raise AssertionError(f"{command} was processed")


class TestRegistry:
    def test_has_the_kinds_of_the_http_contract_and_no_other(self) -> None:
        assert list(COMMANDS) == list(dict.fromkeys(kind for kind, _body in STORED))

    def test_has_a_body_of_its_own_for_each_module(self) -> None:
        for spec in COMMANDS.values():
            assert issubclass(spec.body, CommandBody)
            assert spec.process.__module__.startswith("apps.simulation.commands.")

    def test_refuses_an_unknown_kind_and_names_the_known_ones(self) -> None:
        with pytest.raises(CommandKindUnknown, match=r"'teleport'.*send-away"):
            spec_of("teleport")


class TestBodies:
    @pytest.mark.parametrize(("kind", "stored"), STORED)
    def test_are_stored_as_they_were_read(self, kind: str, stored: dict[str, Any]) -> None:
        body = spec_of(kind).body.model_validate(stored)
        assert body.to_json() == stored

    @pytest.mark.parametrize("kind", COMMANDS)
    def test_are_frozen_and_forbid_other_fields(self, kind: str) -> None:
        body_type = spec_of(kind).body
        stored = dict(STORED)[kind]
        with pytest.raises(ValidationError, match="Extra inputs"):
            body_type.model_validate({**stored, "mood": "good"})
        body = body_type.model_validate(stored)
        for name in body_type.model_fields:
            with pytest.raises(ValidationError, match="frozen"):
                setattr(body, name, None)

    @pytest.mark.parametrize("text", ["", " \n ", "a" * 1_001])
    def test_of_interventions_have_a_text_of_some_length(self, text: str) -> None:
        with pytest.raises(UnusableText, match="1 to 1,000"):
            InnerVoiceBody(text=text)

    def test_have_texts_on_one_line(self) -> None:
        assert InnerVoiceBody(text=" Go \n home ").text == "Go home"
        assert SetObjectStateBody(object="a: b: c", state="on\nfire").state == "on fire"

    @pytest.mark.parametrize("state", [" ", "a" * 201])
    def test_of_object_states_have_a_state_of_some_length(self, state: str) -> None:
        with pytest.raises(UnusableState, match="1 to 200"):
            SetObjectStateBody(object="a: b: c", state=state)

    def test_of_actions_have_one_action(self) -> None:
        walk = Move(to="Hobbs Cafe: cafe")
        use = Use(object="Hobbs Cafe: cafe: piano", doing="playing", minutes=5)
        assert EmbodiedActionBody(embodiment=1, move=walk).action == walk
        for inputs in ({}, {"move": walk, "act": use}):
            with pytest.raises(ValidationError, match="give one of"):
                EmbodiedActionBody.model_validate({"embodiment": 1, **inputs})

    @pytest.mark.parametrize(("to", "tile"), [("", None), ("Hobbs Cafe: cafe", (1, 2))])
    def test_of_walks_have_one_destination(self, to: str, tile: tuple[int, int] | None) -> None:
        with pytest.raises(ValidationError, match="either"):
            Move(to=to, tile=tile)


class TestCommandSpec:
    @pytest.mark.parametrize(
        ("kind", "stored", "fault"),
        [
            ("embody", {}, "embodiment: Field required"),
            ("set-object-state", {"object": "a: b: c", "state": 7}, "state: "),
            ("send-away", {"agent": "x"}, "agent: Extra inputs"),
        ],
    )
    def test_refuses_a_stored_body_that_does_not_fit(
        self, kind: str, stored: dict[str, Any], fault: str
    ) -> None:
        spec = type(spec_of(kind))(spec_of(kind).body, never)
        command = CommandRow(kind=kind, agent=KLAUS, body=stored)
        with pytest.raises(CommandBodyInvalid, match=fault):
            spec.run(None, command)  # type: ignore[arg-type]

    def test_refuses_a_stored_text_with_the_refusal_of_the_request(self) -> None:
        spec = type(spec_of("inner-voice"))(InnerVoiceBody, never)
        with pytest.raises(UnusableText):
            spec.run(None, CommandRow(kind="inner-voice", body={"text": ""}))  # type: ignore[arg-type]


class TestTicks:
    @pytest.mark.parametrize(
        ("first_free", "at_tick", "chosen"), [(5, None, 5), (5, 3, 5), (5, 9, 9), (1, 0, 1)]
    )
    def test_are_the_first_free_one_of_the_agent_and_not_before_the_requested_one(
        self, first_free: int, at_tick: int | None, chosen: int
    ) -> None:
        schedule = FixedSchedule(free_ticks={KLAUS: first_free})
        command = CommandRow(agent=KLAUS, at_tick=at_tick)
        assert earliest_tick(schedule, command) == chosen
        assert control_tick(schedule, command) == chosen

    def test_are_none_for_an_agent_that_has_left(self) -> None:
        for choose in (earliest_tick, control_tick):
            with pytest.raises(NotFound, match="has left the simulation"):
                choose(FixedSchedule(), CommandRow(agent=KLAUS))

    def test_are_none_for_the_control_of_an_agent_that_is_leaving(self) -> None:
        schedule = FixedSchedule(free_ticks={KLAUS: 5}, leaving={KLAUS: 7})
        command = CommandRow(agent=KLAUS)
        assert earliest_tick(schedule, command) == 5
        with pytest.raises(DomainError, match="about to leave"):
            control_tick(schedule, command)
