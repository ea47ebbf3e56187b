"""Turns that come twice, come back late, or meet an end that somebody has passed."""

import pytest

from apps import wiring
from apps.eventlog.store import AlreadyWritten
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lease import take_lease
from apps.simulation.engine.lifecycle import StillRunning, delete_simulation
from apps.simulation.engine.lookahead import LockStep
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.models import ClockRow, SimulationRow, Status, TurnRow
from apps.simulation.ports import constants_of
from apps.simulation.queries import LeaseLost, SimulationUnknown
from apps.simulation.snapshot.world_snapshot import read_world_snapshot
from apps.simulation.turn.pipeline import take_turn
from apps.simulation.turn.preparation import PREPARATION_TICK
from apps.world.tree import NodeKind
from tests.support.snapshots import simulated
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA = "isabella-rodriguez"
WAKING_TICK = 2_160
"""At 06:00."""


def take(row: SimulationRow, tick: int) -> None:
    take_turn(wiring.ports(), simulation_id=row.pk, agent=ISABELLA, tick=tick)


class TestTurn:
    def test_taken_twice_is_written_once(self) -> None:
        row = found()
        take(row, WAKING_TICK)
        with pytest.raises(AlreadyWritten):
            take(row, WAKING_TICK)

    def test_forms_seed_memories_once(self) -> None:
        row = found()
        with pytest.raises(AlreadyWritten):
            take(row, PREPARATION_TICK)

    def test_finds_that_its_simulation_was_deleted(self) -> None:
        row = found()
        take(row, WAKING_TICK)
        delete_simulation(wiring.ports(), row.pk)
        with pytest.raises(SimulationUnknown):
            take(row, WAKING_TICK + 1)


class TestScore:
    def test_does_not_listen_to_turns_that_it_does_not_wait_for(self) -> None:
        row = simulated("2023-02-13T06:30")
        schedule = ScheduleState(constants_of(row.pk, wiring.ports().worlds), LockStep())
        clocks = schedule.clocks
        assert not schedule.is_in_work(ReadyTurn(2_160, ISABELLA))
        assert not schedule.is_in_work(ReadyTurn(clocks[ISABELLA], "somebody-who-left"))
        schedule.resume(ReadyTurn(2_160, ISABELLA))
        assert schedule.clocks == clocks


class TestRun:
    def test_puts_an_end_off_that_somebody_has_passed(self) -> None:
        # A model that stayed away left one person 25 ticks ahead of the others.
        row = simulated("2023-02-13T00:30")
        ahead = row.committed_tick + 25
        ClockRow.objects.filter(simulation_id=row.pk, agent=ISABELLA).update(clock=ahead + 1)
        assert lifecycle.request_run(row.pk, ticks=2).until_tick == ahead

    def test_takes_the_lease_for_who_will_schedule_it(self) -> None:
        row = lifecycle.request_run(found().pk, ticks=2, holder="a terminal")
        assert row.lease_holder == "a terminal"

    def test_takes_the_lease_from_no_other_process(self) -> None:
        row = found()
        assert take_lease(row.pk, "a scheduler")
        row = lifecycle.request_run(row.pk, ticks=2, holder="a terminal")
        assert (row.status, row.lease_holder) == (Status.RUNNING, "a scheduler")
        with pytest.raises(LeaseLost):
            run_until_rest(wiring.ports(), row.pk, RunOptions(holder="a terminal"))


class TestDeletion:
    def test_waits_for_turns_in_work(self) -> None:
        row = found()
        TurnRow.objects.create(
            simulation_id=row.pk, agent=ISABELLA, tick=1, state=TurnRow.State.TAKEN
        )
        with pytest.raises(StillRunning):
            delete_simulation(wiring.ports(), row.pk)


class TestRoomsThatHoldFew:
    def test_count_nobody_who_is_not_inside_or_at_the_door(self) -> None:
        row = simulated("2023-02-13T12:00")
        constants = constants_of(row.pk, wiring.ports().worlds)
        world = constants.world
        town = read_world_snapshot(row.pk, world=world, seed=constants.seed, from_tick=0)
        held = [
            span
            for node, spans in town.uses.items()
            if world.tree.node(node).kind is NodeKind.AREA
            for span in spans
        ]
        assert held, "somebody has been to a bathroom"
        for span in held:
            # Let in at the door in one tick, inside from the next, until they step out.
            ends = span.to_tick if span.to_tick is not None else row.committed_tick + 1
            for tick in range(span.use.since_tick + 1, ends):
                assert town.area_of(span.use.agent, tick) == span.use.node
