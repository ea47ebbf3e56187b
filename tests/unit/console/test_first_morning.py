"""What is asked of a town when the service starts."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.console.first_morning import Standing, Step, morning_tick, what_next
from apps.kernel.game_time import GameCalendar

MORNING = 2_490
NEW = Standing(
    running=False, paced=False, settled_tick=0, until_tick=None, morning_tick=MORNING
)


class TestMorningTick:
    def test_is_five_to_seven_on_the_first_day(self) -> None:
        start = datetime.fromisoformat("2023-02-13T00:00")
        assert morning_tick(GameCalendar(start=start, tick_seconds=10)) == MORNING

    def test_is_the_founding_for_a_town_founded_later_in_the_day(self) -> None:
        start = datetime.fromisoformat("2023-02-13T09:00")
        assert morning_tick(GameCalendar(start=start, tick_seconds=10)) == 0


class TestWhatNext:
    @pytest.mark.parametrize(
        ("standing", "step"),
        [
            pytest.param(NEW, Step.NIGHT, id="a new town lives its night"),
            pytest.param(
                replace(NEW, morning_tick=0), Step.DAY, id="a town founded by day has no night"
            ),
            pytest.param(
                replace(NEW, running=True, settled_tick=900, until_tick=MORNING),
                Step.NIGHT,
                id="a night that was broken off goes on",
            ),
            pytest.param(
                replace(NEW, settled_tick=MORNING, until_tick=MORNING),
                Step.DAY,
                id="the night is over",
            ),
            pytest.param(
                replace(NEW, running=True, paced=True, settled_tick=4_000),
                Step.RESUME,
                id="a day that was broken off goes on",
            ),
            pytest.param(
                replace(NEW, running=True, settled_tick=4_000, until_tick=9_000),
                Step.LEAVE,
                id="somebody is running it as fast as it goes",
            ),
            pytest.param(
                replace(NEW, settled_tick=4_000), Step.LEAVE, id="somebody has paused it by day"
            ),
            pytest.param(
                replace(NEW, settled_tick=900, until_tick=900),
                Step.LEAVE,
                id="somebody has paused it by night",
            ),
            pytest.param(
                replace(NEW, settled_tick=900, until_tick=MORNING),
                Step.LEAVE,
                id="it has paused itself by night, for a reason",
            ),
        ],
    )
    def test_moves_on_only_what_nobody_has_asked_otherwise(
        self, standing: Standing, step: Step
    ) -> None:
        assert what_next(standing) == step
