"""Turns come out alike in whatever order the database returns rows (V2)."""

from dataclasses import replace
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from django.db import transaction
from django.db.models import AutoField

from apps import wiring
from apps.dialogue.events import Said
from apps.eventlog.store import NewEvent
from apps.simulation.engine.lookahead import LockStep
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.ports import Ports, constants_of
from apps.simulation.turn.context.context_reading import read_context
from apps.simulation.turn.pipeline import run_steps, take_turn
from apps.world.folders import WorldFolders
from tests.support.street import PEOPLE, STREET, crowding_and_talking, write_street
from tests.support.towns import answering, found, happened

pytestmark = pytest.mark.django_db(transaction=True)

# Minutes: the agents wake after ten and are all in one house after an hour.
TOGETHER_TICK, LAST_TICK = 62, 80


def shuffle_rows(simulation_id: UUID, chance: Random) -> None:
    """Write all rows of the simulation's projections again, in a random order."""
    for projection in wiring.PROJECTIONS:
        for model in projection.models:
            own = model._default_manager.filter(simulation_id=simulation_id)
            columns = [
                column.attname
                for column in model._meta.concrete_fields
                if not isinstance(column, AutoField)
            ]
            rows = [model(**values) for values in own.values(*columns)]
            own.delete()
            model._default_manager.bulk_create(chance.sample(rows, len(rows)))


def decided(ports: Ports, simulation_id: UUID, turn: ReadyTurn) -> tuple[NewEvent, ...]:
    """Return the events that a turn would write."""
    context = read_context(ports, simulation_id=simulation_id, agent=turn.agent, tick=turn.tick)
    return run_steps(context).events


def decided_after_shuffle(
    ports: Ports, simulation_id: UUID, turn: ReadyTurn, chance: Random
) -> tuple[NewEvent, ...]:
    """Return the events that a turn would write if the rows lay in another order."""
    with transaction.atomic():
        shuffle_rows(simulation_id, chance)
        events = decided(ports, simulation_id, turn)
        transaction.set_rollback(True)
    return events


class TestTurns:
    def test_are_decided_alike_in_any_order_of_rows(self, tmp_path: Path) -> None:
        root = replace(wiring.ports(), worlds=WorldFolders(write_street(tmp_path)))
        ports = answering(crowding_and_talking(), ports=root)
        row = found(
            seed=1,
            agents=PEOPLE,
            world=STREET,
            ports=ports,
            settings={"tick_seconds": 60, "reaction_pause_minutes": 1},
        )
        chance = Random(1)
        schedule = ScheduleState(constants_of(row.pk, ports.worlds), LockStep())
        while ready := list(schedule.advance(LAST_TICK)):
            for turn in ready:
                if turn.tick < TOGETHER_TICK:
                    continue
                expected = decided(ports, row.pk, turn)
                assert decided_after_shuffle(ports, row.pk, turn, chance) == expected
            for turn in ready:
                take_turn(ports, simulation_id=row.pk, agent=turn.agent, tick=turn.tick)
                schedule.apply(turn)
        opened = [one for one in happened(row, Said) if one.event.number == 1]
        at_once = [(one.tick, one.event.to) for one in opened if one.tick >= TOGETHER_TICK]
        assert len(at_once) > len(set(at_once)), "several speak to one in one tick"
