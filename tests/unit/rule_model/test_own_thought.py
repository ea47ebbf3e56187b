"""An inner voice becomes a thought, a deed, a place and minutes, in any world."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agents.status import AgentStatus
from apps.agents.summary import AgentSummary
from apps.planning.inputs import OwnThoughtInput
from apps.planning.llm_tasks.own_thought import MINUTES_NOW_MAX, OwnThought
from apps.rule_model.tasks import task_rules
from tests.unit.rule_model.lives import chance, content

OSRIC = "Osric Penhale"
NOW = datetime(1147, 3, 5, 14, 0)


def thought_of(
    voice: str, *, name: str = OSRIC, now: datetime = NOW, known_places: tuple[str, ...] = ()
) -> OwnThought:
    rule = task_rules(content())["planning.own_thought"]
    answer: OwnThought = rule(
        OwnThoughtInput(
            agent_name=name,
            summary=AgentSummary(name=name, age=34, traits=("shy",)),
            now=now,
            status=AgentStatus(agent_name=name, activity="copying the psalter"),
            voice=voice,
            known_places=known_places,
        ),
        chance("own_thought", voice),
    )
    return answer


class TestThought:
    @pytest.mark.parametrize(
        ("voice", "thought"),
        [
            ("You are afraid of the prior.", "Osric Penhale is afraid of the prior"),
            ("You have never seen the sea.", "Osric Penhale has never seen the sea"),
            ("You want to confess.", "Osric Penhale wants to confess"),
            ("Your hands are cold.", "Osric Penhale's hands are cold"),
            ("The prior trusts you.", "The prior trusts Osric Penhale"),
            ("You should tell Aldwin of your fault.",
             "Osric Penhale should tell Aldwin of Osric Penhale's fault"),
            ("Confess to the prior.", "Osric Penhale is going to confess to the prior"),
            ("I'm tired of this.", "Osric Penhale is tired of this"),
        ],
    )  # fmt: skip
    def test_is_in_the_third_person(self, voice: str, thought: str) -> None:
        assert thought_of(voice).thought == thought

    @given(st.text(max_size=700))
    def test_names_the_agent_and_keeps_its_bounds(self, voice: str) -> None:
        answer = thought_of(voice)
        assert OSRIC in answer.thought
        assert 0 <= answer.minutes_now <= MINUTES_NOW_MAX

    def test_says_when_tomorrow_is(self) -> None:
        answer = thought_of("You will go to the sea tomorrow.")
        assert "on March 6, 1147" in answer.deed


class TestDeed:
    @pytest.mark.parametrize(
        ("voice", "deed"),
        [
            ("You are going to stand for abbot.", "stand for abbot"),
            ("You must never lie again.", ""),
            ("You are tired.", ""),
            ("Klaus likes you.", ""),
            ("It is raining.", ""),
            ("You are too tired to give a feast. Cancel it.", ""),
            ("You have promised a feast. Call it off!", ""),
            ("You should tell everyone that the bishop comes.",
             "tell everyone that the bishop comes"),
        ],
    )  # fmt: skip
    def test_is_what_there_is_to_do(self, voice: str, deed: str) -> None:
        assert thought_of(voice).deed == deed

    def test_of_an_errand_has_a_day(self) -> None:
        assert thought_of("Visit the goats.").deed == "visit the goats on March 5, 1147"
        late = datetime(1147, 3, 5, 20, 30)
        assert thought_of("Visit the goats.", now=late).deed.endswith("on March 6, 1147")

    def test_names_a_place_that_is_known(self) -> None:
        known = ("The Abbey: Dormitory", "The Abbey: The Refectory")
        go = "Go to The Refectory now."
        assert thought_of(go, known_places=known).place == "The Abbey: The Refectory"
        assert thought_of(go).place == ""


class TestMinutes:
    def test_are_some_for_what_is_done_at_once(self) -> None:
        assert thought_of("Wash the brushes right now.").minutes_now > 0
        assert thought_of("Wash the brushes at once for ten minutes.").minutes_now == 10

    def test_are_none_for_what_has_time_or_needs_a_listener(self) -> None:
        assert thought_of("You will wash the brushes.").minutes_now == 0
        assert thought_of("Tell Wulfstan right now that you are sorry.").minutes_now == 0
