"""Which attempts to use a node succeed, when it is full, and who lost, by the snapshot."""

import pytest

from apps.agents.sharing import Use
from apps.simulation.snapshot.world_snapshot import UseSpan, WorldSnapshot
from tests.support.worlds import two_rooms

WORLD = two_rooms()
STOVE = "Mill Cottage: kitchen: stove"  # serves one
TABLE = "Mill Cottage: kitchen: table"  # serves two
KITCHEN = "Mill Cottage: kitchen"  # serves any number
TICK = 40


def span(
    agent: str, node: str, since: int, *, to_tick: int | None = None, now: int | None = None
) -> UseSpan:
    from_tick = since if now is None else now
    use = Use(agent=agent, node=node, state="", since_tick=since, from_tick=from_tick)
    return UseSpan(use, to_tick)


def snapshot(*spans: UseSpan, seed: int = 7) -> WorldSnapshot:
    taken = WorldSnapshot(world=WORLD, seed=seed)
    taken.replace_uses(spans)
    return taken


def holders(taken: WorldSnapshot, node: str, tick: int = TICK) -> list[str]:
    return [use.agent for use in taken.occupants_of(node, tick)]


class TestHoldersOf:
    def test_are_those_whose_use_stands_at_the_end_of_the_tick(self) -> None:
        taken = snapshot(
            span("ada", TABLE, TICK - 9, to_tick=TICK),
            span("ben", TABLE, TICK - 9, to_tick=TICK + 1),
            span("cem", TABLE, TICK + 1),
            span("dov", STOVE, TICK - 9),
        )
        assert holders(taken, TABLE) == ["ben"]
        assert holders(taken, TABLE, TICK - 1) == ["ada", "ben"]
        assert holders(taken, TABLE, TICK + 1) == ["cem"]
        assert holders(taken, "Mill Cottage: kitchen: sink") == []

    def test_are_as_many_as_the_node_serves(self) -> None:
        agents = ("ada", "ben", "cem", "dov")
        for node, served in ((STOVE, 1), (TABLE, 2), (KITCHEN, 4)):
            assert (
                len(holders(snapshot(*(span(a, node, TICK) for a in agents)), node)) == served
            )

    def test_of_a_tie_depend_on_the_seed(self) -> None:
        tied = [span("ada", STOVE, TICK), span("ben", STOVE, TICK)]
        winners = {holders(snapshot(*tied, seed=seed), STOVE)[0] for seed in range(20)}
        assert winners == {"ada", "ben"}

    def test_of_a_tie_depend_on_the_tick(self) -> None:
        winners = set()
        for tick in range(1, 20):
            tied = [span("ada", STOVE, tick), span("ben", STOVE, tick)]
            winners.add(holders(snapshot(*tied), STOVE, tick)[0])
        assert winners == {"ada", "ben"}


class TestIsFull:
    def test_where_as_many_others_use_the_node_as_it_serves(self) -> None:
        taken = snapshot(
            span("ada", STOVE, TICK - 5),
            span("ada", TABLE, TICK - 5),
            span("ben", TABLE, TICK - 5, to_tick=TICK + 1),
        )
        assert taken.is_full(STOVE, TICK, for_agent="cem")
        assert taken.is_full(TABLE, TICK, for_agent="cem")
        assert not taken.is_full(STOVE, TICK, for_agent="ada")
        assert not taken.is_full(TABLE, TICK, for_agent="ben")
        assert not taken.is_full(TABLE, TICK + 1, for_agent="cem")

    def test_is_never_a_node_that_serves_any_number(self) -> None:
        taken = snapshot(*(span(f"p{number}", KITCHEN, TICK - 5) for number in range(30)))
        assert not taken.is_full(KITCHEN, TICK, for_agent="cem")


class TestLostAttempt:
    @pytest.fixture
    def tied(self) -> tuple[WorldSnapshot, str, str]:
        """Return a snapshot in which two try to use the stove at once, winner and loser."""
        taken = snapshot(
            span("ada", STOVE, TICK),
            span("ben", STOVE, TICK),
            span("ada", KITCHEN, TICK),
            span("ben", KITCHEN, TICK),
        )
        [winner] = holders(taken, STOVE)
        return taken, winner, "ben" if winner == "ada" else "ada"

    def test_is_the_node_of_the_loser(self, tied: tuple[WorldSnapshot, str, str]) -> None:
        taken, winner, loser = tied
        assert taken.lost_attempt(loser, TICK) == STOVE
        assert taken.lost_attempt(winner, TICK) is None
        assert taken.lost_attempt("cem", TICK) is None

    def test_is_of_that_tick_alone(self, tied: tuple[WorldSnapshot, str, str]) -> None:
        taken, _, loser = tied
        assert taken.lost_attempt(loser, TICK + 1) is None
        assert taken.lost_attempt(loser, TICK - 1) is None

    def test_counts_from_the_beginning_of_the_use_and_not_of_its_state(self) -> None:
        taken = snapshot(span("ada", STOVE, TICK - 5), span("ben", STOVE, TICK - 3, now=TICK))
        assert taken.lost_attempt("ben", TICK) is None

    def test_is_none_that_was_withdrawn_within_the_tick(self) -> None:
        taken = snapshot(span("ada", STOVE, TICK - 5), span("ben", STOVE, TICK, to_tick=TICK))
        assert taken.lost_attempt("ben", TICK) is None
