"""Who is let in where few are served: the same for everyone who looks."""

import random

from hypothesis import given
from hypothesis import strategies as st

from apps.agents.sharing import Use, holders, state_of

BATHROOM = "Dorm: men's bathroom"


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

    def test_are_all_who_come_where_any_number_is_served(self) -> None:
        people = [use(f"p{number}", 4) for number in range(50)]
        held_by = holders(people, node=BATHROOM, holds=None, tick=4, seed=1)
        assert len(held_by) == 50

    def test_do_not_count_those_at_other_nodes(self) -> None:
        elsewhere = use("klaus", 1, node="Dorm: kitchen: stove")
        assert holders([elsewhere], node=BATHROOM, holds=1, tick=2, seed=1) == ()

    @given(uses, st.integers(1, 4), st.integers(0, 99), st.randoms(use_true_random=False))
    def test_are_never_too_many_and_the_same_in_any_order(
        self, people: list[Use], holds: int, seed: int, chance: random.Random
    ) -> None:
        tick = 5
        # Nobody who tried before this tick without success still stands: they have withdrawn.
        earlier = [one for one in people if one.since_tick < tick][:holds]
        standing = [*earlier, *(one for one in people if one.since_tick == tick)]
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
