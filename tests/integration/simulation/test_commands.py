"""Tests of processed commands: their ticks, events, rows and rejections."""

from uuid import UUID

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import AgentLeft, AgentReturned, ObjectStateSet
from apps.eventlog.event import CommandEvent
from apps.eventlog.models import EventRow
from apps.eventlog.store import NewEvent
from apps.kernel.errors import NotFound
from apps.simulation.commands.agents import (
    ADD_AGENT,
    AddAgentBody,
    request_agent,
    request_removal,
)
from apps.simulation.commands.command import Processing
from apps.simulation.commands.command_log import Issuer, record_command
from apps.simulation.commands.embodied_action import request_action
from apps.simulation.commands.embodiments import (
    list_embodiments,
    request_embodiment,
    request_hand_back,
)
from apps.simulation.commands.interventions import ObservationBody, request_intervention
from apps.simulation.commands.object_state import request_object_state
from apps.simulation.commands.visit import Visitor, request_visit
from apps.simulation.embodiment.events import ActionRequested, EmbodimentBegan, EmbodimentEnded
from apps.simulation.embodiment.requested_actions import Move
from apps.simulation.engine.scheduler import process_due_commands
from apps.simulation.events import AgentAdded, AgentRemoved, ObservationGiven
from apps.simulation.models import ClockRow, CommandRow, SimulationRow
from apps.simulation.ports import constants_of
from apps.world.people_loading import InvalidAgentProfile
from tests.support.command_schedules import FixedSchedule
from tests.support.towns import found, happened

pytestmark = pytest.mark.django_db

ISABELLA, KLAUS = "isabella-rodriguez", "klaus-mueller"
PIANO = "Hobbs Cafe: cafe: piano"
USER = Issuer(by="a researcher", reason="a test")
MARIA = {
    "age": 21,
    "traits": ["energetic"],
    "hours": {"wake": "08:00", "sleep": "24:00"},
    "home": "Oak Hill College Dorm: Maria Lopez's room",
    "description": "Maria Lopez studies physics",
}


@pytest.fixture
def row() -> SimulationRow:
    return found(agents=("Isabella Rodriguez", "Klaus Mueller"))


def process(row: SimulationRow, schedule: FixedSchedule) -> int | None:
    ports = wiring.ports()
    constants = constants_of(row.pk, ports.worlds)
    return process_due_commands(Processing(ports=ports, constants=constants, schedule=schedule))


def store(simulation_id: UUID, kind: str, body: dict[str, object]) -> CommandRow:
    """Store a command as another version of the service may have stored it."""
    return CommandRow.objects.create(
        simulation_id=simulation_id, kind=kind, agent=KLAUS, body=body, by="a researcher"
    )


def set_piano(row: SimulationRow, state: str, at_tick: int | None = None) -> CommandRow:
    issuer = Issuer(by="a researcher", reason="a test", at_tick=at_tick)
    return request_object_state(
        wiring.ports(), row.pk, object_name=PIANO, state=state, issuer=issuer
    )


class TestRejection:
    def test_of_an_unknown_kind_says_so_and_does_nothing_else(self, row: SimulationRow) -> None:
        unknown = store(row.pk, "teleport", {"to": "Hobbs Cafe"})
        events = EventRow.objects.count()
        staying = frozenset({ISABELLA, KLAUS})
        schedule = FixedSchedule(free_ticks={KLAUS: 1}, staying=staying)
        assert process(row, schedule) is None
        unknown.refresh_from_db()
        assert (unknown.state, unknown.effective_tick) == (CommandRow.State.REFUSED, None)
        assert "no command kind 'teleport' is known" in unknown.refusal
        assert "send-away" in unknown.refusal
        assert EventRow.objects.count() == events
        assert (schedule.leaving, schedule.changes) == ({}, [])
        assert KLAUS in agent_queries.slugs_in_simulation(row.pk)

    def test_of_an_invalid_body_names_the_fault(self, row: SimulationRow) -> None:
        invalid = store(row.pk, "embody", {"number": 1})
        process(row, FixedSchedule(free_ticks={KLAUS: 1}))
        invalid.refresh_from_db()
        assert invalid.state == CommandRow.State.REFUSED
        assert "embodiment: Field required" in invalid.refusal
        assert "number: Extra inputs" in invalid.refusal
        assert list_embodiments(row.pk) == []

    def test_leaves_nothing_of_what_was_written_before_it(self, row: SimulationRow) -> None:
        class Refusing(FixedSchedule):
            def reload_object_states(self) -> None:
                raise NotFound("the schedule is gone")

        command = set_piano(row, "burning")
        process(row, Refusing(unseen_ticks={PIANO: 1}))
        command.refresh_from_db()
        assert (command.state, command.effective_tick, command.refusal) == (
            CommandRow.State.REFUSED,
            None,
            "the schedule is gone",
        )
        assert not happened(row, ObjectStateSet)

    def test_does_not_stop_the_commands_behind_it(self, row: SimulationRow) -> None:
        store(row.pk, "teleport", {})
        accepted = set_piano(row, "burning")
        process(row, FixedSchedule(unseen_ticks={PIANO: 1}))
        accepted.refresh_from_db()
        assert accepted.state == CommandRow.State.DONE


