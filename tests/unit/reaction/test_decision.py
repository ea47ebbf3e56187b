"""The LLM task of reacting: what its prompt has, and what becomes of its answer."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.phrases import DEED_IMPORTANCE_MIN
from apps.agents.status import Acquaintance, LastTalk
from apps.llm.prompts.quoting import ITEM_CHARACTERS_MAX
from apps.reaction.inputs import (
    DecisionInput,
    KnockHeard,
    Observed,
    ObservedAgent,
    ObservedObject,
    Obstacle,
    ReasonToTalk,
    TalkReason,
    UserObservation,
)
from apps.reaction.llm_tasks import (
    DECISION,
    MINUTES_DEFAULT,
    MINUTES_MAX,
    Decision,
    Reaction,
    decide_reaction,
)
from tests.support.inputs import (
    ALDWIN,
    OSRIC,
    OSRICS_SUMMARY,
    at,
    check,
    memory,
    planned,
    status,
    texts_of,
)
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory
from tools.world_rehearsal import done_as

WULFSTAN = "Wulfstan Cook"
PRIOR = ObservedAgent(
    status=status(ALDWIN, "walking to the desk room"),
    may_talk=True,
    acquaintance=Acquaintance(last_talk=LastTalk(minutes_ago=60, gist="They spoke of prime.")),
)
COOK = ObservedAgent(status=status(WULFSTAN, "asleep on a bench"), may_talk=False)
CANDLE = ObservedObject(name="candle", state="burning the shelf", is_alarming=True)
DOOR = Obstacle(description="The Refectory is closed")
KNOCK = KnockHeard(
    agent=ObservedAgent(status=status(WULFSTAN, "knocking at the door"), may_talk=False)
)
INPUTS = DecisionInput(
    agent_name=OSRIC,
    summary=OSRICS_SUMMARY,
    now=at("11:20"),
    place="the desk room of The Scriptorium",
    status=status(OSRIC, "copying a psalter", until=at("11:30")),
    outline=(
        planned(at("6:00"), at("8:00"), "pray", "The Priory Church"),
        planned(at("8:00"), at("11:30"), "copy the psalter", "The Scriptorium"),
        planned(at("11:30"), at("12:30"), "eat the midday meal", "The Refectory"),
        planned(at("15:00"), at("17:00"), "mend the roof", "The Refectory"),
    ),
    observed=(PRIOR, COOK, CANDLE, DOOR),
    memories=(memory("Aldwin Prior is stern"), memory("the candle is old")),
    known_places=("The Scriptorium", "The Refectory: eating hall"),
)


def decision(
    choice: str = "act",
    *,
    observation: int = 3,
    what: str = "put out the fire",
    say: str = "",
    minutes: int = 5,
) -> Decision:
    return Decision.model_validate(
        {
            "choice": choice,
            "observation": observation,
            "what": what,
            "say": say,
            "place": "",
            "minutes": minutes,
        }
    )


def observed(*what: Observed) -> str:
    return texts_of(DECISION, replace(INPUTS, observed=what), "observed")


class TestPrompt:
    @pytest.mark.parametrize(
        ("variable", "text"),
        [
            ("status", "copying a psalter until 11:30 am"),
            (
                "outline",
                "8:00 am to 11:30 am: copy the psalter (The Scriptorium)\n"
                "11:30 am to 12:30 pm: eat the midday meal (The Refectory)",
            ),
            ("memories", "Aldwin Prior is stern\nthe candle is old"),
            ("places", "The Scriptorium\nThe Refectory: eating hall"),
            ("place", "the desk room of The Scriptorium"),
            ("free", "Free to be spoken to: Aldwin Prior."),
        ],
    )
    def test_has_the_agent_and_what_it_knows(self, variable: str, text: str) -> None:
        assert texts_of(DECISION, INPUTS, variable) == text

    def test_has_the_latest_of_what_was_done_today(self) -> None:
        hours = [
            done_as(planned(at(f"{hour}:00"), at(f"{hour}:59"), f"doing {hour}"))
            for hour in range(1, 8)
        ]
        hours[1] = replace(hours[1], importance=DEED_IMPORTANCE_MIN)
        inputs = replace(INPUTS, performed=tuple(hours), coming=("binding a book",))
        lines = texts_of(DECISION, inputs, "done").splitlines()
        assert lines == [
            "2:00 am to 2:59 am: doing 2",
            *(f"{hour}:00 am to {hour}:59 am: doing {hour}" for hour in range(4, 8)),
            "not yet: binding a book",
        ]

    def test_has_the_rule_for_a_knock_only_after_one(self) -> None:
        assert "knocks" not in texts_of(DECISION, INPUTS, "knock")
        assert "knocks" in texts_of(DECISION, replace(INPUTS, observed=(KNOCK,)), "knock")

    def test_prints_each_observation_on_a_line(self) -> None:
        assert texts_of(DECISION, INPUTS, "observed").splitlines() == [
            "Aldwin Prior is walking to the desk room "
            "(They last talked 1 hour ago. They spoke of prime.)",
            "Wulfstan Cook is asleep on a bench "
            "(Osric Penhale and Wulfstan Cook have not talked before)",
            "candle: burning the shelf",
            "The Refectory is closed",
        ]

    def test_names_who_is_seen_to_take_an_object(self) -> None:
        desk = Obstacle(description="the desk: taken", occupants=(ALDWIN, WULFSTAN))
        assert observed(desk) == f"the desk: taken by {ALDWIN} and {WULFSTAN}"

    def test_prints_reasons_before_what_may_be_cut(self) -> None:
        reason = ReasonToTalk(kind=TalkReason.NEWS, text="the bell has cracked")
        gist = "They spoke of the psalter at length. " * 20
        last = Acquaintance(last_talk=LastTalk(minutes_ago=60, gist=gist))
        text = observed(replace(PRIOR, reasons=(reason,), acquaintance=last))
        assert "(not told to them yet: the bell has cracked) (They last talked" in text
        assert text.endswith("at length.)")
        assert len(text) <= ITEM_CHARACTERS_MAX

    def test_prints_news_of_one_kind_together_and_apart_from_what_is_known(self) -> None:
        news = tuple(
            ReasonToTalk(kind=TalkReason.NEWS, text=text)
            for text in ("The bell has cracked.", "The candle is out.")
        )
        known = Acquaintance(facts=("Aldwin Prior is an old friend",))
        text = observed(replace(PRIOR, reasons=news, acquaintance=known))
        assert text.endswith(
            " (not told to them yet: The bell has cracked; The candle is out) "
            "(Aldwin Prior is an old friend; "
            "Osric Penhale and Aldwin Prior have not talked today)"
        )

    def test_says_with_whom_an_agent_talks_whose_conversation_may_be_joined(self) -> None:
        talking = replace(PRIOR, talks_with=(WULFSTAN, "Edith Weaver"))
        joinable = f"{ALDWIN} talks with {WULFSTAN}, Edith Weaver; Osric Penhale may join them."
        inputs = replace(INPUTS, observed=(talking,))
        assert texts_of(DECISION, inputs, "free") == joinable
        cook = replace(COOK, may_talk=True)
        inputs = replace(INPUTS, observed=(talking, cook))
        both = f"Free to be spoken to: {WULFSTAN}. {joinable}"
        assert texts_of(DECISION, inputs, "free") == both

    def test_does_not_print_a_fact_of_an_acquaintance_twice(self) -> None:
        stern = memory("Aldwin Prior is stern")
        known = Acquaintance(facts=(stern.description,))
        inputs = replace(INPUTS, observed=(replace(PRIOR, acquaintance=known),))
        assert texts_of(DECISION, inputs, "memories") == "the candle is old"

    def test_prints_the_reasons_to_talk(self) -> None:
        reasons = tuple(ReasonToTalk(kind=kind, text="the bell") for kind in TalkReason)
        text = observed(replace(COOK, reasons=reasons))
        assert text.count("the bell") == len(TalkReason)
        assert "meant to say or ask: the bell" in text

    def test_prints_what_a_user_tells_as_it_is(self) -> None:
        told = UserObservation(text="Aldwin Prior drops a book.", agent=PRIOR)
        assert observed(told).startswith("Aldwin Prior drops a book. (They last talked")
        assert observed(replace(told, agent=None)) == "Aldwin Prior drops a book."

    def test_says_so_where_nobody_is_free(self) -> None:
        inputs = replace(INPUTS, observed=(COOK,))
        assert texts_of(DECISION, inputs, "free") == "None of these is free to be spoken to."


class TestRejection:
    @pytest.mark.parametrize(
        ("answer", "error"),
        [
            (decision(observation=0), "observations 1 to 4"),
            (decision(observation=5), "observations 1 to 4"),
            (decision("talk", observation=2), f"only possible with {ALDWIN}"),
            (decision("talk", observation=4), f"only possible with {ALDWIN}"),
            (decision("open", observation=1), "a knock, and nothing else"),
            (decision("later", observation=2), f"only possible with {ALDWIN}"),
            (decision("talk", observation=1, say=" "), '"say" is blank'),
            (decision(what=" "), '"what" is blank'),
            (decision(what="to put out the fire"), 'infinitive without "to"'),
            (decision(what="Osric Penhale puts it out"), "without a name"),
        ],
    )
    def test_says_what_to_give(self, answer: Decision, error: str) -> None:
        with pytest.raises(ValueError, match=error):
            check(DECISION, INPUTS, answer)

    @pytest.mark.parametrize(
        "answer",
        [
            decision(),
            decision("talk", observation=1, what="", say="Shall we toll the bell?"),
            decision("later", observation=1, what="toll the bell with Aldwin Prior"),
            decision("go on", what=""),
            DECISION.fallback(INPUTS),
        ],
    )
    def test_is_for_nothing_else(self, answer: Decision) -> None:
        check(DECISION, INPUTS, answer)

    @pytest.mark.parametrize("name", [OSRIC, ALDWIN])
    def test_has_words_without_the_name_of_a_line(self, name: str) -> None:
        answer = decision("talk", observation=1, say=f"{name}: Shall we toll the bell?")
        check(DECISION, INPUTS, answer)
        adjust = DECISION.adjust
        assert adjust is not None
        adjusted = adjust(INPUTS, answer)
        assert adjusted.answer.say == "Shall we toll the bell?"
        assert [one.answered for one in adjusted.differences] == [answer.say]

    @pytest.mark.parametrize(
        ("what", "offered"),
        [
            ((PRIOR, COOK, CANDLE), {"go on": [], "talk": [1], "later": [1], "act": [1, 2, 3]}),
            ((COOK,), {"go on": [], "act": [1]}),
            ((CANDLE, KNOCK), {"go on": [], "act": [1], "open": [2]}),
            ((KNOCK,), {"go on": [], "open": [1]}),
        ],
    )
    def test_is_offered_with_what_it_can_be_about(
        self, what: tuple[Observed, ...], offered: dict[str, list[int]]
    ) -> None:
        model = ScriptedModel({DECISION.name: Decision(choice="go on")})
        decide_reaction(agent_llm_in_memory(model), replace(INPUTS, observed=what))
        schema: Any = model.asked[0].json_schema
        forms = [form["properties"] for form in schema["properties"]["answer"]["anyOf"]]
        assert offered == {
            form["choice"]["enum"][0]: form.get("observation", {}).get("enum", [])
            for form in forms
        }
        assert {"say" in form for form in forms if form["choice"]["enum"] != ["talk"]} == {
            False
        }

    def test_leaves_two_answers_to_a_knock(self) -> None:
        inputs = replace(INPUTS, observed=(KNOCK,))
        assert observed(KNOCK).startswith("Wulfstan Cook is knocking at the door (")
        for choice in ("open", "go on"):
            check(DECISION, inputs, decision(choice, observation=1, what=""))
        for choice in ("talk", "act"):
            with pytest.raises(ValueError, match='"open" or "go on"'):
                check(DECISION, inputs, decision(choice, observation=1))


class TestDecision:
    def test_is_kept_as_it_was_given(self) -> None:
        answer = decision(what="put out\n the fire.", minutes=20)
        assert self.reaction(answer) == Reaction(
            choice="act",
            observation=2,
            what="put out the fire.",
            say="",
            ends=False,
            to="",
            place="",
            minutes=20,
        )

    def test_names_who_is_to_answer_in_a_talk_of_others(self) -> None:
        talking = replace(PRIOR, talks_with=(WULFSTAN, "Edith Weaver"))
        for observed, keys in (((PRIOR,), ()), ((talking,), ("", WULFSTAN, "Edith Weaver"))):
            inputs = replace(INPUTS, observed=observed)
            assert DECISION.options is not None
            assert DECISION.variants is not None
            assert tuple(DECISION.options(inputs)["members"]) == keys
            forms = [one.fields for one in DECISION.variants(inputs) if one.value == "talk"]
            assert ["to" in one for one in forms] == [bool(keys)]

    def test_has_bounded_minutes(self) -> None:
        for inputs, kept in ((0, MINUTES_DEFAULT), (10_000, MINUTES_MAX)):
            reaction = self.reaction(decision(minutes=inputs))
            assert reaction is not None
            assert reaction.minutes == kept

    def test_may_be_to_go_on(self) -> None:
        assert self.reaction(decision("go on", what="")) is None

    def reaction(self, answer: Decision) -> Reaction | None:
        model = ScriptedModel({DECISION.name: answer})
        return decide_reaction(agent_llm_in_memory(model), INPUTS)
