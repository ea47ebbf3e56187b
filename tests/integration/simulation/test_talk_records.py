"""The records of an agent that give it reason to talk to another one, as a turn reads them."""

from collections.abc import Iterator

import pytest

from apps import wiring
from apps.agents.queries import fixed_facts
from apps.dialogue.models import CommitmentRow, TalkRow, UtteranceRow
from apps.dialogue.utterances import Ending
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow
from apps.reaction.inputs import TalkReason
from apps.reaction.models import WeighedRow
from apps.simulation.models import SimulationRow
from apps.simulation.ports import constants_of
from apps.simulation.turn.context.own_stream import OwnStream
from apps.simulation.turn.context.records import (
    AgentRecords,
    PutOffTalk,
    TalkRecord,
)
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)

JOHN, MEI, EDDY = "john-lin", "mei-lin", "eddy-lin"
NINE = 9 * 60 * 6  # the simulation begins at midnight, and a tick lasts ten seconds


@pytest.fixture
def row() -> SimulationRow:
    return found(agents=("John Lin", "Mei Lin", "Eddy Lin"))


def records(
    row: SimulationRow, *, tick: int = NINE, others: tuple[str, ...] = (MEI,)
) -> Iterator[TalkRecord]:
    yield from own_records(row, tick=tick, others=others).talk_records


def own_records(
    row: SimulationRow, *, tick: int = NINE, others: tuple[str, ...] = ()
) -> AgentRecords:
    constants = constants_of(row.pk, wiring.ports().worlds)
    own = OwnStream(constants, fixed_facts(row.pk, JOHN).identity, tick)
    return own.read(None, others=others, control=None)


def talked(row: SimulationRow, why: Ending, *, tick: int, other: str = MEI) -> None:
    of_john = {"simulation_id": row.pk, "agent": JOHN, "conversation": f"{tick}/{JOHN}"}
    TalkRow.objects.create(
        **of_john, other=other, from_tick=tick, to_tick=tick + 9, why=why.value
    )
    UtteranceRow.objects.create(
        **of_john,
        tick=tick,
        number=1,
        to=other,
        text="Hello?",
        ends=False,
        memories=[],
        event=f"{tick}/{JOHN}/0",
    )


def decided(row: SimulationRow, choice: str, *, tick: int, what: str = "") -> None:
    WeighedRow.objects.create(
        simulation_id=row.pk,
        agent=JOHN,
        subject=MEI,
        tick=tick,
        choice=choice,
        decisive=True,
        what=what,
        event=f"{tick}/{JOHN}/1",
    )


def agreed(row: SimulationRow, day: str, *, from_minute: int, declined: bool = False) -> None:
    CommitmentRow.objects.create(
        simulation_id=row.pk,
        agent=JOHN,
        tick=100,
        conversation="90/mei-lin",
        other=MEI,
        activity="water the garden",
        declined=declined,
        day=day,
        from_minute=from_minute,
        to_minute=from_minute + 60,
        event=f"100/{JOHN}/{day}/{from_minute}",
    )


def learned(row: SimulationRow, number: int, importance: int, *, tick: int = 100) -> None:
    MemoryRow.objects.create(
        simulation_id=row.pk,
        agent=JOHN,
        number=1_000 + number,
        kind=MemoryKind.DIALOGUE.value,
        description=f"Tom told of {number}",
        rating=importance,
        rated_tick=tick,
        evidence=[],
        subject="tom-moreno",
        perceived=True,
        origin=MemoryOrigin.LEARNED.value,
        formed_tick=tick,
        ordinal=number,
        embedding=[0.0] * 4,
    )


def test_are_agreements_of_this_time(row: SimulationRow) -> None:
    agreed(row, "2023-02-13", from_minute=530)
    agreed(row, "2023-02-13", from_minute=600)
    agreed(row, "2023-02-14", from_minute=530)
    agreed(row, "2023-02-13", from_minute=531, declined=True)
    assert list(records(row)) == [
        TalkRecord(
            kind=TalkReason.AGREED,
            other=MEI,
            besides=(),
            tick=530 * 6,
            text="water the garden",
        )
    ]
    assert list(records(row, others=(EDDY,))) == []


