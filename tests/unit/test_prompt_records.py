"""Records in prompts of conversations: summary, relationships, promises and agreements."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from apps.agents.status import Standing, TieKind
from apps.dialogue.events import (
    Agreed,
    AgreementEnded,
    Promised,
    PromiseEnded,
    PromiseOutcome,
    Said,
)
from apps.evaluation.social.prompt_records import evidence_in_prompt
from apps.eventlog.event import Event, EventId, Recorded
from apps.memory.events import (
    AgreementOutcome,
    FactEstablished,
    FactKind,
    FactRevised,
    FactSource,
    MemoriesRetrieved,
    MemoryFormed,
    MemoryKind,
    MemoryOrigin,
    RetrievalPurpose,
    Weights,
)
from tests.support.builders import relationship, summarised

PROMISED = Promised(
    conversation="1/cem", other="cem", what="The bridge is down.", to="", memory=3
)
AGREED = Agreed(
    conversation="1/cem",
    other="cem",
    activity="come to the supper",
    place="the mill",
    day="2024-06-03",
    from_minute=0,
    to_minute=60,
)
MEMORY_OF_IT = MemoryFormed(
    number=4,
    kind=MemoryKind.PLAN,
    description="Ada agreed to come to the supper",
    importance=5,
    embedded_by="",
    dimensions=0,
    origin=MemoryOrigin.AGREED,
)
RELATIONSHIP = relationship("Ada knows Ben", 1, TieKind.FRIEND, Standing.FRIENDLY)
REVISED = FactRevised(
    number=1,
    statements=("Ada knows Ben",),
    evidence=(6, 7),
    source=FactSource.CONVERSATION,
    opinion="Ada heard that Ben will move",
)

PURSUIT = FactEstablished(
    number=2,
    kind=FactKind.PURSUIT,
    statements=("Ada runs for mayor",),
    evidence=(8,),
    source=FactSource.DESCRIPTION,
)
SUMMARISED = summarised(
    "Ada runs for mayor.", text="Name: Ada\nAda runs for mayor.", due_tick=99
)


def retrieved(purpose: RetrievalPurpose, *numbers: int) -> MemoriesRetrieved:
    return MemoriesRetrieved(
        purpose=purpose, query="", weights=Weights(), decay=0.99, numbers=numbers
    )


def record_of(tick: int, event: Event, cause: str = "") -> Recorded:
    return Recorded(
        simulation_id=UUID(int=1),
        place=EventId(tick, "ada", 0),
        event=event,
        cause=cause,
        model_calls=(),
        position=tick,
        recorded_at=datetime(2024, 6, 3, tzinfo=UTC),
    )


def given(events: Sequence[Recorded], *, to: str = "ben", at_tick: int = 9) -> set[int]:
    """Return what records in the prompt of an utterance to an agent at a tick rest on."""
    words = Said(conversation="9/ada", to=to, number=1, text="Hello.", ends=False, memories=())
    said = record_of(at_tick, words)
    return evidence_in_prompt(sorted([*events, said], key=lambda one: one.tick), said)


def test_a_relationship_is_there_for_the_other_one_alone() -> None:
    known = [record_of(1, RELATIONSHIP)]
    assert given(known) == {1}
    assert given(known, to="cem") == set()


def test_an_opinion_rests_on_its_own_memories_besides() -> None:
    known = [record_of(1, RELATIONSHIP), record_of(2, REVISED)]
    assert given(known) == {1, 6, 7}


def test_a_promise_is_for_everybody_but_its_source_until_it_ends() -> None:
    made = record_of(2, PROMISED)
    kept = record_of(5, PromiseEnded(promise="2/ada/0", outcome=PromiseOutcome.KEPT))
    assert given([made]) == {3}
    assert given([made], to="cem") == set()
    assert given([made, kept]) == set()


def test_an_agreement_rests_on_its_memory_until_it_ends() -> None:
    made = [record_of(2, AGREED), record_of(3, MEMORY_OF_IT, cause="2/ada/0")]
    over = AgreementEnded(agreements=("2/ada/0",), outcome=AgreementOutcome.KEPT)
    assert given(made) == {4}
    assert given([*made, record_of(5, over)]) == set()


def test_a_summary_rests_on_the_memories_of_its_queries_and_on_own_facts() -> None:
    before = [
        record_of(1, PURSUIT),
        record_of(2, retrieved(RetrievalPurpose.CORE_CHARACTERISTICS, 1, 2)),
        record_of(3, retrieved(RetrievalPurpose.RECENT_PROGRESS, 3)),
        record_of(4, retrieved(RetrievalPurpose.UTTERANCE, 4)),
    ]
    renewed = record_of(5, SUMMARISED)
    later = record_of(6, retrieved(RetrievalPurpose.RECENT_PROGRESS, 6))
    assert given(before) == set()
    assert given([*before, renewed, later]) == {1, 2, 3, 8}


def test_the_latest_summary_counts() -> None:
    before = [
        record_of(1, retrieved(RetrievalPurpose.RECENT_PROGRESS, 1)),
        record_of(2, SUMMARISED),
        record_of(3, retrieved(RetrievalPurpose.RECENT_PROGRESS, 2)),
    ]
    assert given(before) == {1}
    assert given([*before, record_of(4, SUMMARISED)]) == {2}


def test_what_is_recorded_later_is_not_there_yet() -> None:
    later = [record_of(9, RELATIONSHIP), record_of(10, PROMISED)]
    assert given(later, at_tick=4) == set()
