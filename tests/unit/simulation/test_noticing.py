"""Two agents that come into each other's view notice each other in turn, not in one tick."""

from collections import Counter

import pytest

from apps.agents.track import Movement, Track
from apps.simulation.snapshot.perception import Acquainted, has_news_later, news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from tests.support.turns import ADA, BEN, CEM, COTTAGE, NOW, Scene, action, tile_in

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
