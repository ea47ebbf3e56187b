"""Where somebody is, computed from few rows."""

from apps.agents.track import Movement, Track

WALK = Movement(from_tick=10, steps=((1, 0), (2, 0), (3, 0)))


def track(*movements: Movement) -> Track:
    return Track(agent="klaus", name="Klaus Mueller", movements=movements, actions=())


class TestMovement:
    def test_makes_the_first_step_in_the_tick_it_begins(self) -> None:
        assert WALK.tile_at(10) == (1, 0)

    def test_makes_one_step_a_tick_and_rests_on_the_last(self) -> None:
        assert [WALK.tile_at(tick) for tick in (11, 12, 13, 99)] == [
            (2, 0), (3, 0), (3, 0), (3, 0),
        ]  # fmt: skip

    def test_rests_from_the_tick_of_its_last_step(self) -> None:
        assert WALK.rests_from == 12


class TestWalksAfter:
    def test_holds_until_the_last_step_is_made(self) -> None:
        assert [track(WALK).walks_after(tick) for tick in (9, 10, 11, 12)] == [
            False, True, True, False,
        ]  # fmt: skip


class TestTrack:
    def test_knows_nothing_before_the_person_came(self) -> None:
        assert track(WALK).tile_at(9) is None

    def test_follows_the_movement_that_holds(self) -> None:
        turned_back = Movement(from_tick=11, steps=((1, 1),))
        assert track(WALK, turned_back).tile_at(10) == (1, 0)
        assert track(WALK, turned_back).tile_at(12) == (1, 1)