class TestTicks:
    def test_of_a_later_command_is_returned_and_it_stays_pending(
        self, row: SimulationRow
    ) -> None:
        later = [set_piano(row, "burning", at_tick) for at_tick in (30, 20)]
        assert process(row, FixedSchedule(next_tick=19, unseen_ticks={PIANO: 1})) == 20
        for command in later:
            command.refresh_from_db()
            assert command.state == CommandRow.State.PENDING

    def test_of_an_object_state_are_unseen_and_follow_the_latest_command(
        self, row: SimulationRow
    ) -> None:
        set_piano(row, "burning")
        set_piano(row, "wet", at_tick=9)
        set_piano(row, "dry", at_tick=3)
        schedule = FixedSchedule(next_tick=10, unseen_ticks={PIANO: 5})
        process(row, schedule)
        states = [(one.tick, one.event.state) for one in happened(row, ObjectStateSet)]
        assert states == [(5, "burning"), (9, "wet"), (9, "dry")]
        assert schedule.changes == [("reload object states",)] * 3

    def test_of_a_command_for_the_next_tick_have_come(self, row: SimulationRow) -> None:
        command = set_piano(row, "burning", at_tick=20)
        assert process(row, FixedSchedule(next_tick=20, unseen_ticks={PIANO: 1})) is None
        command.refresh_from_db()
        assert (command.state, command.effective_tick) == (CommandRow.State.DONE, 20)

    def test_of_an_intervention_follow_the_latest_command(self, row: SimulationRow) -> None:
        set_piano(row, "burning")
        seen = ObservationBody(text="a cloud passes")
        request_intervention(row.pk, KLAUS, seen, issuer=USER)
        process(row, FixedSchedule(free_ticks={KLAUS: 7}, unseen_ticks={PIANO: 9}))
        assert [one.tick for one in happened(row, ObservationGiven)] == [9]

    def test_of_an_intervention_are_free_for_its_agent(self, row: SimulationRow) -> None:
        seen = ObservationBody(text="a cloud passes")
        command = request_intervention(row.pk, KLAUS, seen, issuer=USER)
        schedule = FixedSchedule(free_ticks={KLAUS: 7})
        process(row, schedule)
        [inputs] = happened(row, ObservationGiven)
        assert (inputs.tick, inputs.stream, inputs.event.agent) == (7, "commands", KLAUS)
        assert schedule.changes == [("add intervention", KLAUS, 7)]
        command.refresh_from_db()
        assert (command.state, command.effective_tick) == (CommandRow.State.ACCEPTED, 7)

    def test_of_control_are_not_before_the_embodiment_has_begun(
        self, row: SimulationRow
    ) -> None:
        at_twelve = Issuer(by="a researcher", at_tick=12)
        begin = request_embodiment(row.pk, KLAUS, issuer=at_twelve)
        number = begin.body["embodiment"]
        walk = Move(to="Hobbs Cafe: cafe")
        action = request_action(row.pk, number, walk, issuer=USER, is_owner=False)
        end = request_hand_back(row.pk, number, issuer=USER, is_owner=False)
        # The agent is far behind the tick at which the embodiment begins.
        schedule = FixedSchedule(next_tick=20, free_ticks={KLAUS: 4})
        process(row, schedule)
        for event in (EmbodimentBegan, ActionRequested, EmbodimentEnded):
            assert [one.tick for one in happened(row, event)] == [12]
        states = []
        for ordinal, command in enumerate((begin, action, end)):
            command.refresh_from_db()
            assert command.body["embodiment"] == number
            assert command.body["event"] == f"12/commands/{ordinal}"
            states.append(command.state)
        done = CommandRow.State.DONE
        assert states == [done, CommandRow.State.ACCEPTED, done]
        assert schedule.changes == [("reload embodiments",)] * 3

    def test_of_a_returning_visitor_follow_its_departure(self, row: SimulationRow) -> None:
        schedule = FixedSchedule(next_tick=5)
        request_visit(wiring.ports(), row.pk, Visitor(name="Ada Finch"), issuer=USER)
        process(row, schedule)
        wiring.event_store().append(
            simulation_id=row.pk,
            tick=9,
            stream="ada-finch",
            events=[NewEvent(event=AgentLeft())],
        )
        request_visit(wiring.ports(), row.pk, Visitor(name="Ada Finch"), issuer=USER)
        schedule.next_tick = 9
        process(row, schedule)
        assert [one.tick for one in happened(row, AgentReturned)] == [10]


