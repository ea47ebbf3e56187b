"""Seven in one room: who is told something answers, asks on, leaves or only listens (D2)."""

import pytest

from apps import wiring
from apps.dialogue.events import Overheard, Said, TalkEnded
from apps.eventlog.rebuild import check
from apps.kernel.names import slug_of
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.models import SimulationRow
from apps.simulation.turn.context.context_reading import read_context
from tests.support.scripted_home import Dialogue, Script, action, lived
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    ONE_BY_ONE,
    happened,
    history_of,
    shared_fixture,
)

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA, KLAUS, MARIA = "Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"
LISTENERS = ("Ayesha Khan", "Eddy Lin", "Hailey Johnson", "Wolfgang Schulz")
SEVEN = (ISABELLA, KLAUS, MARIA, *LISTENERS)
SEATING = "cafe: customer seating"
SCRIPT: Script = {
    ISABELLA: [
        action("serving coffee", 50, where=SEATING),
        action("telling it", 10, where=SEATING, act=("tell those present", "nobody", "party")),
    ],
    **{one: [action("having coffee", 60, where=SEATING)] for one in SEVEN[1:]},
}
PARTY = "I am having a Valentine's Day party here on Tuesday at five."
SAID: Dialogue = (
    (ISABELLA, PARTY, KLAUS, False),
    (KLAUS, "Are you going, Maria?", MARIA, False),
    (MARIA, "I am, and I have to run now.", KLAUS, True),
    (KLAUS, "Then I will come, too, Isabella.", ISABELLA, False),
    (ISABELLA, "I am glad.", "", True),
)


def told(manner: RunOptions = ONE_BY_ONE) -> SimulationRow:
    places = dict.fromkeys(SEVEN, "Hobbs Cafe")
    return lived(
        SCRIPT,
        dialogue=SAID,
        manner=manner,
        places=places,
        hour=10,
        agents=SEVEN,
        settings={"vision": 20},
    )


row = shared_fixture(told)


@pytest.mark.django_db
class TestSeven:
    def test_have_one_conversation_that_goes_on_without_the_one_that_leaves(
        self, row: SimulationRow
    ) -> None:
        spoken = happened(row, Said)
        assert [(one.stream, one.event.text) for one in spoken] == [
            (slug_of(speaker), text) for speaker, text, _to, _ends in SAID
        ]
        assert len({one.event.conversation for one in spoken}) == 1
        everybody = set(map(slug_of, SEVEN))
        assert {*spoken[0].event.participants} == everybody - {slug_of(ISABELLA)}
        assert {*spoken[3].event.participants} == everybody - {slug_of(KLAUS), slug_of(MARIA)}

    def test_all_take_something_from_it_once(self, row: SimulationRow) -> None:
        [conversation] = {one.event.conversation for one in happened(row, Said)}
        ended = [
            one.stream
            for one in happened(row, TalkEnded)
            if one.event.conversation == conversation
        ]
        assert sorted(ended) == sorted(map(slug_of, SEVEN))
        formed = happened(row, MemoryFormed)
        for name in SEVEN:
            own = [one.event for one in formed if one.stream == slug_of(name)]
            [gist] = [one for one in own if one.origin is MemoryOrigin.CONVERSATION]
            assert all(one in gist.description for one in SEVEN)
            assert any(PARTY in one.description for one in own) is (name != ISABELLA)
            assert not [one for one in own if one.origin is MemoryOrigin.UTTERANCE]

    def test_listeners_know_when_they_last_talked_with_each(self, row: SimulationRow) -> None:
        listener = slug_of(LISTENERS[0])
        assert any(one.stream == listener for one in happened(row, Overheard))
        records = read_context(
            wiring.ports(), simulation_id=row.pk, agent=listener, tick=row.committed_tick
        ).records
        in_view = {slug_of(one) for one in (ISABELLA, KLAUS)}
        assert in_view <= records.last_talks.keys()
        assert len({one.to_tick for one in records.last_talks.values()}) == 1


def test_they_make_one_history_in_any_order() -> None:
    rows = [told(manner) for manner in (LOCK_STEP, EIGHT_THREADS)]
    assert len({history_of(one.pk) for one in rows}) == 1
    for one in rows:
        assert check(wiring.event_store(), one.pk).problems == ()
