"""The LLM task of an utterance: what its prompt has, and what is stored of its answer."""

from dataclasses import replace

import pytest

from apps.agents.spoken_words import UTTERANCE_WORDS_MAX
from apps.agents.status import STRANGER, Acquaintance, Departure, LastTalk, Standing
from apps.dialogue.decisions import speak
from apps.dialogue.events import Said
from apps.dialogue.inputs import Line, UtteranceInput
from apps.dialogue.llm_tasks import UTTERANCE
from apps.dialogue.llm_tasks.utterance import FAREWELL, OPENING, Utterance
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

OPENED = UtteranceInput(
    agent_name=OSRIC,
    other_name=ALDWIN,
    summary=OSRICS_SUMMARY,
    now=at("9:05"),
    place="the desk room of The Scriptorium",
    status=status(OSRIC, "copying a psalter", until=at("11:30")),
    other_status=status(ALDWIN, "looking at the shelves"),
    intent="confess the spilled ink",
    outline=(planned(at("8:00"), at("11:30"), "copy the psalter", "The Scriptorium"),),
    acquaintance=STRANGER,
    memories=(
        memory("Osric Penhale has spilled ink", number=8),
        memory("Aldwin Prior is stern", number=3),
    ),
    lines=(),
    utterances_left=8,
)
UNDER_WAY = replace(
    OPENED, lines=(Line(speaker=ALDWIN, text="How goes the psalter?"),), utterances_left=7
)


class TestPrompt:
    @pytest.mark.parametrize(
        ("variable", "text"),
        [
            ("now", "Saturday, March 3, 1410, 9:05 am"),
            ("place", "the desk room of The Scriptorium"),
            ("summary", OSRICS_SUMMARY.text),
            (
                "status",
                "copying a psalter until 11:30 am; stays here",
            ),
            ("other_status", "looking at the shelves"),
            ("outline", "8:00 am to 11:30 am: copy the psalter (The Scriptorium)"),
            ("acquaintance", f"{OSRIC} and {ALDWIN} have not talked before"),
            ("memories", "Osric Penhale has spilled ink\nAldwin Prior is stern"),
            ("intent", "confess the spilled ink"),
            ("said", ""),
            ("task", f"What does {OSRIC} say to {ALDWIN} first, with this in mind?"),
        ],
    )
    def test_has_what_is_known_before_the_first_words(self, variable: str, text: str) -> None:
        assert texts_of(UTTERANCE, OPENED, variable) == text

    @pytest.mark.parametrize(
        ("clock", "onward"),
        [
            ("9:05", "goes on from here: confess the sins (The Church)"),
            ("11:30", "stays here until 11:30 am, then: confess the sins (The Church)"),
        ],
    )
    def test_has_where_the_plan_goes_on(self, clock: str, onward: str) -> None:
        departure = Departure(
            starts=at(clock),
            activity="confess the sins",
            place="The Church",
            leaves_place=True,
        )
        status = texts_of(UTTERANCE, replace(OPENED, departure=departure), "status")
        assert status.endswith(f"; {onward}")
        nearby = replace(departure, leaves_place=False)
        status = texts_of(UTTERANCE, replace(OPENED, departure=nearby), "status")
        assert status.endswith("; stays here"), "another room is no reason to leave"

    def test_has_the_lines_and_still_the_intent_once_under_way(self) -> None:
        assert texts_of(UTTERANCE, UNDER_WAY, "said") == f"{ALDWIN}: How goes the psalter?"
        assert texts_of(UTTERANCE, UNDER_WAY, "intent") == "confess the spilled ink"
        addressed = replace(UNDER_WAY, intent="")
        assert texts_of(UTTERANCE, addressed, "intent") == ""
        assert texts_of(UTTERANCE, UNDER_WAY, "task").endswith("next?")

    def test_asks_for_an_end_when_few_utterances_are_left(self) -> None:
        last = replace(UNDER_WAY, utterances_left=2)
        assert "come to an end" in texts_of(UTTERANCE, last, "task")

    def test_has_what_the_other_one_is_and_the_last_talk(self) -> None:
        last = LastTalk(minutes_ago=125, gist="They spoke of prime.")
        known = Acquaintance(facts=("Osric obeys Aldwin Prior",), home="Priory", last_talk=last)
        assert texts_of(UTTERANCE, replace(OPENED, acquaintance=known), "acquaintance") == (
            f"Osric obeys Aldwin Prior\n{OSRIC} and {ALDWIN} both live in Priory\n"
            "They last talked 2 hours ago. They spoke of prime."
        )

    def test_has_what_all_others_at_the_table_are(self) -> None:
        cook = "Wulfstan Cook"
        tie = Acquaintance(facts=(f"{OSRIC} is a cousin of {cook}",), standing=Standing.CLOSE)
        beside = replace(OPENED, besides=(cook, "Ida Baker"), ties_besides=(tie, STRANGER))
        assert texts_of(UTTERANCE, beside, "acquaintance") == (
            f"{OSRIC} and {ALDWIN} have not talked before\n"
            f"{OSRIC} is a cousin of {cook}\n{OSRIC} and {cook} are close"
        )


