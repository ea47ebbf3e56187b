"""The lookahead against brute force: out of order or in lock-step, the same history."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from apps.kernel.chance import draw
from apps.simulation.engine.lookahead import (
    DistanceLookahead,
    LockStep,
    LookaheadPolicy,
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
                if person.clock <= TICKS and self._is_free(person, lookahead)
            ]
            if not free:
                break
            self.settle(order.choice(free))
        assert all(person.clock == TICKS + 1 for person in self.agents), "nobody is stuck"
        return [person.history for person in self.agents]

    def _is_free(self, person: ToyPerson, lookahead: LookaheadPolicy) -> bool:
        here = person.tiles[-1]
        return all(
            person.clock - other.clock <= lookahead.ticks_ahead(here, other.tiles[-1])
            for other in self.agents
            if other is not person
        )


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
        assert lookahead.ticks_ahead((0, 0), (100, 0)) == 90

    def test_holds_people_who_are_near(self) -> None:
        lookahead = DistanceLookahead(vision=8, reach=1)
        assert lookahead.ticks_ahead((0, 0), (9, 0)) == 0

    @pytest.mark.parametrize("distance", range(40))
    def test_is_the_rule_of_the_design_for_every_distance(self, distance: int) -> None:
        vision, reach, clock = 8, 1, 10
        lookahead = DistanceLookahead(vision=vision, reach=reach)

        def may_settle(tick: int) -> bool:
            return clock >= tick or distance > vision + reach + (tick - clock)

        ahead = lookahead.ticks_ahead((0, 0), (distance, 0))
        assert clock + ahead == _largest(may_settle)
        # Who holds an agent back at a tick is in the box.
        for ticks in (ahead, ahead + 1):
            box = lookahead.box_around((0, 0), ticks)
            assert box is not None
            assert (box[2] >= distance) is (ticks > ahead or distance <= vision + reach)

    @pytest.mark.parametrize("distance", range(40))
    def test_holds_an_agent_in_a_room_until_nobody_can_have_entered_it(
        self, distance: int
    ) -> None:
        room = Room(area="hall", left=0, top=0, right=30, bottom=4)
        lookahead = DistanceLookahead(vision=8, reach=1, room_at=lambda _tile: room)
        far_off = 29 + distance - 9
        ahead = lookahead.ticks_ahead((1, 2), (30 + distance, 2))
        assert ahead == max(0, min(distance, far_off) - 1)

    def test_waits_for_somebody_whose_place_is_unknown(self) -> None:
        lookahead = DistanceLookahead(vision=8, reach=1)
        assert lookahead.ticks_ahead((0, 0), None) == 0
        assert lookahead.ticks_ahead(None, (90, 90)) == 0


class TestLockStepGate:
    def test_holds_everybody_to_the_slowest(self) -> None:
        assert LockStep().ticks_ahead((0, 0), (90, 90)) == 0


class TestPolicies:
    def test_check_every_tick_in_lock_step_only(self) -> None:
        assert LockStep.passes_over is False
        assert DistanceLookahead.passes_over is True


def _largest(holds: Callable[[int], bool]) -> int:
    return max(tick for tick in range(200) if holds(tick))
