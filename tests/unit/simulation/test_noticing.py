"""Two agents that come into each other's view notice each other in turn, not in one tick."""

from collections import Counter
from dataclasses import replace

import pytest

from apps.agents.queries import Seen
from apps.agents.sharing import SetState
from apps.agents.track import Movement, Track
from apps.simulation.settings import AcrossRooms
from apps.simulation.snapshot.perception import Acquainted, has_news_later, news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import Tile, chebyshev
from tests.support.turns import ADA, BEN, CEM, COTTAGE, NOW, Scene, action, tile_in
from tests.support.worlds import smallville

AGENTS = (ADA, BEN, CEM)
KITCHEN_TILE = tile_in("Mill Cottage: kitchen")
ATTENTION = Scene().context().constants.attention
SEEDS = range(5)
SPANS = range(NOW, NOW + 40, 2)


def snapshot_of(seed: int) -> WorldSnapshot:
    """Return three agents that stand in the kitchen."""
    snapshot = WorldSnapshot(world=COTTAGE, seed=seed)
    at_rest = Movement(from_tick=0, steps=(KITCHEN_TILE,))
    snapshot.replace_tracks(
        Track(agent=slug, name=slug, movements=[at_rest], actions=[action()]) for slug in AGENTS
    )
    return snapshot


def noticed(snapshot: WorldSnapshot, agent: str, tick: int) -> set[str]:
    """Return the agents that an agent notices which has seen nothing before."""
    known = Acquainted(agents={}, objects={})
    news = news_for(snapshot, agent, tick, known=known, attention=ATTENTION)
    return {seen.sight.subject for seen in news if not seen.sight.is_object}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_agents_notice_each_other_in_one_tick(seed: int) -> None:
    snapshot = snapshot_of(seed)
    for tick in range(SPANS.start, SPANS.stop):
        pairs = [(agent, other) for agent in AGENTS for other in noticed(snapshot, agent, tick)]
        assert len({frozenset(pair) for pair in pairs}) == len(pairs) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_each_agent_notices_every_other_one_within_two_ticks(seed: int) -> None:
    snapshot = snapshot_of(seed)
    for tick in SPANS:
        for agent in AGENTS:
            found = noticed(snapshot, agent, tick) | noticed(snapshot, agent, tick + 1)
            assert found == set(AGENTS) - {agent}


def test_either_may_be_the_first() -> None:
    firsts = Counter(
        BEN in noticed(snapshot_of(seed), ADA, tick) for seed in SEEDS for tick in SPANS
    )
    assert min(firsts[True], firsts[False]) > len(SEEDS) * len(SPANS) / 4


def test_news_that_waits_for_a_tick_is_known_to_the_scheduler() -> None:
    snapshot, known = snapshot_of(1), Acquainted(agents={}, objects={})
    for tick in SPANS:
        assert has_news_later(snapshot, ADA, tick, known=known, attention=ATTENTION)
    alone = WorldSnapshot(world=COTTAGE, seed=1)
    alone.replace_tracks([snapshot.tracks[ADA]])
    assert not has_news_later(alone, ADA, NOW, known=known, attention=ATTENTION)


TOWN = smallville()
STORE = "The Willows Market and Pharmacy: store"
SHELVES = f"{STORE}: pharmacy shelves"
COUNTER_TILE = TOWN.map.use_tiles(f"{STORE}: behind the grocery counter")[0]
FAR_TILE = TOWN.map.use_tiles(SHELVES)[0]  # 12 tiles away
PARK = "Johnson Park: park"


def town_of(*, ada: Tile, ben: Tile, burning: str = "") -> WorldSnapshot:
    """Return two agents that stand in the town, and an object on fire."""
    snapshot = WorldSnapshot(world=TOWN, seed=1)
    snapshot.replace_tracks(
        Track(
            agent=slug,
            name=slug,
            movements=[Movement(from_tick=0, steps=(tile,))],
            actions=[action()],
        )
        for slug, tile in ((ADA, ada), (BEN, ben))
    )
    fire = SetState(
        object=burning,
        state="burning",
        event="9/commands/0",
        from_tick=1,
        to_tick=None,
        is_alarming=True,
    )
    snapshot.replace_states([fire] if burning else [])
    return snapshot


def seen_in(
    snapshot: WorldSnapshot, area: str, across_rooms: AcrossRooms = "arrivals"
) -> set[str]:
    """Return what Ada notices in two ticks who has last seen Ben in the area."""
    known = Acquainted(agents={BEN: Seen(description="", tick=NOW - 1, area=area)}, objects={})
    attention = replace(ATTENTION, across_rooms=across_rooms)
    return {
        seen.sight.subject
        for tick in (NOW, NOW + 1)
        for seen in news_for(snapshot, ADA, tick, known=known, attention=attention)
        if seen.distance > ATTENTION.vision
    }


class TestAcrossARoom:
    def test_an_agent_that_has_come_in_is_noticed_once(self) -> None:
        snapshot = town_of(ada=COUNTER_TILE, ben=FAR_TILE)
        assert seen_in(snapshot, PARK) == {BEN}
        assert seen_in(snapshot, STORE) == set()
        assert seen_in(snapshot, PARK, "dangers") == set()

    def test_a_stranger_is_not_recognized(self) -> None:
        snapshot = town_of(ada=COUNTER_TILE, ben=FAR_TILE)
        unknown = Acquainted(agents={}, objects={})
        assert not has_news_later(snapshot, ADA, NOW, known=unknown, attention=ATTENTION)

    def test_a_danger_is_noticed_unless_the_settings_say_nothing(self) -> None:
        snapshot = town_of(ada=COUNTER_TILE, ben=FAR_TILE, burning=SHELVES)
        assert seen_in(snapshot, STORE) == seen_in(snapshot, STORE, "dangers") == {SHELVES}
        assert seen_in(snapshot, STORE, "nothing") == set()

    def test_nothing_is_noticed_in_the_open(self) -> None:
        pond = f"{PARK}: pond"
        near = TOWN.map.use_tiles(pond)[0]
        far = max(TOWN.map.area_tiles(PARK), key=lambda tile: chebyshev(near, tile))
        snapshot = town_of(ada=far, ben=near, burning=pond)
        assert TOWN.map.area_at(far) == TOWN.map.area_at(near)
        assert seen_in(snapshot, STORE) == set()
