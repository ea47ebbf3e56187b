"""The rows of conversations say what the events say, and those of other agents stay."""

import pytest

from apps.dialogue.events import (
    EVENTS,
    Agreed,
    AgreementEnded,
    Declined,
    Overheard,
    Promised,
    PromiseEnded,
    PromiseOutcome,
    Said,
    TalkEnded,
)
from apps.dialogue.models import (
    CONVERSATIONS,
    CommitmentRow,
    OverheardRow,
    PromiseRow,
    TalkRow,
    UtteranceRow,
)
from apps.memory.events import AgreementOutcome
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

ADA, BEN = "ada", "ben"
TALK, EARLIER = "10/ada", "4/ada"


def said(number: int, conversation: str = TALK) -> Said:
    return Said(
        conversation=conversation,
        to=BEN,
        number=number,
        text=f"utterance {number}",
        ends=number == 3,
        memories=(4, 2),
    )


AGREED = Agreed(
    conversation=TALK,
    other=BEN,
    activity="come to the party",
    place="Hobbs Cafe",
    day="2023-02-14",
    from_minute=1_020,
    to_minute=1_140,
)
DECLINED = Declined(conversation=TALK, other=BEN, activity="run for mayor")
PROMISED = Promised(conversation=TALK, other=BEN, what="It rains.", to="cem", memory=7)
PROMISE_ENDED = PromiseEnded(promise="15/ada/1", outcome=PromiseOutcome.NO_MEETING)
ENDED = TalkEnded(conversation=TALK, other=BEN, why="said goodbye")


def new_log() -> ProjectedLog:
    log = ProjectedLog(EVENTS, [CONVERSATIONS])
    log.append(4, ADA, said(1, EARLIER))
    log.append(10, ADA, said(1))
    return log


class TestUtterances:
    def test_are_written_whole(self) -> None:
        log = new_log()
        log.append(14, ADA, said(3))
        assert log.row(UtteranceRow, tick=14) == {
            "agent": ADA,
            "tick": 14,
            "conversation": TALK,
            "number": 3,
            "to": BEN,
            "text": "utterance 3",
            "ends": True,
            "memories": [4, 2],
            "participants": [],
            "by_phone": False,
            "intent": "",
            "leaves": False,
            "event": "14/ada/0",
        }
        assert log.row(UtteranceRow, tick=10)["ends"] is False

    def test_begin_a_conversation_once(self) -> None:
        log = new_log()
        log.append(12, ADA, said(3))
        assert log.row(TalkRow, conversation=TALK) == {
            "agent": ADA,
            "conversation": TALK,
            "other": BEN,
            "from_tick": 10,
            "to_tick": None,
            "why": "",
            "by_phone": False,
            "heard_by": [],
            "told": [],
        }


class TestTalkEnded:
    def test_ends_the_part_of_the_agent_in_that_conversation(self) -> None:
        log, elsewhere = new_log(), new_log()
        log.append(11, BEN, said(2))
        log.append(15, ADA, ENDED)
        parts = ("agent", "conversation", "from_tick", "to_tick", "why")
        assert log.rows(TalkRow, *parts) == [
            (ADA, TALK, 10, 15, "said goodbye"),
            (ADA, EARLIER, 4, None, ""),
            (BEN, TALK, 11, None, ""),
        ]
        assert elsewhere.rows(TalkRow, "to_tick") == [(None,), (None,)]


class TestCommitments:
    def test_are_written_whole(self) -> None:
        log = new_log()
        log.append(15, ADA, AGREED, DECLINED)
        assert log.row(CommitmentRow, declined=False) == {
            "agent": ADA,
            "tick": 15,
            "conversation": TALK,
            "other": BEN,
            "activity": "come to the party",
            "declined": False,
            "place": "Hobbs Cafe",
            "node": "",
            "day": "2023-02-14",
            "from_minute": 1_020,
            "to_minute": 1_140,
            "cancelled": False,
            "besides": [],
            "superseded_tick": None,
            "ended_tick": None,
            "outcome": "",
            "event": "15/ada/0",
        }
        assert log.row(CommitmentRow, declined=True) == {
            "agent": ADA,
            "tick": 15,
            "conversation": TALK,
            "other": BEN,
            "activity": "run for mayor",
            "declined": True,
            "place": "",
            "node": "",
            "day": "",
            "from_minute": None,
            "to_minute": None,
            "cancelled": False,
            "besides": [],
            "superseded_tick": None,
            "ended_tick": None,
            "outcome": "",
            "event": "15/ada/1",
        }


class TestEnds:
    def test_of_agreements_and_promises_are_kept_with_their_outcome(self) -> None:
        log = new_log()
        log.append(15, ADA, AGREED, PROMISED)
        log.append(15, BEN, AGREED, PROMISED)
        agreed = AgreementEnded(
            agreements=("15/ada/0",), outcome=AgreementOutcome.KEPT, present=(BEN,)
        )
        log.append(19, ADA, agreed, PROMISE_ENDED)
        for model, outcome in ((CommitmentRow, "kept"), (PromiseRow, "no-meeting")):
            row = log.row(model, agent=ADA)
            assert (row["ended_tick"], row["outcome"]) == (19, outcome)
            assert log.row(model, agent=BEN)["ended_tick"] is None
        assert log.row(PromiseRow, agent=ADA)["to"] == "cem"
        assert log.problems() == ()


class TestRebuild:
    def test_gives_the_same_rows_in_either_order(self) -> None:
        log = new_log()
        log.append(11, BEN, said(2))
        log.append(12, ADA, said(3))
        log.append(15, ADA, AGREED, DECLINED, ENDED)
        assert log.problems() == ()


class TestOverheard:
    def test_has_the_utterances_of_the_agent_that_overheard_them(self) -> None:
        log = new_log()
        log.append(
            11, "cem", Overheard(conversation=TALK, utterances=("10/ada/0",), is_over=False)
        )
        log.append(19, "cem", Overheard(conversation=TALK, utterances=(), is_over=True))
        rows = OverheardRow.objects.order_by("tick")
        assert [(one.agent, one.tick, one.utterances, one.is_over) for one in rows] == [
            ("cem", 11, ["10/ada/0"], False),
            ("cem", 19, [], True),
        ]
        assert log.problems() == ()
