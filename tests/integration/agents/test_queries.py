"""Where agents are, what they use and what they have seen, as of the ends of ticks."""

from dataclasses import replace

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from apps.agents import queries
from apps.agents.events import AgentJoined, AgentLeft, Noticed, PlacesLearnt, Sight
from apps.agents.models import KnownPlaceRow, SeenAgentRow
from apps.agents.queries import Seen
from apps.world.tile_map import Tile, chebyshev
from tests.integration.agents.test_projections import (
    ADA,
    BATHROOM,
    BEN,
    COOKS,
    JOINED,
    KITCHEN,
    KNOCKS,
    SINK,
    STOVE,
    WALKS,
    new_log,
)
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db


def joined(name: str) -> AgentJoined:
    return replace(JOINED, name=name, knows=())


@pytest.fixture
def log() -> ProjectedLog:
    """Return a log of Ada, who cooks from 5, walks from 8 to 10 and knocks at 11, and of Ben.

    In a second simulation another Ada and another Ben do something else at the same ticks.
    """
    log, elsewhere = new_log(), new_log()
    for agent in (BEN, ADA):
        log.append(1, agent, joined(agent.title()))
        elsewhere.append(1, agent, joined(f"another {agent}"))
    log.append(5, ADA, COOKS)
    log.append(8, ADA, WALKS)
    log.append(11, ADA, KNOCKS)
    log.append(6, BEN, replace(COOKS, object=SINK, tile=(5, 4), description="washing up"))
    elsewhere.append(6, ADA, replace(COOKS, tile=(5, 5), description="elsewhere"))
    elsewhere.append(6, BEN, replace(COOKS, tile=(5, 5), description="elsewhere"))
    return log


class TestTracks:
    def begun(self, log: ProjectedLog, agent: str = ADA, **span: int | None) -> list[int]:
        """Return when the actions of the agent's track began."""
        tracks = queries.tracks(log.simulation_id, **span)  # type: ignore[arg-type]
        return [action.from_tick for action in tracks[agent].actions]

    def test_hold_what_holds_in_the_ticks_in_order(self, log: ProjectedLog) -> None:
        assert self.begun(log, from_tick=1) == [5, 8, 11]
        assert self.begun(log, from_tick=7) == [5, 8, 11]
        assert self.begun(log, from_tick=8) == [8, 11]
        assert self.begun(log, from_tick=99) == [11]
        assert self.begun(log, from_tick=7, to_tick=8) == [5, 8]
        assert self.begun(log, from_tick=6, to_tick=7) == [5]
        assert self.begun(log, BEN, from_tick=1) == [6]

    def test_are_by_slug_and_of_one_simulation(self, log: ProjectedLog) -> None:
        tracks = queries.tracks(log.simulation_id, from_tick=1)
        assert list(tracks) == [ADA, BEN]
        assert (tracks[ADA].name, tracks[BEN].name) == ("Ada", "Ben")
        assert list(queries.tracks(log.simulation_id, from_tick=1, agents=[BEN])) == [BEN]
        assert queries.tracks(log.simulation_id, from_tick=1, agents=[]) == {}

    def test_say_where_the_agent_is(self, log: ProjectedLog) -> None:
        track = queries.tracks(log.simulation_id, from_tick=1)[ADA]
        assert [track.tile_at(tick) for tick in (5, 7, 8, 9, 10, 11)] == [
            (5, 6),
            (5, 6),
            (5, 7),
            (5, 8),
            (5, 9),
            (5, 9),
        ]

    def test_are_read_with_all_names_in_two_statements(self, log: ProjectedLog) -> None:
        with CaptureQueriesContext(connection) as captured:
            queries.tracks(log.simulation_id, from_tick=1)
            queries.tracks(log.simulation_id, from_tick=1)
        assert len(captured) == 3, "names do not change, and are read once"

    def test_leave_out_what_was_broken_off_in_its_first_tick(self, log: ProjectedLog) -> None:
        log.append(20, ADA, COOKS, WALKS)
        assert self.begun(log, from_tick=11) == [11, 20]
        between = queries.actions_between(log.simulation_id, ADA, from_tick=12, to_tick=20)
        assert [action.description for action in between] == [
            "waiting for the bathroom",
            "walking to the shower",
        ]


