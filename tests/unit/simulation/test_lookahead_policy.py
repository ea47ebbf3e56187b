"""The lookahead against brute force: out of order or in lock-step, the same history."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from apps.kernel.chance import draw
from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.lookahead import (
    AgentPosition,
    DistanceLookahead,
    LockStep,
    LookaheadCache,
    LookaheadPolicy,
    committed_tick,
)
from apps.world.tile_map import Room

VISION = 3
REACH = 1
TICKS = 60
PEOPLE = 6
SIDE = 26

Tile = tuple[int, int]


@dataclass
class ToyPerson:
    """Somebody who walks about, paints a field beside them, and notes what is in view."""

    name: str
    tiles: list[Tile]
    paints: list[Tile | None] = field(default_factory=lambda: [None])
    history: list[str] = field(default_factory=list)
    mood: int = 0

    @property
    def clock(self) -> int:
        return len(self.tiles)


class ToyWorld:
    """People on an open field; what somebody does depends on all that they have seen.

    So a single sight of the wrong moment changes everything that comes after.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.agents = [
            ToyPerson(
                name=f"p{number}",
                tiles=[(draw(seed, "x", number) % SIDE, draw(seed, "y", number) % SIDE)],
            )
            for number in range(PEOPLE)
        ]

    def settle(self, person: ToyPerson) -> None:
        """Let the person live their next tick from the world as of the end of the last."""
        tick = person.clock
        for other in self.agents:
            if other is not person:
                self._look(person, other, tick - 1)
        step = draw(self.seed, "step", person.name, tick, person.mood)
        dx, dy = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 0), (0, 0))[step % 6]
        x, y = person.tiles[-1]
        tile = (min(SIDE - 1, max(0, x + dx)), min(SIDE - 1, max(0, y + dy)))
        person.tiles.append(tile)
        painted = (tile[0] + (step // 7) % 3 - 1, tile[1] + (step // 31) % 3 - 1)
        person.paints.append(painted if step % 3 == 0 else None)

    def _look(self, person: ToyPerson, other: ToyPerson, tick: int) -> None:
        if tick >= other.clock:
            # Whoever is behind is shown where they were last: what a careless engine does.
            tick = other.clock - 1
        here = person.tiles[-1]
        self._note(person, other.name, other.tiles[tick], here)
        painted = other.paints[tick]
        if painted is not None:
            self._note(person, f"{other.name}'s paint", painted, here)

    @staticmethod
    def _note(person: ToyPerson, what: str, where: Tile, here: Tile) -> None:
        if max(abs(where[0] - here[0]), abs(where[1] - here[1])) <= VISION:
            person.history.append(f"{person.clock}: {what} at {where}")
            person.mood = draw(0, person.mood, person.clock, what, *where)

    def run(self, lookahead: LookaheadPolicy, order: random.Random) -> list[list[str]]:
        """Live all ticks, each time letting any one that the lookahead lets go ahead."""
        while True:
            free = [
                person
                for person in self.agents
                if person.clock <= TICKS
                and lookahead.safe_until(person.tiles[-1], self._others(person)) >= person.clock
            ]
            if not free:
                break
            self.settle(order.choice(free))
        assert all(person.clock == TICKS + 1 for person in self.agents), "nobody is stuck"
        return [person.history for person in self.agents]

    def _others(self, person: ToyPerson) -> list[AgentPosition]:
        return [
            AgentPosition(other.clock, other.tiles[-1])
            for other in self.agents
            if other is not person
        ]


def histories_differ(lookahead: LookaheadPolicy, seeds: range) -> int:
    """Return in how many toy worlds the lookahead lets another history happen."""
    different = 0
    for seed in seeds:
        expected = ToyWorld(seed).run(LockStep(), random.Random(seed))
        happened = ToyWorld(seed).run(lookahead, random.Random(seed + 1))
        different += expected != happened
    return different


class TestDistanceGate:
    def test_gives_the_history_of_lock_step_in_any_order(self) -> None:
        assert histories_differ(DistanceLookahead(vision=VISION, reach=REACH), range(40)) == 0

    def test_would_be_too_generous_without_reach(self) -> None:
        # In nearly every toy world: without `reach` somebody misses paint at the edge of view.
        assert histories_differ(DistanceLookahead(vision=VISION - 1, reach=0), range(10)) > 5

    def test_lets_people_who_are_far_off_run_ahead(self) -> None:
        lookahead = DistanceLookahead(vision=8, reach=1)
        assert lookahead.safe_until((0, 0), [AgentPosition(5, (100, 0))]) == 5 + 90

    def test_holds_people_who_are_near(self) -> None:
        lookahead = DistanceLookahead(vision=8, reach=1)
        assert lookahead.safe_until((0, 0), [AgentPosition(5, (9, 0))]) == 5

    @pytest.mark.parametrize("distance", range(40))
    def test_is_the_rule_of_the_design_for_every_distance(self, distance: int) -> None:
        vision, reach, clock = 8, 1, 10
        lookahead = DistanceLookahead(vision=vision, reach=reach)

        def may_settle(tick: int) -> bool:
            return clock >= tick or distance > vision + reach + (tick - clock)

        assert lookahead.safe_until((0, 0), [AgentPosition(clock, (distance, 0))]) == _largest(
            may_settle
        )

    @pytest.mark.parametrize("distance", range(40))
    def test_holds_an_agent_in_a_room_until_nobody_can_have_entered_it(
        self, distance: int
    ) -> None:
        room = Room(area="hall", left=0, top=0, right=30, bottom=4)
        lookahead = DistanceLookahead(vision=8, reach=1, room_at=lambda _tile: room)
        outside = AgentPosition(10, (30 + distance, 2))
        far_off = 29 + distance - 9
        assert lookahead.safe_until((1, 2), [outside]) == 10 + max(
            0, min(distance, far_off) - 1
        )

    def test_waits_for_somebody_whose_place_is_unknown(self) -> None:
        lookahead = DistanceLookahead(vision=8, reach=1)
        assert lookahead.safe_until((0, 0), [AgentPosition(7, None)]) == 7
        assert lookahead.safe_until(None, [AgentPosition(7, (90, 90))]) == 7


class TestLeeway:
    @pytest.mark.parametrize("seed", range(50))
    def test_never_promises_more_than_the_gate(self, seed: int) -> None:
        # Two people walk about, one tick at a time; what the lookahead said stays true.
        chance = random.Random(seed)
        lookahead = DistanceLookahead(vision=VISION, reach=REACH)
        cache, tile, other = (
            LookaheadCache(),
            (0, 0),
            AgentPosition(5, (chance.randint(0, 60), 0)),
        )
        for _ in range(40):
            cache.move_to(tile)
            said = lookahead.safe_until(tile, [other])
            assert cache.limits.get("other", 0) <= said
            cache.limits["other"] = max(said, cache.limits.get("other", 0))
            tile = (tile[0] + chance.randint(-1, 1), tile[1] + chance.randint(-1, 1))
            assert other.tile is not None
            nearer = (other.tile[0] + chance.randint(-1, 1), other.tile[1])
            other = AgentPosition(other.clock + 1, nearer)

    def test_forgets_what_was_said_when_a_place_is_unknown(self) -> None:
        cache = LookaheadCache((0, 0), {"other": 90})
        cache.move_to(None)
        assert cache.limits == {}
        cache.limits["other"] = 90
        cache.move_to((0, 0))
        assert cache.limits == {}

    def test_shrinks_by_the_steps_of_each_move(self) -> None:
        cache = LookaheadCache((0, 0), {"ben": 90, "cem": 70})
        cache.move_to((0, 0))
        assert cache.limits == {"ben": 90, "cem": 70}
        cache.move_to((3, 1))
        assert cache.limits == {"ben": 87, "cem": 67}
        cache.move_to((2, -1))
        assert cache.limits == {"ben": 85, "cem": 65}

    def test_are_none_in_another_room(self) -> None:
        cache = LookaheadCache((0, 0), {"ben": 90}, "hall")
        cache.move_to((1, 0), "hall")
        assert cache.limits == {"ben": 89}
        cache.move_to((2, 0), "cellar")
        assert cache.limits == {}


class TestLockStepGate:
    def test_holds_everybody_to_the_slowest(self) -> None:
        others = [AgentPosition(9, (0, 0)), AgentPosition(4, (90, 90))]
        assert LockStep().safe_until((0, 0), others) == 4


class TestPolicies:
    @pytest.mark.parametrize("policy", [DistanceLookahead(vision=8, reach=1), LockStep()])
    def test_let_an_agent_alone_run_to_the_end(self, policy: LookaheadPolicy) -> None:
        assert policy.safe_until((0, 0), []) == FOREVER_TICK

    def test_wait_for_the_slowest_that_is_in_reach(self) -> None:
        others = [
            AgentPosition(9, (90, 0)),
            AgentPosition(4, (20, 0)),
            AgentPosition(7, (9, 9)),
        ]
        assert DistanceLookahead(vision=8, reach=1).safe_until((0, 0), others) == 7

    def test_check_every_tick_in_lock_step_only(self) -> None:
        assert LockStep.passes_over is False
        assert DistanceLookahead.passes_over is True


class TestCommittedTick:
    def test_is_the_last_that_all_have_taken(self) -> None:
        assert committed_tick({"ada": 5, "ben": 3, "cem": 9}) == 2

    def test_is_before_the_first_without_agents(self) -> None:
        assert committed_tick({}) == -1


def _largest(holds: Callable[[int], bool]) -> int:
    return max(tick for tick in range(200) if holds(tick))
