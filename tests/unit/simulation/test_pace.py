"""The pace is counted on a clock that does not jump, and a long lag is given up."""

from apps.simulation.engine.pace import Pace

LIMIT = 60.0


def pace(**changed: float) -> Pace:
    """Return the paper's pace, six ticks a second, counted from tick 100 at second 1000."""
    inputs = {"rate": 60.0, "tick_seconds": 10, "from_tick": 100, "since": 1_000.0} | changed
    return Pace(
        rate=inputs["rate"],
        tick_seconds=int(inputs["tick_seconds"]),
        from_tick=int(inputs["from_tick"]),
        since=inputs["since"],
    )


class TestPace:
    def test_makes_so_many_ticks_due_a_second(self) -> None:
        assert pace().due_tick(1_000.0) == 100
        assert pace().due_tick(1_001.0) == 106
        assert pace().due_tick(1_010.4) == 162

    def test_says_how_long_a_tick_is_off(self) -> None:
        assert pace().seconds_until(112, 1_000.0) == 2.0
        assert pace().seconds_until(100, 1_000.0) == 0.0

    def test_makes_nothing_due_before_it_began(self) -> None:
        assert pace().due_tick(990.0) == 100


class TestLag:
    def test_within_the_limit_is_caught_up(self) -> None:
        counted = pace()
        assert not counted.limit_lag(100, 1_060.0, catch_up_seconds_max=LIMIT)
        assert counted.due_tick(1_060.0) == 460

    def test_beyond_the_limit_is_given_up(self) -> None:
        counted = pace()
        eight_hours_later = 1_000.0 + 8 * 3_600
        assert counted.limit_lag(130, eight_hours_later, catch_up_seconds_max=LIMIT)
        assert counted.due_tick(eight_hours_later) == 130
        assert counted.due_tick(eight_hours_later + 1) == 136

    def test_counts_from_the_next_tick_where_a_tick_is_longer_than_the_limit(self) -> None:
        slow = pace(rate=0.1)  # a tick in a hundred seconds
        assert not slow.limit_lag(100, 1_099.0, catch_up_seconds_max=LIMIT)
        assert slow.due_tick(1_100.0) == 101
