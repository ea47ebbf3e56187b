"""Agents in different places talk on the telephone, in a world that has telephones."""

import pytest

from apps import wiring
from apps.agents.events import ActionBegan
from apps.dialogue.events import Said, TalkEnded
from apps.dialogue.utterances import RING_MINUTES, Ending
from apps.eventlog.rebuild import check
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.simulation.models import SimulationRow
from tests.support.scripted_home import (
    EDDY,
    JOHN,
    MEI,
    READING,
    Script,
    action,
    began,
    lived,
    remembers,
    said,
)
from tests.support.towns import EIGHT_THREADS, LOCK_STEP, ONE_BY_ONE, happened, history_of

pytestmark = pytest.mark.django_db(transaction=True)

COLLEGE = "Oak Hill College"
PHONING = action("making a call", 10, act=("phone", EDDY, "when he comes home"))
CALL: Script = {
    JOHN: [action("eating toast", 30), PHONING, action("reading the paper", 20)],
    MEI: [action("eating congee", 60)],
    EDDY: [action("reading", 60, where="classroom: student seating")],
}
QUESTION, ANSWER, GOODBYE = "When are you home, Eddy?", "At eight, Dad.", "See you at eight."
WORDS = ((JOHN, QUESTION, "", False), (EDDY, ANSWER, "", False), (JOHN, GOODBYE, "", True))
AWAY = {EDDY: COLLEGE}


def overheard(row: SimulationRow, agent: str) -> list[str]:
    return [
        one.event.description
        for one in happened(row, MemoryFormed)
        if one.stream == agent and one.event.origin == MemoryOrigin.OVERHEARD
    ]


class TestCall:
    """A father at the table phones his son at the college; his wife hears his side of it."""

    def test_is_a_conversation_of_agents_in_different_places(self) -> None:
        row = lived(CALL, dialogue=WORDS, places=AWAY)
        assert said(row) == [
            ("john-lin", "eddy-lin", QUESTION),
            ("eddy-lin", "john-lin", ANSWER),
            ("john-lin", "eddy-lin", GOODBYE),
        ]
        first, second, _ = spoken = happened(row, Said)
        assert all(one.event.by_phone for one in spoken)
        assert second.tick - first.tick > RING_MINUTES * 6, "it rings before it is answered"
        assert {(one.stream, one.event.why) for one in happened(row, TalkEnded)} == {
            ("john-lin", Ending.SAID_ALL),
            ("eddy-lin", Ending.SAID_ALL),
        }
        assert remembers(row, "eddy-lin", QUESTION)
        assert remembers(row, "john-lin", ANSWER)
        assert overheard(row, "mei-lin") == [f"John Lin said to Eddy Lin: {GOODBYE}"]
        done = [one.event.description for one in happened(row, ActionBegan)]
        assert "reading the paper" in done, "the plan goes on after the call"
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_is_the_same_in_any_order_of_work(self) -> None:
        histories = {
            history_of(lived(CALL, dialogue=WORDS, places=AWAY, manner=manner).pk)
            for manner in (ONE_BY_ONE, LOCK_STEP, EIGHT_THREADS)
        }
        assert len(histories) == 1

    def test_is_face_to_face_with_an_agent_in_view(self) -> None:
        script: Script = {
            JOHN: CALL[JOHN],
            MEI: [READING],
            EDDY: [action("eating toast", 60)],
        }
        row = lived(script, dialogue=WORDS)
        assert said(row)
        assert not [one for one in happened(row, Said) if one.event.by_phone]


class TestNoAnswer:
    """An agent that sleeps, or is in another conversation, does not answer."""

    def test_of_an_agent_that_sleeps(self) -> None:
        calling = action("calling Mei", 10, act=("phone", MEI, "breakfast"))
        morning = {JOHN: [action("reading", 20), calling, action("making notes", 30)]}
        row = lived(morning, {JOHN: "Are you up?"}, hour=6)
        assert began(row, "john-lin", "making notes"), "the plan goes on"
        assert said(row) == [("john-lin", "mei-lin", "Are you up?")]
        [ended] = happened(row, TalkEnded)
        assert (ended.stream, ended.event.why) == ("john-lin", Ending.NO_ANSWER)
        assert remembers(row, "john-lin", "Mei Lin did not answer the telephone")
        assert not remembers(row, "mei-lin", "Are you up?")

    def test_of_an_agent_that_is_not_in_the_simulation(self) -> None:
        calling = action("calling Tom", 10, act=("phone", "Tom Moreno", "the election"))
        row = lived({JOHN: [calling, action("reading the paper", 50)]})
        assert not happened(row, Said)
        assert remembers(row, "john-lin", "Tom Moreno did not answer the telephone")
        assert began(row, "john-lin", "reading the paper")
