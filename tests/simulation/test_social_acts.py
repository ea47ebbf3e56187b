"""Acts between agents take place with agents that are there, and with nobody else.

The Lins are at home; what they do from seven to eight is scripted.
"""

import pytest

from apps import wiring
from apps.agents.acts import ActOutcome
from apps.agents.events import ActionBegan, ActReported, ObjectStateLeft
from apps.dialogue.events import Said, TalkEnded
from apps.eventlog.rebuild import check
from apps.simulation.ports import constants_of
from apps.simulation.snapshot.world_snapshot import read_world_snapshot
from apps.simulation.turn.decide.social_acts import TOGETHER_MINUTES
from tests.support.scripted_home import (
    BEDROOM,
    EDDY,
    HOME,
    JOHN,
    MEI,
    READING,
    TABLE,
    UPSTAIRS,
    Dialogue,
    Script,
    action,
    began,
    lived,
    outcomes,
    remembers,
    said,
    tick_of,
)
from tests.support.towns import EIGHT_THREADS, LOCK_STEP, happened, history_of

pytestmark = pytest.mark.django_db(transaction=True)

BREAKFAST: Script = {
    JOHN: [READING],
    EDDY: [action("eating toast", 60)],
    MEI: [
        action("eating congee", 15),
        action("asking Eddy", 5, act=("talk to", EDDY, "whether he plays tonight")),
        action("clearing the table", 40),
    ],
}
WORDS = {MEI: "Will you play for us tonight?", EDDY: "Yes, at eight."}


class TestBreakfast:
    def test_has_a_question_that_is_asked_and_answered(self) -> None:
        row = lived(BREAKFAST, WORDS)
        assert said(row) == [
            ("mei-lin", "eddy-lin", "Will you play for us tonight?"),
            ("eddy-lin", "mei-lin", "Yes, at eight."),
        ]
        assert remembers(row, "eddy-lin", "Will you play for us tonight?")
        assert remembers(row, "mei-lin", "Yes, at eight.")
        assert not remembers(row, "mei-lin", "is asking Eddy"), "it was said, not stated"
        begun = [one for one in happened(row, ActionBegan) if one.stream == "mei-lin"]
        [cleared] = [one for one in begun if one.event.description == "clearing the table"]
        planned_tick = tick_of("07:20")
        assert cleared.tick < planned_tick, "the next action follows the talk at once"

    def test_is_the_same_in_any_order_of_work(self) -> None:
        histories = {
            history_of(lived(BREAKFAST, WORDS, manner=manner).pk)
            for manner in (LOCK_STEP, EIGHT_THREADS)
        }
        assert len(histories) == 1


DINNER: Script = {
    JOHN: [
        action("eating", 10),
        action("telling it", 50, act=("tell those present", "nobody", "news")),
    ],
    MEI: [action("eating", 60)],
    EDDY: [action("eating", 60)],
}
AT_TABLE: Dialogue = (
    (JOHN, "I am going to run for mayor.", MEI, False),
    (MEI, "What do you say, Eddy?", EDDY, False),
    (EDDY, "Will you have time for us?", JOHN, False),
    (JOHN, "Always. I have to go now.", EDDY, True),
    (EDDY, "I am proud of him, Mum.", "", True),
)


