"""The next run of the served simulation, when the service starts."""

from datetime import datetime
from typing import Any

import pytest

from apps.console.served_simulation import StartStep, morning_tick, next_step
from apps.kernel.game_time import GameCalendar
from apps.simulation.models import SimulationRow, Status

MORNING = 2_490
RUNNING = Status.RUNNING


class TestMorningTick:
    def test_is_five_to_seven_on_the_first_day(self) -> None:
        start = datetime.fromisoformat("2023-02-13T00:00")
        assert morning_tick(GameCalendar(start=start, tick_seconds=10)) == MORNING

    def test_is_0_for_a_simulation_that_starts_later_in_the_day(self) -> None:
        start = datetime.fromisoformat("2023-02-13T09:00")
        assert morning_tick(GameCalendar(start=start, tick_seconds=10)) == 0


class TestNextStep:
    @pytest.mark.parametrize(
        ("state", "step"),
        [
            pytest.param({}, StartStep.NIGHT, id="a new simulation runs its night"),
            pytest.param(
                {"committed_tick": 900, "until_tick": MORNING, "status": RUNNING},
                StartStep.NIGHT,
                id="an interrupted night continues",
            ),
            pytest.param(
                {"committed_tick": MORNING, "until_tick": MORNING},
                StartStep.DAY,
                id="the night is over",
            ),
            pytest.param(
                {"committed_tick": 4_000, "status": RUNNING, "pace": 60.0},
                StartStep.RESUME,
                id="an interrupted day continues",
            ),
            pytest.param(
                {"committed_tick": 4_000, "until_tick": 9_000, "status": RUNNING},
                StartStep.NONE,
                id="a user runs it as fast as possible",
            ),
            pytest.param(
                {"committed_tick": 4_000}, StartStep.NONE, id="a user paused it by day"
            ),
            pytest.param(
                {"committed_tick": 900, "until_tick": 900},
                StartStep.NONE,
                id="a user paused it by night",
            ),
            pytest.param(
                {"committed_tick": 900, "until_tick": MORNING},
                StartStep.NONE,
                id="it is paused by night with a reason",
            ),
        ],
    )
    def test_overrides_no_request_of_a_user(
        self, state: dict[str, Any], step: StartStep
    ) -> None:
        row = SimulationRow(**{"status": Status.PAUSED, "committed_tick": 0} | state)
        assert next_step(row, MORNING) is step

    def test_is_the_day_for_a_simulation_that_starts_after_the_morning(self) -> None:
        row = SimulationRow(status=Status.PAUSED, committed_tick=0)
        assert next_step(row, 0) is StartStep.DAY