def test_are_words_without_an_answer_if_the_two_have_not_talked_since(
    row: SimulationRow,
) -> None:
    talked(row, Ending.NO_ANSWER, tick=1_000)
    [unanswered] = records(row)
    assert (unanswered.kind, unanswered.tick) == (TalkReason.UNANSWERED, 1_009)
    assert unanswered.text == "Hello?"
    assert list(records(row, tick=1_005)) == [], "the future is not known"
    talked(row, Ending.SAID_ALL, tick=1_100)
    assert list(records(row)) == []


def test_are_the_last_own_words_of_a_talk_that_was_left(row: SimulationRow) -> None:
    talked(row, Ending.NO_ANSWER, tick=1_000)
    UtteranceRow.objects.create(
        simulation_id=row.pk,
        agent=JOHN,
        conversation=f"1000/{JOHN}",
        tick=1_005,
        number=3,
        to=MEI,
        text="Half past seven, then?",
        ends=False,
        memories=[],
        event=f"1005/{JOHN}/0",
    )
    [unanswered] = records(row)
    assert unanswered.text == "Half past seven, then?"


def test_are_talks_for_later_until_the_two_talk(row: SimulationRow) -> None:
    decided(row, "go on", tick=900)
    decided(row, "later", tick=1_000, what="ask Mei")
    [intended] = records(row)
    assert (intended.kind, intended.text) == (TalkReason.INTENDED, "ask Mei")
    put_off = own_records(row).put_off
    assert put_off == (PutOffTalk(other=MEI, what="ask Mei"),), "also out of view"
    talked(row, Ending.SAID_ALL, tick=1_100)
    assert list(records(row)) == []
    assert own_records(row).put_off == ()


def test_are_talks_for_later_until_it_is_told_to_several(row: SimulationRow) -> None:
    decided(row, "later", tick=1_000, what="tell Mei of the candidacy")
    talked(row, Ending.SAID_ALL, tick=1_100, other=EDDY)
    assert [one.other for one in own_records(row).put_off] == [MEI]
    UtteranceRow.objects.filter(simulation_id=row.pk, agent=JOHN).update(
        participants=[EDDY, MEI]
    )
    assert own_records(row).put_off == ()
    assert list(records(row)) == []


def test_hold_a_decision_for_as_long_as_news_are_told(row: SimulationRow) -> None:
    decided(row, "go on", tick=1)
    assert own_records(row).decided_at == {MEI: 1}, "hours ago"
    assert own_records(row, tick=24 * 60 * 6 + 2).decided_at == {}


def test_are_the_latest_important_news(row: SimulationRow) -> None:
    for number, importance in enumerate((8, 5, 6, 7, 9), start=1):
        learned(row, number, importance)
    news = list(records(row))
    assert [one.text for one in news] == ["Tom told of 3", "Tom told of 4", "Tom told of 5"]
    assert {(one.kind, one.other, one.besides) for one in news} == {
        (TalkReason.NEWS, "", ("tom-moreno",))
    }


def test_are_no_news_that_no_longer_hold(row: SimulationRow) -> None:
    for number in (1, 2):
        learned(row, number, 8)
    held = MemoryRow.objects.filter(simulation_id=row.pk, number=1_001)
    held.update(superseded_tick=NINE - 1)
    assert [one.text for one in records(row)] == ["Tom told of 2"]
    held.update(superseded_tick=NINE)
    assert len(list(records(row))) == 2


def test_are_no_news_for_those_that_heard_them(row: SimulationRow) -> None:
    learned(row, 1, 8, tick=109)
    talked(row, Ending.SAID_ALL, tick=100, other="tom-moreno")
    TalkRow.objects.filter(simulation_id=row.pk, agent=JOHN).update(heard_by=[EDDY, MEI])
    [news] = records(row)
    assert news.besides == ("tom-moreno", EDDY, MEI)
