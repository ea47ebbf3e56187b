"""Retrievals that ask for news, or about an event that the agent attended (M5, ADR 77)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.memory.events import (
    AgreementOutcome,
    MemoriesRetrieved,
    MemoryKind,
    MemoryOrigin,
    RetrievalPurpose,
    ScheduledActivity,
)
from apps.memory.focus import Focus, news
from apps.memory.retrieval_session import RetrievalSession
from tests.integration.memory.streams import CALENDAR, Stream
from tests.integration.memory.test_retrieval_variants import PAPER, TwoDimensions
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

pytestmark = pytest.mark.django_db

NEAR, FAR = (1.0, 0.0), (0.0, 1.0)
PARTY = ScheduledActivity(
    activity="come to the party",
    starts=datetime(2023, 2, 14, 17),
    ends=datetime(2023, 2, 14, 19),
)
STARTS, ENDS = map(CALENDAR.tick_at, (datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19)))
NIGHT = CALENDAR.tick_at(datetime(2023, 2, 14, 22))


def session(stream: Stream, *, as_of_tick: int = NIGHT, **settings: Any) -> RetrievalSession:
    return RetrievalSession(
        simulation_id=stream.simulation_id,
        agent=stream.agent,
        as_of_tick=as_of_tick,
        llm=agent_llm_in_memory(ScriptedModel({}), embedding=TwoDimensions()),
        settings=replace(PAPER, **{"focus": "first"} | settings),
        calendar=CALENDAR,
    )


def numbers(
    stream: Stream, purpose: str, subject: Focus | None = None, **options: Any
) -> list[int]:
    found = session(stream, **options).retrieve("What is new?", purpose, subject=subject)
    return [memory.number for memory in found]


class TestNews:
    def stream(self) -> Stream:
        """Return a stream of Klaus, who has heard of a party and who prepares an exhibition."""
        stream = Stream(agent="klaus-mueller")
        for vector, origin, description in (
            (NEAR, MemoryOrigin.DESCRIPTION, "Klaus Mueller likes news"),
            (NEAR, MemoryOrigin.DESCRIPTION, "Klaus Mueller prepares an exhibition for May 2"),
            (FAR, MemoryOrigin.LEARNED, "Maria Lopez told Klaus Mueller of a party"),
            (NEAR, MemoryOrigin.OPINION, "Klaus Mueller likes Maria Lopez"),
        ):
            stream.remember(0, vector, description=description, origin=origin)
        for number, description in ((3, "There is a party"), (1, "Klaus Mueller read much")):
            stream.remember(
                0,
                FAR,
                description=description,
                kind=MemoryKind.REFLECTION,
                origin=MemoryOrigin.CONSOLIDATION,
                evidence=(number,),
            )
        return stream

    def test_is_what_others_told_and_what_condenses_it(self) -> None:
        found = numbers(self.stream(), RetrievalPurpose.REACTION, news())
        assert found[:2] == [5, 3]
        assert sorted(found) == [1, 2, 3, 4, 5, 6]

    def test_is_what_the_agent_wants_to_tell(self) -> None:
        found = numbers(self.stream(), RetrievalPurpose.REACTION, news([2]))
        assert sorted(found[:3]) == [2, 3, 5]

    def test_is_ranked_like_other_memories_where_set(self) -> None:
        stream = self.stream()
        ignored = numbers(stream, RetrievalPurpose.REACTION, news(), focus="ignored")
        assert ignored == numbers(stream, RetrievalPurpose.REACTION)
        assert ignored[:2] == [4, 2]


class TestAttendedEvent:
    def stream(self, outcome: AgreementOutcome = AgreementOutcome.KEPT) -> Stream:
        """Return a stream of an agent that was invited to a party, and what it did there."""
        stream = Stream(agent="klaus-mueller")
        stream.remember(
            0,
            NEAR,
            description="Maria Lopez invited Klaus Mueller to the party",
            origin=MemoryOrigin.LEARNED,
            scheduled=PARTY,
            subject="maria-lopez",
        )
        stream.remember(
            0,
            NEAR,
            description="Klaus Mueller and Maria Lopez talked about the party",
            kind=MemoryKind.DIALOGUE,
            origin=MemoryOrigin.CONVERSATION,
            subject="maria-lopez",
        )
        stream.remember(STARTS - 60, FAR, description="Klaus Mueller is reading")
        stream.remember(STARTS + 60, FAR, description="Maria Lopez is dancing")
        stream.remember(
            STARTS + 120,
            FAR,
            description="Klaus Mueller can count on Maria Lopez",
            kind=MemoryKind.REFLECTION,
            origin=MemoryOrigin.INSIGHT,
        )
        stream.remember(
            ENDS + 10,
            FAR,
            description="Klaus Mueller agreed to come to the party, and did so",
            origin=MemoryOrigin.ENDED,
            scheduled=replace(PARTY, outcome=outcome),
            subject="maria-lopez",
        )
        return stream

    def first(self, stream: Stream, **options: Any) -> list[int]:
        found = numbers(
            stream, RetrievalPurpose.INSIGHTS, relevance_emphasis="purposes", **options
        )
        assert sorted(found) == list(range(1, len(stream.memories) + 1))
        return found[:2]

    def test_has_what_was_perceived_there_first(self) -> None:
        assert self.first(self.stream()) == [6, 4]

    def test_is_none_that_the_agent_missed(self) -> None:
        assert self.first(self.stream(AgreementOutcome.MISSED)) == [2, 1]

    def test_is_none_that_the_first_memories_are_not_about(self) -> None:
        stream = self.stream()
        for place in range(5):
            stream.remember(NIGHT, NEAR, description=f"Klaus Mueller read book {place}")
        assert self.first(stream) == [11, 10]

    def test_is_not_looked_for_in_a_moment(self) -> None:
        found = numbers(self.stream(), RetrievalPurpose.REACTION, relevance_emphasis="none")
        assert found == numbers(
            self.stream(),
            RetrievalPurpose.REACTION,
            relevance_emphasis="none",
            focus="ignored",
        )

    def test_is_ranked_like_other_memories_where_set(self) -> None:
        assert self.first(self.stream(), focus="ignored") == [2, 1]

    def test_leaves_half_of_the_tokens_to_other_memories(self) -> None:
        stream = self.stream()
        for minute in range(20):
            stream.remember(
                STARTS + 6 * minute, FAR, description=f"Maria Lopez dances {minute}"
            )
        asked = session(stream, relevance_emphasis="purposes")
        found = asked.retrieve("How was it?", RetrievalPurpose.INSIGHTS, token_budget=100)
        assert {1, 2} <= {memory.number for memory in found}
        [new] = asked.events()
        assert isinstance(new.event, MemoriesRetrieved)
        assert new.event.numbers == tuple(memory.number for memory in found)