class TestDinner:
    """A father tells wife and son at the table; all three talk, and the two go on alone."""

    def test_is_a_conversation_of_three(self) -> None:
        row = lived(DINNER, dialogue=AT_TABLE)
        spoken = happened(row, Said)
        slugs = {JOHN: "john-lin", MEI: "mei-lin", EDDY: "eddy-lin"}
        assert [(one.stream, one.event.text) for one in spoken] == [
            (slugs[speaker], text) for speaker, text, _to, _ends in AT_TABLE
        ]
        assert len({one.event.conversation for one in spoken}) == 1
        participants = [set(one.event.participants) for one in spoken]
        everybody = set(slugs.values())
        assert participants[:4] == [everybody - {one.stream} for one in spoken[:4]]
        assert (spoken[4].event.to, participants[4]) == ("mei-lin", set())
        ended = [one.stream for one in happened(row, TalkEnded)]
        assert sorted(ended) == sorted(everybody)
        for agent, others in (("mei-lin", (0, 2, 3, 4)), ("john-lin", (1, 2))):
            for number in others:
                assert remembers(row, agent, AT_TABLE[number][1])
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_is_the_same_in_any_order_of_work(self) -> None:
        histories = {
            history_of(lived(DINNER, dialogue=AT_TABLE, manner=manner).pk)
            for manner in (LOCK_STEP, EIGHT_THREADS)
        }
        assert len(histories) == 1


class TestCandidacy:
    """A father tells his wife; his son, who is in another room, does not learn of it."""

    NEWS = "I am going to run for mayor."

    def test_is_known_to_those_who_were_told_and_to_nobody_else(self) -> None:
        telling = action("having coffee", 10, act=("talk to", MEI, "the candidacy"))
        row = lived(
            {
                JOHN: [action("eating toast", 10), telling],
                MEI: [action("eating congee", 60)],
                EDDY: [UPSTAIRS],
            },
            {JOHN: self.NEWS, MEI: "That is wonderful!"},
        )
        assert ("john-lin", "mei-lin", self.NEWS) in said(row)
        assert remembers(row, "mei-lin", self.NEWS)
        assert not remembers(row, "eddy-lin", "mayor")

    def test_is_not_told_to_an_agent_who_is_not_there(self) -> None:
        telling = action("telling Eddy of the mayor", 10, act=("talk to", EDDY, "mayor"))
        row = lived(
            {JOHN: [action("eating toast", 10), telling], EDDY: [UPSTAIRS]},
            {JOHN: self.NEWS},
        )
        assert not [one for one in said(row) if one[0] == "john-lin"]
        assert not remembers(row, "john-lin", "telling Eddy")
        assert not remembers(row, "eddy-lin", "mayor")
        assert remembers(row, "john-lin", "Eddy Lin is not in")


TOGETHER_TICKS = 6 * TOGETHER_MINUTES


class TestDoneTogether:
    """An action that is done with others is begun only if they are there."""

    EATING = action("eating toast", 10)
    READING_PAPER = action("reading the paper", 30)

    def test_is_no_fact_about_an_agent_that_is_not_there(self) -> None:
        meal = action("having lunch with Eddy Lin", 20, with_agents=(EDDY,))
        row = lived(
            {
                JOHN: [self.EATING, meal, self.READING_PAPER],
                MEI: [action("eating congee", 60)],
                EDDY: [UPSTAIRS],
            }
        )
        for agent in ("john-lin", "mei-lin"):
            assert not remembers(row, agent, "lunch with Eddy Lin"), agent
        assert remembers(row, "john-lin", "Eddy Lin is not in")
        begun = [one.event.description for one in happened(row, ActionBegan)]
        assert "having lunch with Eddy Lin" not in begun
        assert "reading the paper" in begun, "the plan goes on"

    def test_is_begun_when_those_who_are_waited_for_have_come(self) -> None:
        meal = action("having breakfast with Mei Lin", 50, with_agents=(MEI,))
        row = lived(
            {
                JOHN: [self.EATING, meal],
                MEI: [
                    action("making the bed", 32, where=f"{BEDROOM}: bed"),
                    action("eating congee", 28),
                ],
                EDDY: [UPSTAIRS],
            }
        )
        begun = {
            one.event.description: one.tick
            for one in happened(row, ActionBegan)
            if one.stream == "john-lin"
        }
        waited, ate = begun["waiting for Mei Lin"], begun["having breakfast with Mei Lin"]
        assert waited < ate < waited + TOGETHER_TICKS, "he began when she came"

    def test_is_done_with_agents_that_are_there(self) -> None:
        meal = action("having breakfast with Mei Lin", 50, with_agents=(MEI,))
        row = lived({JOHN: [self.EATING, meal], MEI: [action("eating", 60)], EDDY: [UPSTAIRS]})
        assert remembers(row, "john-lin", "John Lin is having breakfast with Mei Lin")


