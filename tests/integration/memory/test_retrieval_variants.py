"""Variants of retrieval: the agent asked about, rare words (M4, ADR 61)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.memory.events import MemoriesRetrieved, MemoryOrigin, RetrievalPurpose
from apps.memory.mean_squares import mean_squares, rare_first
from apps.memory.retrieval import RankedMemory, Subject
from apps.memory.retrieval_query import retrieve
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import CONDENSED_IMPORTANCE_MAX, NEVER_CONDENSED
from apps.memory.selection import (
    OF_THE_MOMENT,
    RetrievalSettings,
)
from tests.integration.memory.streams import CALENDAR, Stream
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

pytestmark = pytest.mark.django_db

QUERY = (1.0, 0.0)
TICK_SECONDS = 10
HOUR, DAY = 360, 8_640
MARIA = Subject(slug="maria-lopez", name="Maria Lopez")
PAPER = RetrievalSettings(
    tick_seconds=TICK_SECONDS,
    relevance_emphasis="none",
    subject_share=0.0,
    query_words="alike",
    distant_statements="kept",
    focus="ignored",
)


def ranking(stream: Stream, as_of_tick: int, **options: Any) -> list[RankedMemory]:
    return retrieve(
        stream.simulation_id,
        stream.agent,
        QUERY,
        as_of_tick=as_of_tick,
        tick_seconds=TICK_SECONDS,
        **options,
    )


class TestSubject:
    def stream(self) -> Stream:
        stream = Stream(agent="klaus-mueller")
        for number in range(6):
            name = "Maria Lopez" if number % 3 == 0 else "Ayesha Khan"
            stream.remember(
                number * HOUR,
                (number + 1, 3),
                description=f"{name} is reading book {number}",
                importance=1 + number,
            )
        return stream

    def test_selects_from_the_ranking_over_all(self) -> None:
        stream = self.stream()
        about = ranking(stream, DAY, subject=MARIA)
        every = [one for one in ranking(stream, DAY) if "Maria Lopez" in one.description]
        assert [(one.number, one.score) for one in about] == [
            (one.number, one.score) for one in every
        ]
        assert len(about) == 2

    def session(self, stream: Stream, **settings: Any) -> RetrievalSession:
        return RetrievalSession(
            simulation_id=stream.simulation_id,
            agent=stream.agent,
            as_of_tick=DAY,
            llm=agent_llm_in_memory(ScriptedModel({}), embedding=TwoDimensions()),
            settings=replace(PAPER, **settings),
            calendar=CALENDAR,
        )

    def test_is_the_agent_itself_in_what_names_no_other(self) -> None:
        stream = Stream(agent="klaus-mueller")
        for subject, description in (
            ("", "Klaus Mueller is a student"),
            ("", "Klaus Mueller likes Maria Lopez"),
            ("bed", "the bed is unmade"),
            ("klaus-mueller", "Klaus Mueller is reading"),
        ):
            stream.remember(0, (1, 0), description=description, subject=subject)
        itself = Subject(
            slug="klaus-mueller", name="Klaus Mueller", other_names=("Maria Lopez",)
        )
        about = ranking(stream, DAY, subject=itself)
        assert [one.number for one in about] == [4, 1]

    def test_has_the_first_places_of_a_prompt(self) -> None:
        stream = self.stream()
        session = self.session(stream, subject_share=1.0)
        found = session.retrieve("Maria?", "test", subject=MARIA)
        assert [one.number for one in found] == [4, 1, 6, 5, 3, 2]
        [new] = session.events()
        assert isinstance(new.event, MemoriesRetrieved)
        assert new.event.numbers == (4, 1, 6, 5, 3, 2)

    def test_has_its_share_of_the_tokens(self) -> None:
        # A line is 14 tokens: half of 30 hold one, 30 hold two.
        stream = self.stream()
        found = self.session(stream, subject_share=0.5).retrieve(
            "Maria?", "test", subject=MARIA, token_budget=30
        )
        assert [one.number for one in found] == [4, 6]

    def test_changes_nothing_without_a_share(self) -> None:
        stream = self.stream()
        session = self.session(stream, subject_share=0.0)
        plain = session.retrieve("Maria?", "test")
        assert session.retrieve("Maria?", "test", subject=MARIA) == plain
        assert [one.number for one in plain] == [6, 5, 4, 3, 2, 1]


class TestRareFirst:
    def stream(self) -> Stream:
        """Return three memories of what all are about, and one that is less so."""
        stream = Stream(agent="klaus-mueller")
        for number, vector in enumerate([(1, 0), (1, 0), (1, 0), (0.8, 0.6)]):
            stream.remember(0, vector, description=f"memory {number}")
        return stream

    def test_what_is_rare_in_the_stream_counts_more(self) -> None:
        def relevance(**settings: Any) -> dict[int, float]:
            session = replace(
                TestSubject().session(self.stream(), **settings),
                llm=agent_llm_in_memory(ScriptedModel({}), embedding=TwoDimensions((1.0, 1.0))),
            )
            found = session.retrieve("?", "test")
            return {one.number: one.parts.relevance.raw for one in found}

        plain, rare = relevance(), relevance(query_words="rare first")
        assert plain == pytest.approx({1: 0.707, 2: 0.707, 3: 0.707, 4: 0.99}, abs=1e-3)
        assert rare == pytest.approx({1: 0.357, 2: 0.357, 3: 0.357, 4: 0.846}, abs=1e-3)

    def test_vectors_of_queries_are_divided_by_the_usual_size(self) -> None:
        stream = self.stream()
        means = mean_squares(stream.simulation_id, stream.agent, as_of_tick=DAY)
        assert means == pytest.approx([0.91, 0.09], abs=1e-3)
        first, second = rare_first([1.0, 1.0], means)
        assert (first, second) == pytest.approx((0.96**-0.5, 0.14**-0.5), rel=1e-3)

    def test_a_stream_without_memories_leaves_them_as_they_are(self) -> None:
        means = mean_squares(self.stream().simulation_id, "nobody", as_of_tick=DAY)
        assert rare_first([1.0, 0.5], means) == [1.0, 0.5]


class TestCondensed:
    def stream(self) -> Stream:
        """Return a routine, something that matters, and something that is about the query."""
        stream = Stream(agent="klaus-mueller")
        little = CONDENSED_IMPORTANCE_MAX
        vectors = [(little, (0, 1)), (little + 1, (0, 1)), (little, (1, 0))]
        for number, (importance, vector) in enumerate(vectors):
            stream.remember(
                number, vector, description=f"memory {number}", importance=importance
            )
        return stream

    def session(self, condensed_tick: int, **settings: Any) -> RetrievalSession:
        session = TestSubject().session(self.stream(), **settings)
        return replace(session, condensed_tick=condensed_tick)

    def test_days_are_recalled_by_what_matters(self) -> None:
        assert [one.number for one in self.session(HOUR).recent()] == [2]
        assert [one.number for one in self.session(1).recent()] == [3, 2]
        assert [one.number for one in self.session(NEVER_CONDENSED).recent()] == [3, 2, 1]

    def test_days_are_retrieved_whole_by_default(self) -> None:
        found = self.session(HOUR).retrieve("Maria?", "test")
        assert sorted(one.number for one in found) == [1, 2, 3]

    def test_days_are_retrieved_by_what_matters_or_is_relevant_where_set(self) -> None:
        found = self.session(HOUR, condensed_memories="left out").retrieve("Maria?", "test")
        assert sorted(one.number for one in found) == [2, 3]


class TestDistantStatements:
    def session(self, **settings: Any) -> RetrievalSession:
        """Return a session over two phrases of the description and a sight, two distant."""
        stream = Stream(agent="klaus-mueller")
        described = MemoryOrigin.DESCRIPTION
        for number, (vector, origin) in enumerate(
            [((1, 0), described), ((0, 1), described), ((0, 1), MemoryOrigin.PERCEIVED_AGENT)]
        ):
            stream.remember(number, vector, description=f"memory {number}", origin=origin)
        return TestSubject().session(stream, **{"distant_statements": "left out"} | settings)

    @pytest.mark.parametrize("purpose", sorted(OF_THE_MOMENT))
    def test_of_the_description_do_not_come_to_mind_in_a_moment(self, purpose: str) -> None:
        found = self.session().retrieve("Maria?", purpose)
        assert sorted(one.number for one in found) == [1, 3]

    def test_are_found_by_a_question_about_the_agent(self) -> None:
        found = self.session().retrieve("Maria?", RetrievalPurpose.INTERVIEW)
        assert sorted(one.number for one in found) == [1, 2, 3]

    def test_come_to_mind_as_in_the_paper_where_set(self) -> None:
        session = self.session(distant_statements="kept")
        found = session.retrieve("Maria?", RetrievalPurpose.REACTION)
        assert sorted(one.number for one in found) == [1, 2, 3]


class TwoDimensions:
    """Embeds everything as one vector."""

    name = "by-hand"
    dimensions = 2
    remote = False
    server = "test"
    texts_at_once_max = 100

    def __init__(self, vector: tuple[float, float] = QUERY) -> None:
        self._vector = vector

    def embed(self, texts: Any) -> list[list[float]]:
        return [list(self._vector) for _ in texts]

    def embed_at_once(self, texts: Any) -> Any:
        raise NotImplementedError
