"""The clocks of agents as a scheduler reads them: from the rows and from the log."""

from dataclasses import replace
from uuid import UUID

import pytest

from apps.agents.events import EVENTS as AGENT_EVENTS
from apps.agents.events import AgentLeft, Noticed, PlacesLearnt, Sight
from apps.agents.projections import PEOPLE
from apps.agents.queries import Seen
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow
from apps.simulation.engine.agent_clocks import read_acquainted, read_agent_clocks
from apps.simulation.events import InnerVoiceGiven
from apps.simulation.models import ClockRow
from tests.support.builders import joined
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

STOVE = "Mill Cottage: kitchen: stove"
JOINED = joined("Ada Mill", "Mill Cottage", (3, 4), description="Ada Mill grinds flour")
SIGHTS = Noticed(
    sights=(
        Sight(subject="ben", description="Ben is reading", area="", is_object=False),
        Sight(subject=STOVE, description="turned on", area="", is_object=True),
    )
)


def remember(simulation_id: UUID, agent: str) -> None:
    """Give an agent a seed memory: it is prepared."""
    MemoryRow.objects.create(
        simulation_id=simulation_id,
        agent=agent,
        number=1,
        kind=MemoryKind.OBSERVATION,
        description="a seed memory",
        rating=5,
        rated_tick=0,
        origin=MemoryOrigin.DESCRIPTION,
        formed_tick=0,
        ordinal=1,
        embedding=[1, 0],
    )


@pytest.fixture
def log() -> ProjectedLog:
    """Return a log in which three agents have joined at tick 0, Cem without seed memories."""
    log = ProjectedLog([*AGENT_EVENTS, InnerVoiceGiven], [PEOPLE])
    for agent in ("ben", "ada", "cem"):
        log.append(0, agent, replace(JOINED, name=agent.title()))
    for agent in ("ada", "ben"):
        remember(log.simulation_id, agent)
    return log


def ticks(log: ProjectedLog) -> list[tuple[str, int]]:
    return [(slug, clock.tick) for slug, clock in read_agent_clocks(log.simulation_id).items()]


class TestReadAgentClocks:
    def test_begins_at_tick_1_or_with_the_preparation(self, log: ProjectedLog) -> None:
        assert ticks(log) == [("ada", 1), ("ben", 1), ("cem", 0)]

    def test_does_not_prepare_an_agent_that_has_taken_turns(self, log: ProjectedLog) -> None:
        log.append(7, "cem", PlacesLearnt(nodes=(STOVE,)))
        assert ticks(log) == [("ada", 1), ("ben", 1), ("cem", 8)]

    def test_takes_the_later_of_stored_clock_and_log(self, log: ProjectedLog) -> None:
        log.append(7, "ada", PlacesLearnt(nodes=(STOVE,)))
        log.append(7, "ben", PlacesLearnt(nodes=(STOVE,)))
        for agent, stored in (("ada", 5), ("ben", 12)):
            ClockRow.objects.create(simulation_id=log.simulation_id, agent=agent, clock=stored)
        assert ticks(log)[:2] == [("ada", 8), ("ben", 12)]

    def test_leaves_out_agents_that_have_left(self, log: ProjectedLog) -> None:
        log.append(7, "ben", AgentLeft())
        assert [agent for agent, _ in ticks(log)] == ["ada", "cem"]

    def test_knows_a_visitor_by_its_lack_of_a_home(self, log: ProjectedLog) -> None:
        log.append(3, "vera", replace(JOINED, name="Vera", home="", bed=""))
        clocks = read_agent_clocks(log.simulation_id)
        assert [clock.is_visitor for clock in clocks.values()] == [False, False, False, True]
        assert clocks["vera"].tick == 4  # joined later: prepared in its first turn

    def test_has_the_interventions_from_the_lowest_clock_on(self, log: ProjectedLog) -> None:
        for agent, stored in (("ada", 20), ("ben", 30)):
            ClockRow.objects.create(simulation_id=log.simulation_id, agent=agent, clock=stored)
        for tick, agent in ((19, "ada"), (20, "ada"), (44, "ada"), (25, "ben")):
            voice = InnerVoiceGiven(by="a user", reason="", agent=agent, text="Sing!")
            log.append(tick, "", voice)
        clocks = read_agent_clocks(log.simulation_id)
        assert [clock.interventions for clock in clocks.values()] == [
            {20, 44},
            {25},
            frozenset(),
        ]

    def test_knows_what_was_noticed_before_the_next_tick(self, log: ProjectedLog) -> None:
        log.append(7, "ada", SIGHTS)
        clocks = read_agent_clocks(log.simulation_id)
        assert clocks["ada"].agent == "ada"
        assert clocks["ada"].acquainted.agents == {
            "ben": Seen(description="Ben is reading", tick=7)
        }
        assert clocks["ada"].acquainted.objects == {
            STOVE: Seen(description="turned on", tick=7)
        }
        assert clocks["cem"].acquainted.agents == {}


class TestAcquainted:
    def test_is_what_was_noticed_in_the_ticks_asked_for(self, log: ProjectedLog) -> None:
        log.append(7, "ada", SIGHTS)
        cem = Sight(subject="cem", description="Cem is asleep", area="", is_object=False)
        off = Sight(subject=STOVE, description="off", area="", is_object=True)
        log.append(8, "ada", Noticed(sights=(cem, off)))
        later = Sight(subject="ben", description="Ben is gone", area="", is_object=False)
        log.append(9, "ada", Noticed(sights=(later,)))
        seen = read_acquainted(log.simulation_id, "ada", as_of_tick=8, since_tick=8)
        assert seen.agents == {"cem": Seen(description="Cem is asleep", tick=8)}
        assert seen.objects == {STOVE: Seen(description="off", tick=8)}
