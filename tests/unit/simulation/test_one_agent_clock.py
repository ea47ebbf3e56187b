"""When the clock of an agent says that it is due, and how far it may run."""

from typing import Any

import pytest

from apps.simulation.engine.agent_clocks import AgentClock
from apps.simulation.engine.idle_window import IdleWindow
from apps.simulation.snapshot.perception import Acquainted


def clock(tick: int, **facts: Any) -> AgentClock:
    return AgentClock(
        agent="ada", tick=tick, acquainted=Acquainted(agents={}, objects={}), **facts
    )


class TestAgentClock:
    def test_is_unprepared_before_its_first_tick_only(self) -> None:
        assert [clock(tick).is_unprepared for tick in (0, 1, 2)] == [True, False, False]

    @pytest.mark.parametrize(
        ("requests_from", "has_request"), [(None, False), (6, False), (5, True), (2, True)]
    )
    def test_has_a_request_from_the_tick_on_that_it_is_for(
        self, requests_from: int | None, has_request: bool
    ) -> None:
        assert clock(5, requests_from=requests_from).has_request is has_request

    def test_is_reached_at_the_ticks_of_interventions_and_of_requests(self) -> None:
        reached = clock(5, interventions=frozenset({7, 9}), requests_from=6)
        assert sorted(reached.requested_ticks) == [6, 7, 9]
        assert sorted(clock(5, interventions=frozenset({7})).requested_ticks) == [7]

    def test_acts_at_the_end_of_its_idle_window_and_leaves_before(self) -> None:
        idle = IdleWindow(90)
        assert clock(5, idle=idle).acts_from == 90
        assert clock(5, idle=idle, leaves_at=60).acts_from == 60
        assert clock(5, idle=idle, leaves_at=100).acts_from == 90
        assert clock(5, idle=idle, in_work=True).acts_from == 5

    def test_is_at_its_departure_from_the_tick_on(self) -> None:
        assert [clock(tick, leaves_at=60).is_at_departure for tick in (59, 60)] == [False, True]
        assert not clock(5).is_at_departure

    def test_begins_free_and_without_requests(self) -> None:
        fresh = clock(5)
        assert (fresh.in_work, fresh.reflects, fresh.is_visitor) == (False, False, False)
        assert list(fresh.requested_ticks) == []