class TestTracksNear:
    def near(self, log: ProjectedLog, tick: int, distance: int) -> list[str]:
        def is_near(here: Tile, there: Tile) -> bool:
            return chebyshev(here, there) <= distance

        return list(queries.tracks_near(log.simulation_id, ADA, tick=tick, is_near=is_near))

    def test_are_of_the_agents_within_the_distance(self, log: ProjectedLog) -> None:
        # Ben stands at (5, 4), Ada at (5, 6) until she walks to (5, 9).
        assert self.near(log, 7, 2) == [ADA, BEN]
        assert self.near(log, 7, 1) == [ADA]
        assert self.near(log, 8, 2) == [ADA]
        assert self.near(log, 8, 3) == [ADA, BEN]
        assert self.near(log, 9, 3) == [ADA]
        assert self.near(log, 12, 4) == [ADA]
        assert self.near(log, 12, 5) == [ADA, BEN]
        assert self.near(log, 5, 9) == [ADA]

    def test_say_what_holds_at_the_tick_alone(self, log: ProjectedLog) -> None:
        for tick, tile, doing in (
            (7, (5, 6), "cooking"),
            (8, (5, 7), "walking to the shower"),
            (10, (5, 9), "walking to the shower"),
            (11, (5, 9), "waiting for the bathroom"),
            (50, (5, 9), "waiting for the bathroom"),
        ):
            near = queries.tracks_near(
                log.simulation_id, ADA, tick=tick, is_near=lambda _here, _there: False
            )
            track = near[ADA]
            assert track.tile_at(tick) == tile
            assert [action.description for action in track.actions] == [doing]

    def test_leave_out_agents_that_have_left(self, log: ProjectedLog) -> None:
        log.append(20, BEN, AgentLeft())
        assert self.near(log, 19, 9) == [ADA, BEN]
        assert self.near(log, 20, 9) == [ADA]


class TestUses:
    def used(self, log: ProjectedLog, **span: int) -> list[tuple[str, str, int, int | None]]:
        found = queries.uses(log.simulation_id, **span)  # type: ignore[arg-type]
        return [(use.agent, use.node, use.from_tick, to_tick) for use, to_tick in found]

    def test_are_those_that_stand_in_the_ticks(self, log: ProjectedLog) -> None:
        stove, sink, bathroom = (
            (ADA, STOVE, 5, 8),
            (BEN, SINK, 6, None),
            (ADA, BATHROOM, 11, None),
        )
        assert self.used(log, from_tick=1) == [stove, bathroom, sink]
        assert self.used(log, from_tick=7) == [stove, bathroom, sink]
        assert self.used(log, from_tick=8) == [bathroom, sink]
        assert self.used(log, from_tick=5, to_tick=5) == [stove]
        assert self.used(log, from_tick=5, to_tick=6) == [stove, sink]
        assert self.used(log, from_tick=8, to_tick=11) == [bathroom, sink]

    def test_are_of_the_agents(self, log: ProjectedLog) -> None:
        found = queries.uses(log.simulation_id, from_tick=1, agents=[BEN])
        assert [use.node for use, _ in found] == [SINK]

    def test_leave_out_what_was_broken_off_in_its_first_tick(self, log: ProjectedLog) -> None:
        log.append(20, ADA, COOKS, WALKS)
        assert (ADA, STOVE, 20, 20) not in self.used(log, from_tick=11)


class TestLastSeen:
    def test_is_the_latest_sight_of_each_as_of_the_tick(self, log: ProjectedLog) -> None:
        ben = Sight(subject=BEN, description="Ben is reading", area=KITCHEN, is_object=False)
        stove = Sight(subject=STOVE, description="off", area=KITCHEN, is_object=True)
        log.append(12, ADA, Noticed(sights=(ben, stove)))
        log.append(14, ADA, Noticed(sights=(replace(ben, description="Ben is asleep"),)))
        log.append(15, ADA, Noticed(sights=(replace(stove, description="hot"),)))
        log.append(16, ADA, PlacesLearnt(nodes=(SINK,)))
        log.append(16, BEN, Noticed(sights=(replace(stove, description="on"),)))
        # The order of the rows in the table, the earlier ones last, must not matter.
        for model in (KnownPlaceRow, SeenAgentRow):
            model.objects.own().exclude(to_tick=None).update(to_tick=F("to_tick"))
        with connection.cursor() as cursor:
            cursor.execute(
                "SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off"
            )
        reading = Seen(description="Ben is reading", tick=12, area=KITCHEN)
        asleep = Seen(description="Ben is asleep", tick=14, area=KITCHEN)
        off, hot = Seen(description="off", tick=12), Seen(description="hot", tick=15)
        unseen = Seen(description="", tick=16)
        for tick, since, agents, objects in (
            (11, 0, {}, {}),
            (12, 0, {BEN: reading}, {STOVE: off}),
            (13, 12, {BEN: reading}, {STOVE: off}),
            (13, 13, {}, {}),
            (14, 0, {BEN: asleep}, {STOVE: off}),
            (14, 13, {BEN: asleep}, {}),
            (15, 0, {BEN: asleep}, {STOVE: hot}),
            (16, 0, {BEN: asleep}, {STOVE: hot, SINK: unseen}),
        ):
            found = queries.last_seen(log.simulation_id, ADA, as_of_tick=tick, since_tick=since)
            assert found == (agents, objects)

    def test_is_the_agents_own(self, log: ProjectedLog) -> None:
        elsewhere = new_log()
        elsewhere.append(1, ADA, joined("Ada"))
        sights = (
            Sight(subject=BEN, description="Ben is reading", area="", is_object=False),
            Sight(subject=STOVE, description="off", area="", is_object=True),
        )
        elsewhere.append(12, ADA, Noticed(sights=sights))
        log.append(12, BEN, Noticed(sights=sights))
        assert queries.last_seen(log.simulation_id, ADA, as_of_tick=99) == ({}, {})