class TestEmbodiments:
    def test_are_numbered_as_they_are_requested(self, row: SimulationRow) -> None:
        request_embodiment(row.pk, KLAUS, issuer=USER)
        request_visit(wiring.ports(), row.pk, Visitor(name="Ada Finch"), issuer=USER)
        request_embodiment(row.pk, ISABELLA, issuer=USER)
        found_ones = [(one.number, one.agent) for one in list_embodiments(row.pk)]
        assert found_ones == [(1, KLAUS), (2, "ada-finch"), (3, ISABELLA)]


class TestAgents:
    def test_join_with_rows_and_a_clock(self, row: SimulationRow) -> None:
        request_agent(wiring.ports(), row.pk, name="Maria Lopez", facts=MARIA, issuer=USER)
        schedule = FixedSchedule(next_tick=30)
        process(row, schedule)
        [added] = happened(row, AgentAdded)
        event = added.event
        assert isinstance(event, CommandEvent)
        assert (added.tick, event.agent, event.by) == (30, "maria-lopez", "a researcher")
        assert "maria-lopez" in agent_queries.slugs_in_simulation(row.pk)
        assert ClockRow.objects.get(simulation_id=row.pk, agent="maria-lopez").clock == 31
        assert schedule.changes == [("add agent", "maria-lopez")]

    def test_join_under_a_name_once(self, row: SimulationRow) -> None:
        first = request_agent(
            wiring.ports(), row.pk, name="Maria Lopez", facts=MARIA, issuer=USER
        )
        # As if both requests had been checked before either was recorded.
        body = AddAgentBody(**first.body)
        second = record_command(row.pk, ADD_AGENT, first.agent, body, USER)
        process(row, FixedSchedule(next_tick=30))
        second.refresh_from_db()
        assert second.state == CommandRow.State.REFUSED
        assert "'maria-lopez' is or was in the simulation" in second.refusal

    def test_join_only_where_a_bed_is_free(self, row: SimulationRow) -> None:
        """A requested agent has its bed, and one that is there; the free beds are named."""
        maria = request_agent(
            wiring.ports(), row.pk, name="Maria Lopez", facts=MARIA, issuer=USER
        )
        with pytest.raises(InvalidAgentProfile) as refused:
            request_agent(wiring.ports(), row.pk, name="Ada Finch", facts=MARIA, issuer=USER)
        [taken, free] = str(refused.value).split("; name a free bed")
        assert taken.endswith('room: bed" holds 1, and it is the bed of Maria Lopez')
        assert "'Oak Hill College Dorm: Ayesha Khan's room: bed'" in free
        # As if the bed had been free when the second one was requested.
        body = AddAgentBody(**{**maria.body, "name": "Ada Finch"})
        ada = record_command(row.pk, ADD_AGENT, "ada-finch", body, USER)
        process(row, FixedSchedule(next_tick=30))
        ada.refresh_from_db()
        assert ada.state == CommandRow.State.REFUSED
        assert "it is the bed of Maria Lopez" in ada.refusal

    def test_join_in_a_bed_for_two_as_a_couple(self, row: SimulationRow) -> None:
        home = {"home": "Moore family's house: main room"}
        for name in ("Ada Finch", "Ben Marsh"):
            facts = MARIA | home
            request_agent(wiring.ports(), row.pk, name=name, facts=facts, issuer=USER)
        with pytest.raises(InvalidAgentProfile, match="holds 2, and it is the bed of Ada"):
            request_agent(
                wiring.ports(), row.pk, name="Cem Kaya", facts=MARIA | home, issuer=USER
            )

    def test_leave_when_they_come_to_the_tick_and_hear_no_more(
        self, row: SimulationRow
    ) -> None:
        removal = request_removal(row.pk, KLAUS, issuer=USER)
        seen = ObservationBody(text="a cloud passes")
        late = request_intervention(row.pk, KLAUS, seen, issuer=USER)
        staying = frozenset({ISABELLA, KLAUS})
        schedule = FixedSchedule(next_tick=6, free_ticks={KLAUS: 6}, staying=staying)
        ClockRow.objects.create(simulation_id=row.pk, agent=KLAUS, clock=6)
        process(row, schedule)
        assert [one.tick for one in happened(row, AgentRemoved)] == [6]
        assert [(one.stream, one.tick) for one in happened(row, AgentLeft)] == [(KLAUS, 6)]
        assert schedule.changes[-1] == ("remove agent", KLAUS)
        assert not ClockRow.objects.filter(simulation_id=row.pk, agent=KLAUS).exists()
        for command in (removal, late):
            command.refresh_from_db()
        assert removal.state == CommandRow.State.DONE
        assert (late.state, late.refusal) == (
            CommandRow.State.REFUSED,
            f"{KLAUS} left before",
        )

    def test_stay_if_nobody_else_would(self, row: SimulationRow) -> None:
        removal = request_removal(row.pk, KLAUS, issuer=USER)
        process(row, FixedSchedule(staying=frozenset({KLAUS})))
        removal.refresh_from_db()
        assert removal.state == CommandRow.State.REFUSED
        assert not happened(row, AgentRemoved)
