"""Turns read rows of other agents through the local view, and nowhere else (ADR 19)."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations

from apps import wiring
from apps.agents.models import AgentRow
from apps.dialogue import queries as dialogue_queries
from apps.eventlog.event import COMMANDS_STREAM
from apps.eventlog.models import EventRow
from apps.simulation.engine.lookahead import LockStep
from apps.simulation.engine.schedule_state import ScheduleState
from apps.simulation.ports import constants_of
from apps.simulation.snapshot import view_reading, world_snapshot
from apps.simulation.turn.pipeline import take_turn
from apps.world.folders import WorldFolders
from tests.support.street import PEOPLE, STREET, wandering_and_talking, write_street
from tests.support.towns import answering, found

pytestmark = pytest.mark.django_db(transaction=True)

# The modules that read other agents, within the bounds that the first one lists.
READERS = {view_reading.__file__, world_snapshot.__file__}
# Who an agent is never changes.
TABLES = {
    model._meta.db_table
    for model in apps.get_models()
    if any(column.name == "agent" for column in model._meta.concrete_fields)
} - {AgentRow._meta.db_table} | {EventRow._meta.db_table}
SLUGS = {name.lower().replace(" ", "-") for name in PEOPLE}
BOUND_TO = re.compile(r"""\b(?:agent|stream)"? = '([^']+)'""")
SLUG = re.compile(r"[a-z]+-[a-z]+")
WRITES = ("INSERT ", "UPDATE ", "DELETE ")


@dataclass
class ReadGuard:
    """Notes the statements of one agent's turn that may read rows of another one."""

    agent: str = ""
    outside: list[str] = field(default_factory=list)
    inside: int = 0

    def __call__(
        self,
        execute: Callable[..., Any],
        sql: str,
        params: Any,
        many: bool,
        context: Mapping[str, Any],
    ) -> Any:
        is_read = not any(word in sql for word in WRITES)
        if is_read and any(table in sql for table in TABLES):
            if _is_of_a_reader():
                self.inside += 1
            elif not self._reads_own_rows(_rendered(sql, params)):
                self.outside.append(sql)
        return execute(sql, params, many, context)

    def _reads_own_rows(self, sql: str) -> bool:
        """Return whether the statement is bound to rows of the agent itself."""
        bound = set(BOUND_TO.findall(sql)) - {COMMANDS_STREAM}
        return (bound or set(SLUG.findall(sql)) & SLUGS) == {self.agent}


def _rendered(sql: str, params: Any) -> str:
    """Return the statement with its values in it, before it is executed."""
    operations = connection.ops
    assert isinstance(operations, DatabaseOperations)
    return str(operations.compose_sql(sql, params))


def _is_of_a_reader() -> bool:
    """Return whether a function of the readers' modules is being executed."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename not in READERS:
        frame = frame.f_back
    return frame is not None


def live_guarded(guard: ReadGuard, worlds: Path, last_tick: int) -> Any:
    """Execute a street's turns under the guard; return the simulation's id."""
    ports = answering(
        wandering_and_talking(utterances=4, walks_off=3),
        ports=replace(wiring.ports(), worlds=WorldFolders(worlds)),
    )
    row = found(
        seed=3,
        agents=None,
        world=STREET,
        ports=ports,
        settings={"tick_seconds": 20, "vision": 3},
    )
    schedule = ScheduleState(constants_of(row.pk, ports.worlds), LockStep())
    while ready := list(schedule.advance(last_tick)):
        for turn in ready:
            guard.agent = turn.agent
            with connection.execute_wrapper(guard):
                take_turn(ports, simulation_id=row.pk, agent=turn.agent, tick=turn.tick)
            schedule.apply(turn)
    return row.pk


class TestTurns:
    def test_read_rows_of_other_agents_through_the_views_only(self, tmp_path: Path) -> None:
        guard = ReadGuard()
        simulation_id = live_guarded(guard, write_street(tmp_path), last_tick=70)
        assert guard.outside == []
        assert guard.inside
        assert dialogue_queries.voices(simulation_id, from_tick=0).spoken, "agents have talked"


class TestReadGuard:
    def test_notices_reads_of_all_agents_and_of_another_one(self) -> None:
        guard = ReadGuard(agent="ada-finch")
        row = found()
        with connection.execute_wrapper(guard):
            dialogue_queries.voices(row.pk, from_tick=0, agents=["ada-finch"])
            assert guard.outside == []
            dialogue_queries.voices(row.pk, from_tick=0)
            assert len(guard.outside) == 2
            dialogue_queries.voices(row.pk, from_tick=0, agents=["ada-finch", "ben-marsh"])
            assert len(guard.outside) == 4
