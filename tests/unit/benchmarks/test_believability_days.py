"""Days of game time, and what is counted for each of them."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from apps.evaluation.quality.days import Days
from tests.unit.benchmarks.village import CALENDAR, tick
from tools.day_figures.daily_shares import DailyShare

DAYS = Days(CALENDAR, 3)


def test_a_day_begins_at_three_and_the_first_one_at_the_beginning() -> None:
    clocks = [("0:00", 1), ("2:59", 1), ("3:00", 1), ("2:59", 2), ("3:00", 2), ("3:00", 4)]
    found = [DAYS.of(tick(clock, day=day)) for clock, day in clocks]
    assert found == [0, 0, 0, 0, 1, None]
    assert DAYS.ends == tick("3:00", day=4)


@given(st.lists(st.integers(min_value=0, max_value=DAYS.ends + 5_000)))
def test_each_tick_before_the_end_is_of_one_day(ticks: list[int]) -> None:
    days = DAYS.split(ticks, lambda one: one)
    assert sorted(chain.from_iterable(days)) == sorted(one for one in ticks if one < DAYS.ends)
    assert all(
        DAYS.begins(day) <= one < DAYS.begins(day + 1)
        for day, of_day in enumerate(days)
        for one in of_day
        if day
    )


@given(st.lists(st.tuples(st.integers(min_value=0, max_value=DAYS.ends), st.booleans())))
def test_shares_are_the_hits_of_what_is_counted(counted: list[tuple[int, bool]]) -> None:
    share = DailyShare(DAYS)
    for when, hit in counted:
        share.add(when, hit=hit)
    rows = zip(share.percent(), share.hits(), share.counted(), strict=True)
    for percent, hits, total in rows:
        assert hits is not None
        assert total is not None
        assert percent == (round(100 * hits / total, 1) if total else None)
    assert sum(total or 0 for total in share.counted()) == sum(
        when < DAYS.ends for when, _ in counted
    )