class TestAnswer:
    @pytest.mark.parametrize(
        ("text", "error"),
        [
            (" \n", '"utterance" is blank'),
            ("Osric Penhale: ", '"utterance" is blank'),
            ("so " * (UTTERANCE_WORDS_MAX + 1), f"give {UTTERANCE_WORDS_MAX} words at most"),
        ],
    )
    def test_is_rejected_where_it_cannot_be_said(self, text: str, error: str) -> None:
        with pytest.raises(ValueError, match=error):
            check(UTTERANCE, OPENED, Utterance(utterance=text, ends=False))

    @pytest.mark.parametrize("inputs", [OPENED, UNDER_WAY])
    def test_falls_back_to_a_greeting_then_to_a_farewell(self, inputs: UtteranceInput) -> None:
        answer = UTTERANCE.fallback(inputs)
        check(UTTERANCE, inputs, answer)
        assert answer.utterance == (FAREWELL if inputs.lines else OPENING)
        assert answer.ends == bool(inputs.lines)

    def test_is_stored_word_for_word_on_one_line(self) -> None:
        said = self.spoken(UNDER_WAY, '"Father,\n I must   confess"; to him.', ends=False)
        assert said.text == '"Father, I must confess"; to him.'
        assert (said.to, said.number, said.ends) == ("aldwin-prior", 2, False)
        assert said.memories == (8, 3)

    @pytest.mark.parametrize(
        ("answered", "used"),
        [
            (f"{OSRIC}: Good morrow.", "Good morrow."),
            (f"**{ALDWIN}:** Good morrow.", "Good morrow."),
            (f"{ALDWIN.upper()}: {OSRIC}: Good morrow.", "Good morrow."),
            (f"{ALDWIN}, hear me: the ink is spilled.", None),
            ("Father: the ink is spilled.", None),
        ],
    )
    def test_is_said_without_the_name_of_a_line_on_record(
        self, answered: str, used: str | None
    ) -> None:
        adjust = UTTERANCE.adjust
        assert adjust is not None
        adjusted = adjust(UNDER_WAY, Utterance(utterance=answered, ends=False))
        assert adjusted.answer.utterance == (used or answered)
        recorded = [(one.field, one.answered, one.used) for one in adjusted.differences]
        assert recorded == ([("utterance", answered, used)] if used else [])

    def test_ends_the_conversation_where_it_says_so_or_is_the_last(self) -> None:
        assert self.spoken(UNDER_WAY, "Amen.", ends=True).ends
        assert self.spoken(replace(UNDER_WAY, utterances_left=1), "And?", ends=False).ends

    def spoken(self, inputs: UtteranceInput, text: str, *, ends: bool) -> Said:
        model = ScriptedModel({UTTERANCE.name: Utterance(utterance=text, ends=ends)})
        llm = agent_llm_in_memory(model)
        others = {"Aldwin Prior": "aldwin-prior"}
        said = speak(llm, inputs, conversation="90/aldwin-prior", others=others, number=2)
        assert said is not None
        return said

    def test_may_be_none_only_where_all_may_have_been_said(self) -> None:
        nothing = Utterance(utterance=" ", ends=True)
        with pytest.raises(ValueError, match="utterance"):
            check(UTTERANCE, UNDER_WAY, nothing)
        silent = replace(UNDER_WAY, since="They spoke of it.")
        check(UTTERANCE, silent, nothing)
        assert 'The utterance is "" if all has been said.' in texts_of(
            UTTERANCE, silent, "task"
        )
