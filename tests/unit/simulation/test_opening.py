"""Opening hours as the engine enforces them."""

from datetime import datetime
from uuid import UUID

import pytest

from apps.kernel.game_time import GameCalendar
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from tests.support.worlds import smallville

CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)
CONSTANTS = Constants(
    simulation_id=UUID(int=1),
    world=smallville(),
    seed=7,
    calendar=CALENDAR,
    settings=SimulationSettings(),
)
CAFE = "Hobbs Cafe: cafe"
KEEPER, GUEST = "Isabella Rodriguez", "Klaus Mueller"


def at(clock: str) -> int:
    return CALENDAR.tick_at(datetime.fromisoformat(f"2023-02-13T{clock}"))


class TestIsClosedTo:
    def test_shuts_guests_out_before_opening(self) -> None:
        why = CONSTANTS.is_closed_to(GUEST, CAFE, at("07:59:50"))
        assert why == "Hobbs Cafe is closed; it opens at 8:00 am"

    def test_never_shuts_out_the_keeper(self) -> None:
        assert CONSTANTS.is_closed_to(KEEPER, CAFE, at("03:00")) is None

    @pytest.mark.parametrize("area", ["", "Johnson Park: park"])
    def test_knows_no_hours_outdoors_and_in_the_park(self, area: str) -> None:
        assert CONSTANTS.is_closed_to(GUEST, area, at("03:00")) is None


class TestClosesNow:
    def test_is_one_tick_only(self) -> None:
        closing = [
            tick
            for tick in range(at("19:50"), at("20:10"))
            if CONSTANTS.closes_now(GUEST, CAFE, tick)
        ]
        assert closing == [at("20:00")]

    def test_is_never_for_the_keeper(self) -> None:
        assert not CONSTANTS.closes_now(KEEPER, CAFE, at("20:00"))


class TestClosingTick:
    @pytest.mark.parametrize("clock", ["00:00", "08:00", "19:59:50"])
    def test_is_this_evening_before_closing(self, clock: str) -> None:
        assert CONSTANTS.closing_tick(CAFE, at(clock)) == at("20:00")

    def test_is_tomorrow_from_closing_on(self) -> None:
        day = CALENDAR.ticks_of(minutes=24 * 60)
        assert CONSTANTS.closing_tick(CAFE, at("20:00")) == at("20:00") + day

    @pytest.mark.parametrize("area", ["", "Johnson Park: park"])
    def test_never_comes_where_there_are_no_hours(self, area: str) -> None:
        assert CONSTANTS.closing_tick(area, at("20:00")) is None


class TestOpeningTick:
    @pytest.mark.parametrize("clock", ["00:00", "03:33:40", "07:59:50"])
    def test_is_this_morning_before_opening(self, clock: str) -> None:
        assert CONSTANTS.opening_tick(CAFE, at(clock)) == at("08:00")

    def test_is_tomorrow_after_opening(self) -> None:
        day = CALENDAR.ticks_of(minutes=24 * 60)
        assert CONSTANTS.opening_tick(CAFE, at("20:00:10")) == at("08:00") + day
