"""Social measures on histories that are written by hand, whose truth is known."""

from datetime import UTC, datetime
from uuid import UUID

import networkx
import pytest

from apps.dialogue.events import Said
from apps.evaluation.models import NewsFindingRow
from apps.evaluation.news_searches.queries import news_of_findings
from apps.evaluation.social.grapevine import Diffusion, Grapevine, diffusion
from apps.evaluation.social.news import news_of
from apps.evaluation.social.social_measures import network_of
from apps.eventlog.event import Event, EventId, Recorded
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin

ADA, BEN, CEM, DEE = "ada", "ben", "cem", "dee"
FEAST = news_of(["feast"], ["Ada", "harvest"], ["is there a feast"])


def happened(tick: int, agent: str, event: Event, *, cause: str = "", at: int = 0) -> Recorded:
    """Return an event of an agent as it is on the log."""
    return Recorded(
        simulation_id=UUID(int=1),
        place=EventId(tick, agent, at),
        event=event,
        cause=cause,
        model_calls=(),
        position=tick,
        recorded_at=datetime(2024, 6, 3, tzinfo=UTC),
    )


def remembered(
    number: int, text: str, origin: MemoryOrigin = MemoryOrigin.LEARNED
) -> MemoryFormed:
    """Return the event of a memory."""
    return MemoryFormed(
        number=number,
        kind=MemoryKind.OBSERVATION,
        description=text,
        importance=5,
        embedded_by="none",
        dimensions=1,
        origin=origin,
    )


def said(to: str, text: str, *memories: int) -> Said:
    """Return the event of an utterance that rests on memories."""
    return Said(
        conversation="10/ada", to=to, number=1, text=text, ends=False, memories=memories
    )


# Ada has a feast in mind, tells Ben, who remembers it; Cem only asked about it, and Dee
# remembers it although nobody told her.
LOG = [
    happened(0, ADA, remembered(1, "Ada plans a harvest feast", MemoryOrigin.DESCRIPTION)),
    happened(0, CEM, remembered(1, "Cem likes music", MemoryOrigin.DESCRIPTION)),
    happened(10, ADA, said(BEN, "Come to my feast on Sunday!", 1)),
    happened(12, BEN, remembered(1, "Ada has a feast on Sunday"), cause="10/ada/0"),
    happened(20, CEM, remembered(2, "Cem asked Ada: is there a feast for the harvest?")),
    happened(30, DEE, remembered(1, "Ada's feast will be wonderful")),
]


def spread(tick: int) -> Diffusion:
    """Return the diffusion of the feast at a tick."""
    return diffusion(Grapevine(LOG), FEAST, [ADA, BEN, CEM, DEE], as_of_tick=tick)


class TestDiffusion:
    def test_grows_as_agents_come_to_know(self) -> None:
        assert [spread(tick).share for tick in (0, 11, 12, 30)] == [0.25, 0.25, 0.5, 0.75]

    def test_has_the_memory_and_the_chain_of_each_knower(self) -> None:
        ada, ben, _ = spread(30).knowers
        assert (ada.agent, ada.is_origin, ada.chain, ada.problem) == (ADA, True, (), "")
        assert (ben.memory, ben.description) == (1, "Ada has a feast on Sunday")
        [link] = ben.chain
        assert (link.source, link.event, link.tick) == (ADA, "10/ada/0", 12)

    def test_finds_a_planted_claim_that_nothing_explains(self) -> None:
        dee = spread(30).knowers[-1]
        assert (dee.agent, dee.chain) == (DEE, ())
        assert "nothing told dee" in dee.problem
        assert spread(30).unexplained == 1

    def test_does_not_take_a_question_for_knowledge(self) -> None:
        assert spread(30).unaware == (CEM,)


class TestNews:
    @pytest.mark.parametrize(
        ("text", "tells"),
        [
            ("Ada has a feast", True),
            ("The HARVEST Feast is near", True),
            ("Ada is feasting", False),
            ("a feast", False),
            ("Adam has a feast", False),
            ("Is there a feast, Ada?", False),
        ],
    )
    def test_is_told_by_whole_words_of_both_lists(self, text: str, *, tells: bool) -> None:
        assert FEAST.is_held_by(happened(1, ADA, remembered(1, text))) is tells


class TestNetwork:
    def test_of_a_triangle_with_a_pendant(self) -> None:
        ties = [(ADA, BEN), (BEN, CEM), (ADA, CEM), (CEM, DEE)]
        both = [*ties, *((other, one) for one, other in ties)]
        found = network_of("talked", [ADA, BEN, CEM, DEE, "eve"], both)
        assert (found.agents, found.ties) == (5, 4)
        assert found.density == pytest.approx(0.4)
        assert found.degrees == {ADA: 2, BEN: 2, CEM: 3, DEE: 1, "eve": 0}
        assert found.mean_degree == pytest.approx(1.6)
        # Ada and Ben 1, Cem 1 of 3 pairs of neighbors, the others 0.
        assert found.clustering == pytest.approx((1 + 1 + 1 / 3) / 5)
        assert found.isolated == ("eve",)

    def test_has_ties_that_are_mutual_only(self) -> None:
        assert network_of("met", [ADA, BEN], [(ADA, BEN)]).ties == 0

    def test_of_nobody_or_one_has_no_ties(self) -> None:
        assert network_of("met", [], []).density == 0
        alone = network_of("met", [ADA], [])
        assert (alone.density, alone.communities, alone.modularity) == (0, ((ADA,),), None)

    def test_of_the_karate_club_is_that_of_the_library(self) -> None:
        club = networkx.karate_club_graph()
        names = {node: f"agent-{node:02d}" for node in club}
        pairs = [
            pair
            for one, other in club.edges
            for pair in ((names[one], names[other]), (names[other], names[one]))
        ]
        found = network_of("met", names.values(), pairs)
        assert (found.agents, found.ties) == (34, 78)
        assert found.density == pytest.approx(0.13903, abs=1e-5)
        assert found.clustering == pytest.approx(0.57064, abs=1e-5)
        # As published for the greedy algorithm (Newman 2004).
        assert found.modularity == pytest.approx(0.381, abs=5e-4)
        assert len(found.communities[0]) == 17


class TestVerifiedNews:
    def test_is_held_by_no_memory_that_was_turned_down(self) -> None:
        today, tomorrow = (
            happened(day, ADA, remembered(day, "The feast is today")) for day in (1, 2)
        )
        read = [{"number": number, "description": "The feast is today"} for number in (1, 2)]
        finding = NewsFindingRow(agent=ADA, knows=True, considered=read, held=read[1:])
        news = news_of_findings("the feast", [finding])
        assert not news.is_held_by(today)
        assert news.is_held_by(tomorrow)