def test_an_agent_is_looked_for_and_not_found() -> None:
    looking = action("looking for Tom", 30, act=("look for", "Tom Moreno", ""))
    after = action("reading the paper", 30)
    row = lived({JOHN: [looking, after], MEI: [READING], EDDY: [UPSTAIRS]})
    assert outcomes(row, "john-lin")[-1] is ActOutcome.NOT_FOUND
    assert remembers(row, "john-lin", "Tom Moreno is not in")
    assert remembers(row, "john-lin", "John Lin did not find Tom Moreno")
    assert began(row, "john-lin", "reading the paper"), "the plan goes on"


def test_a_search_that_its_time_ends_is_in_vain() -> None:
    looking = action("looking for Tom", 3, act=("look for", "Tom Moreno", ""))
    after = action("reading the paper", 57)
    row = lived({JOHN: [looking, after], MEI: [READING], EDDY: [UPSTAIRS]})
    reports = [one for one in happened(row, ActReported) if one.stream == "john-lin"]
    over = [one for one in reports if one.event.outcome.is_over]
    assert [one.event.outcome for one in over] == [ActOutcome.NOT_FOUND]
    assert over[0].tick >= tick_of("07:03"), "he searched for all of the time"
    assert remembers(row, "john-lin", "John Lin did not find Tom Moreno")
    assert began(row, "john-lin", "reading the paper"), "the plan goes on"


def test_an_agent_is_waited_for_until_it_comes() -> None:
    waiting = action("waiting for Mei", 30, act=("wait for", MEI, ""))
    coming = action("eating congee", 45)
    row = lived(
        {
            JOHN: [waiting, action("eating toast", 30)],
            MEI: [
                action("making the bed", 15, where=f"{BEDROOM}: bed"),
                coming,
            ],
            EDDY: [UPSTAIRS],
        }
    )
    assert outcomes(row, "john-lin") == [ActOutcome.DONE]
    [report] = [one for one in happened(row, ActReported) if one.stream == "john-lin"]
    assert report.tick < tick_of("07:30")


class TestHandingOver:
    STATE = "holding a cup of coffee"
    GIVING = action("pouring coffee", 5, act=("give", MEI, "a cup of coffee"), state=STATE)
    SCRIPT: Script = {  # noqa: RUF012 (never changed)
        JOHN: [action("eating toast", 10), GIVING, READING],
        MEI: [action("eating", 60)],
        EDDY: [
            action("making the bed", 40, where="Eddy Lin's bedroom: bed"),
            action("eating", 20),
        ],
    }

    def test_leaves_the_thing_where_it_is_seen_afterwards(self) -> None:
        row = lived(self.SCRIPT)
        [left] = happened(row, ObjectStateLeft)
        assert (left.stream, left.event.state) == ("john-lin", self.STATE)
        constants = constants_of(row.pk, wiring.ports().worlds)
        snapshot = read_world_snapshot(
            row.pk, world=constants.world, seed=constants.seed, from_tick=row.committed_tick
        )
        set_state = snapshot.set_state_of(f"{HOME}: {TABLE}", row.committed_tick)
        assert set_state is not None
        assert set_state.state == self.STATE
        assert check(wiring.event_store(), row.pk).problems == ()
        for agent in ("mei-lin", "eddy-lin"):
            assert remembers(row, agent, f"dining table: {self.STATE}"), agent

    def test_is_the_same_in_any_order_of_work(self) -> None:
        manners = (LOCK_STEP, EIGHT_THREADS)
        histories = {history_of(lived(self.SCRIPT, manner=manner).pk) for manner in manners}
        assert len(histories) == 1
