"""People come to town and leave it, before and during a run (U5, U9)."""

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.eventlog.rebuild import check
from apps.memory import queries as memory_queries
from apps.simulation.commands.agents import (
    ADD_AGENT,
    AddAgentBody,
    LastAgent,
    NameTaken,
    request_agent,
    request_removal,
)
from apps.simulation.commands.command_log import Issuer, TickPast, record_command
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import CommandRow, SimulationRow
from apps.world.people_loading import InvalidAgentProfile
from tests.support.hands import User
from tests.support.snapshots import simulated
from tests.support.towns import EIGHT_THREADS, found, history_of, live, with_delays

pytestmark = pytest.mark.django_db(transaction=True)

PAIR = ("Isabella Rodriguez", "Klaus Mueller")
MARIA = {
    "age": 21,
    "traits": ["energetic", "enthusiastic"],
    "hours": {"wake": "08:00", "sleep": "24:00"},
    "home": "Oak Hill College Dorm: Maria Lopez's room",
    "knows": ["Hobbs Cafe", "Oak Hill College Dorm: women's bathroom"],
    "description": "Maria Lopez studies physics; Maria Lopez likes lunch at Hobbs Cafe at noon",
}
RESEARCHER = Issuer(by="a researcher", reason="to see whom she meets")


def ask_for_maria(row: SimulationRow, issuer: Issuer = RESEARCHER) -> CommandRow:
    return request_agent(wiring.ports(), row.pk, name="Maria Lopez", facts=MARIA, issuer=issuer)


class TestArrival:
    def test_before_the_first_tick_is_as_if_always_there(self) -> None:
        row = found(agents=PAIR)
        command = ask_for_maria(row)
        live(row, "2023-02-13T09:00")
        command.refresh_from_db()
        assert (command.state, command.effective_tick) == (CommandRow.State.DONE, 0)
        first = agent_queries.actions_between(row.pk, "maria-lopez", from_tick=0, to_tick=10)
        assert first[0].asleep

    def test_in_mid_day_begins_with_arriving_and_a_plan(self) -> None:
        row = simulated("2023-02-13T11:00", agents=PAIR)
        command = ask_for_maria(row)
        live(row, "2023-02-13T13:30")
        command.refresh_from_db()
        assert command.effective_tick == 11 * 360 + 1
        day = agent_queries.actions_between(row.pk, "maria-lopez", from_tick=0, to_tick=5_000)
        assert day[0].description == "arriving in town"
        assert len(day) > 3
        seeds = memory_queries.recent(row.pk, "maria-lopez", as_of_tick=row.committed_tick)
        assert "Maria Lopez studies physics" in {memory.description for memory in seeds}
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_is_on_the_log_with_who_and_why(self) -> None:
        row = found(agents=PAIR)
        ask_for_maria(row)
        live(row, "2023-02-13T00:10")
        said = [
            recorded.event
            for recorded in wiring.event_store().read(row.pk, streams=["commands"])
        ]
        assert [(event.by, event.reason) for event in said] == [  # type: ignore[attr-defined]
            ("a researcher", "to see whom she meets")
        ]

    def test_at_a_future_tick_gives_one_history_however_it_is_run(self) -> None:
        # Nobody passes the tick that she comes at before she is there.
        at_ten = Issuer(by="a researcher", at_tick=10 * 360)
        histories = set()
        for manner, ports in (
            (RunOptions(), None),
            (EIGHT_THREADS, with_delays(seed=4, seconds_max=0.02)),
        ):
            row = found(agents=PAIR)
            command = ask_for_maria(row, at_ten)
            live(row, "2023-02-13T11:00", manner, ports=ports)
            command.refresh_from_db()
            assert command.effective_tick == 10 * 360
            histories.add(history_of(row.pk))
        assert len(histories) == 1

    def test_is_refused_for_who_cannot_live_here(self) -> None:
        row = found(agents=PAIR)
        unfit = MARIA | {"home": "Hobbs Cafee: cafe", "age": -1}
        with pytest.raises(InvalidAgentProfile, match="age"):
            request_agent(
                wiring.ports(), row.pk, name="Maria Lopez", facts=unfit, issuer=RESEARCHER
            )

    def test_is_refused_under_a_name_that_is_taken_and_for_the_past(self) -> None:
        row = simulated("2023-02-13T00:10", agents=PAIR)
        with pytest.raises(NameTaken):
            request_agent(
                wiring.ports(), row.pk, name="Klaus Mueller", facts=MARIA, issuer=RESEARCHER
            )
        with pytest.raises(TickPast):
            ask_for_maria(row, Issuer(by="a researcher", at_tick=3))

    def test_is_refused_while_a_visitor_is_to_come_under_the_name(self) -> None:
        row = simulated("2023-02-13T00:10", agents=PAIR)
        User(row).visit("Maria Lopez", at="2023-02-13T00:12")
        with pytest.raises(NameTaken):
            ask_for_maria(row)

    def test_stops_nobody_when_two_of_a_name_were_let_in_at_once(self) -> None:
        row = simulated("2023-02-13T00:10", agents=PAIR)
        first = ask_for_maria(row)
        # As if both had looked before either wrote.
        second = record_command(
            row.pk, ADD_AGENT, first.agent, AddAgentBody(**first.body), RESEARCHER
        )
        live(row, "2023-02-13T00:12")
        for command in (first, second):
            command.refresh_from_db()
        assert [first.state, second.state] == [
            CommandRow.State.DONE,
            CommandRow.State.REFUSED,
        ]
        assert "is or was in the simulation" in second.refusal
        live(row, "2023-02-13T00:14")


class TestDeparture:
    def test_ends_a_life_in_town_and_keeps_its_memories(self) -> None:
        row = simulated("2023-02-13T12:50")
        request_removal(row.pk, "klaus-mueller", issuer=RESEARCHER)
        live(row, "2023-02-13T14:00")
        in_town = [one.agent for one in agent_queries.list_agents(row.pk)]
        assert in_town == ["isabella-rodriguez", "maria-lopez"]
        track = agent_queries.tracks(row.pk, from_tick=row.committed_tick)["klaus-mueller"]
        assert track.tile_at(row.committed_tick) is None
        remembered = memory_queries.list_memories(row.pk, "klaus-mueller", as_of_tick=9_999)
        assert remembered.count() > 20
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_of_the_last_person_is_refused(self) -> None:
        row = found(agents=PAIR[:1])
        with pytest.raises(LastAgent):
            request_removal(row.pk, "isabella-rodriguez", issuer=RESEARCHER)

    def test_happens_in_a_paused_town_too(self) -> None:
        row = simulated("2023-02-13T00:10", agents=PAIR)
        command = request_removal(row.pk, "klaus-mueller", issuer=RESEARCHER)
        run_until_rest(wiring.ports(), row.pk, RunOptions())
        command.refresh_from_db()
        assert command.state == CommandRow.State.DONE
