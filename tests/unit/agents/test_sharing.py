"""Who is let in where few are served: the same for everyone who looks."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.agents.sharing import Use, holders, state_of
from apps.kernel.chance import draw
from tests.support.builders import set_state

BATHROOM = "Dorm: men's bathroom"
FIRE = set_state(BATHROOM, "burning", 6, alarming=True)
DIRTY = replace(FIRE, state="dirty", is_alarming=False)


def use(agent: str, since: int, *, node: str = BATHROOM, state: str = "", now: int = 0) -> Use:
    return Use(agent=agent, node=node, state=state, since_tick=since, from_tick=now or since)


uses = st.lists(
    st.builds(use, st.sampled_from([f"p{number}" for number in range(9)]), st.integers(1, 5)),
    unique_by=lambda one: one.agent,
)


class TestHolders:
    def test_are_those_who_came_before(self) -> None:
        klaus, wolfgang = use("klaus", 3), use("wolfgang", 5)
        held_by = holders([wolfgang, klaus], node=BATHROOM, holds=1, tick=5, seed=1)
        assert held_by == (klaus,)

    def test_are_chosen_by_a_hash_that_nobody_owns_among_those_who_come_together(self) -> None:
        # Over many seeds either is let in about as often.
        klaus, wolfgang = use("klaus", 5), use("wolfgang", 5)
        let_in = [
            holders([klaus, wolfgang], node=BATHROOM, holds=1, tick=5, seed=seed)[0].agent
            for seed in range(400)
        ]
        assert 140 < let_in.count("klaus") < 260

    def test_are_those_whose_draw_for_that_tick_and_node_is_lowest(self) -> None:
        # The draw is part of the history: another one would give another log for the seed.
        agents = [f"p{number}" for number in range(9)]
        by_draw = sorted(agents, key=lambda agent: draw(7, "attempt", 5, BATHROOM, agent))
        trying = [use(agent, 5) for agent in agents]
        let_in = holders(trying, node=BATHROOM, holds=4, tick=5, seed=7)
        assert [one.agent for one in let_in] == by_draw[:4]

    def test_stand_in_the_order_of_their_attempts_then_of_their_names(self) -> None:
        agents = [use("ben", 3), use("cem", 1), use("ada", 3), use("dov", 2)]
        for holds in (None, 9):
            held_by = holders(agents, node=BATHROOM, holds=holds, tick=5, seed=1)
            assert [one.agent for one in held_by] == ["cem", "dov", "ada", "ben"]

    def test_are_all_who_come_where_any_number_is_served(self) -> None:
        agents = [use(f"p{number}", 4) for number in range(50)]
        held_by = holders(agents, node=BATHROOM, holds=None, tick=4, seed=1)
        assert len(held_by) == 50

    def test_do_not_count_those_at_other_nodes(self) -> None:
        elsewhere = use("klaus", 1, node="Dorm: kitchen: stove")
        assert holders([elsewhere], node=BATHROOM, holds=1, tick=2, seed=1) == ()

    @given(uses, st.integers(1, 4), st.integers(0, 99), st.randoms(use_true_random=False))
    def test_are_never_too_many_and_the_same_in_any_order(
        self, agents: list[Use], holds: int, seed: int, chance: random.Random
    ) -> None:
        tick = 5
        # Nobody who tried before this tick without success still stands: they have withdrawn.
        earlier = [one for one in agents if one.since_tick < tick][:holds]
        standing = [*earlier, *(one for one in agents if one.since_tick == tick)]
        held_by = holders(standing, node=BATHROOM, holds=holds, tick=tick, seed=seed)
        chance.shuffle(standing)
        again = holders(standing, node=BATHROOM, holds=holds, tick=tick, seed=seed)
        assert held_by == again
        assert len(held_by) == min(holds, len(standing))
        assert set(earlier) <= set(held_by)


class TestStateOf:
    def test_is_idle_without_users(self) -> None:
        assert state_of([], idle_state="off") == "off"

    def test_is_what_the_latest_use_makes_it(self) -> None:
        cooking = use("isabella", 1, state="turned on", now=9)
        waiting = use("maria", 2, state="warm", now=4)
        assert state_of([cooking, waiting], idle_state="off") == "turned on"

    def test_of_equally_late_uses_is_that_of_the_last_name(self) -> None:
        ada, ben = use("ada", 4, state="warm"), use("ben", 4, state="hot")
        for held_by in ([ada, ben], [ben, ada]):
            assert state_of(held_by, idle_state="off") == "hot"

    def test_is_idle_while_its_users_give_it_no_state(self) -> None:
        assert state_of([use("ada", 4)], idle_state="off") == "off"

    def test_that_was_set_shows_through_the_uses_of_before(self) -> None:
        # Ada cooks from 4 on, a user makes it dirty at 6: it is dirty until a later use.
        before, then, after = (use("ada", tick, state="turned on") for tick in (4, 6, 7))
        for uses_of_it, state in (
            ([], "dirty"),
            ([before], "dirty"),
            ([then], "dirty"),
            ([after], "turned on"),
            ([use("ada", 7)], "dirty"),
        ):
            assert state_of(uses_of_it, idle_state="off", set_state=DIRTY) == state
            assert state_of(uses_of_it, idle_state="off", set_state=FIRE) == "burning"


class TestSetState:
    def test_stands_at_the_end_of_its_first_tick_and_not_of_its_last(self) -> None:
        put_out = replace(FIRE, to_tick=9)
        assert [tick for tick in range(12) if put_out.stands_at(tick)] == [6, 7, 8]
        assert FIRE.stands_at(999)
