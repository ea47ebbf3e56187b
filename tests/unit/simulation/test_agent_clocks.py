"""The clocks of all agents: the committed, begun and free ticks, and the departures."""

from apps.kernel.ordered import OrderedByKey
from apps.simulation.engine.agent_clocks import AgentClock, AgentClocks
from apps.simulation.engine.idle_window import IdleWindow
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.snapshot.perception import Acquainted


def clock(
    agent: str, tick: int, *, in_work: bool = False, is_visitor: bool = False
) -> AgentClock:
    acquainted = Acquainted(agents={}, objects={})
    return AgentClock(
        agent=agent, tick=tick, in_work=in_work, is_visitor=is_visitor, acquainted=acquainted
    )


def clocks(*agents: AgentClock) -> AgentClocks:
    return AgentClocks(OrderedByKey((one.agent, one) for one in agents))


class TestTicks:
    def test_are_committed_up_to_the_agent_farthest_behind(self) -> None:
        assert clocks(clock("ada", 7), clock("ben", 4)).committed_tick == 3
        assert clocks(clock("ada", 0)).committed_tick == 0

    def test_are_begun_by_a_turn_in_work(self) -> None:
        assert clocks(clock("ada", 7), clock("ben", 4)).farthest_tick == 6
        assert clocks(clock("ada", 7, in_work=True), clock("ben", 4)).farthest_tick == 7

    def test_are_free_after_the_begun_one_and_after_the_preparation(self) -> None:
        agents = clocks(clock("ada", 7, in_work=True), clock("ben", 4), clock("cid", 0))
        assert agents.first_free_tick("ada") == 8
        assert agents.first_free_tick("ben") == 4
        assert agents.first_free_tick("cid") == 1
        assert agents.first_free_tick("left") is None

    def test_of_an_agent_that_joins_are_those_that_no_agent_has_committed(self) -> None:
        assert clocks(clock("ada", 1), clock("ben", 0, in_work=True)).next_tick == 0
        assert clocks(clock("ada", 1, in_work=True), clock("ben", 1)).next_tick == 1
        assert clocks(clock("ada", 7), clock("ben", 4)).next_tick == 7


class TestTurns:
    def test_are_in_work_until_they_are_discarded(self) -> None:
        agents = clocks(clock("ada", 7))
        turn = ReadyTurn(9, "ada")
        agents.resume(turn)
        assert agents.is_in_work(turn)
        assert agents.turns_in_work == 1
        assert not agents.is_in_work(ReadyTurn(8, "ada"))
        agents.discard(turn)
        assert not agents.is_in_work(turn)

    def test_of_the_past_are_not_resumed(self) -> None:
        agents = clocks(clock("ada", 7))
        agents.resume(ReadyTurn(6, "ada"))
        agents.resume(ReadyTurn(8, "left"))
        assert agents.clocks == {"ada": 7}
        assert agents.turns_in_work == 0

    def test_are_checked_next_at_the_end_of_an_idle_window(self) -> None:
        waiting, working = clock("ada", 7), clock("ben", 7, in_work=True)
        waiting.idle = IdleWindow(30)
        assert clocks(waiting, working).next_check(6) == 30
        assert clocks(waiting, working).next_check(30) is None


class TestDepartures:
    def test_are_due_when_the_agent_has_come_to_the_tick(self) -> None:
        agents = clocks(clock("ada", 7), clock("ben", 4), clock("cid", 9, in_work=True))
        for agent in ("ada", "ben", "cid"):
            agents.schedule_departure(agent, 7)
        assert agents.due_departures() == [("ada", 7)]
        assert agents.is_leaving("ben")
        assert not agents.is_leaving("left")

    def test_leave_one_resident_at_least(self) -> None:
        agents = clocks(clock("ada", 7), clock("ben", 4), clock("eve", 4, is_visitor=True))
        assert agents.can_leave("ada")
        assert not agents.can_leave("eve")
        agents.schedule_departure("ada", 7)
        assert not agents.can_leave("ben")
