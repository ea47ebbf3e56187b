"""The counts of the dealings of two agents, and their trend (R2)."""

from datetime import datetime, timedelta

import pytest

from apps.reflection.dealings import Dealings, Trend, dealings_in
from tests.support.inputs import ALDWIN, OSRIC, at, memory

NOW = at("20:00", day=9)


def dealings(*days_ago: float, name: str = OSRIC) -> Dealings:
    """Return dealings with talks so many days before now, the earliest first."""
    talked = tuple(NOW - timedelta(days=days) for days in days_ago)
    return Dealings(slug=name.lower().replace(" ", "-"), name=name, talked_at=talked)


@pytest.mark.parametrize(
    ("days_ago", "trend"),
    [
        ((), Trend.NONE),
        ((0.1,), Trend.FIRST),
        ((3,), Trend.FEW),
        ((0.3, 0.1), Trend.FEW),
        ((3, 2, 0.2, 0.1), Trend.MORE),
        ((3, 2.5, 0.5), Trend.SAME),
        ((3, 2.5, 2), Trend.LESS),
    ],
)
def test_the_last_day_is_compared_with_those_before(
    days_ago: tuple[float, ...], trend: Trend
) -> None:
    assert dealings(*days_ago).trend(NOW) is trend


def test_talks_are_counted_by_date_and_since_a_time() -> None:
    talks = dealings(2, 1.9, 0.2)
    assert talks.talk_days == 2
    since: datetime = NOW - timedelta(days=1)
    assert (talks.talks_since(since), talks.talks_since(None)) == (1, 3)


def test_a_prompt_has_the_counts_of_those_whom_its_memories_are_about() -> None:
    memories = (memory(f"{ALDWIN} prays"), memory(f"{ALDWIN} fears {OSRIC}"))
    others = (dealings(name="Wulfstan Cook"), dealings(), dealings(1, name=ALDWIN))
    assert [one.name for one in dealings_in(memories, others, count=5)] == [ALDWIN, OSRIC]
    assert [one.name for one in dealings_in(memories, others, count=1)] == [ALDWIN]
