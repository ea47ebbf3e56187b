"""Towns for tests: founded, lived for a while, and asked what came of it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.eventlog.event import Event
from apps.eventlog.store import log_sha256
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models, open_models
from apps.llm.servers.delayed_model import DelayedModel
from apps.rule_model.model import RuleModel, TaskRule
from apps.simulation import queries
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.object_state import request_object_state
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from tests.support.rules import TASK_RULES

THREE = ("Isabella Rodriguez", "Klaus Mueller", "Maria Lopez")
LOCK_STEP = RunOptions(lock_step=True)
ONE_BY_ONE = RunOptions()
EIGHT_THREADS = RunOptions(threads=8)


def found(
    *,
    seed: int = 7,
    agents: tuple[str, ...] | None = THREE,
    world: str = "smallville",
    settings: dict[str, Any] | None = None,
    ports: Ports | None = None,
    model: Mapping[str, Any] | None = None,
) -> SimulationRow:
    """Create a simulation of these people, with the rule-based model by default."""
    founding = SimulationSpec(
        name="a test",
        world=world,
        seed=seed,
        agents=agents,
        settings=settings,
        model=None if model is None else ModelSpec.model_validate(dict(model)),
    )
    return lifecycle.create_simulation(ports or wiring.ports(), founding)


def live(
    row: SimulationRow,
    until: str,
    manner: RunOptions = ONE_BY_ONE,
    *,
    ports: Ports | None = None,
) -> SimulationRow:
    """Live the town until a game time such as "2023-02-13T10:00"."""
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(until))
    lifecycle.request_run(row.pk, until_tick=tick)
    run_until_rest(ports or wiring.ports(), row.pk, manner)
    row.refresh_from_db()
    assert row.committed_tick == tick, row.reason
    return row


@contextmanager
def shared(
    blocker: DjangoDbBlocker, simulate: Callable[[], SimulationRow]
) -> Iterator[SimulationRow]:
    """Run a simulation once for all tests of a module or class, which only read it.

    They use the database within a transaction; tests with transactions of their own run later.
    """
    with blocker.unblock():
        row = simulate()
    yield row
    with blocker.unblock():
        # A test with transactions of its own may have emptied the database before.
        if SimulationRow.objects.filter(pk=row.pk).exists():
            lifecycle.delete_simulation(wiring.ports(), row.pk)


def shared_fixture(simulate: Callable[[], SimulationRow]) -> Any:
    """Return the fixture of a module that gives a simulation as `shared` does."""

    @pytest.fixture(scope="module")
    def simulation(
        django_db_setup: None, django_db_blocker: DjangoDbBlocker
    ) -> Iterator[SimulationRow]:
        with shared(django_db_blocker, simulate) as row:
            yield row

    return simulation


def answering(answers: Mapping[str, TaskRule], *, ports: Ports | None = None) -> Ports:
    """Return ports whose rule model answers some tasks in a way of the test's own."""

    def open_rule_model(seed: int) -> RuleModel:
        return RuleModel({**TASK_RULES, **answers}, seed=seed)

    def models(spec: ModelSpec, seed: int) -> Models:
        return open_models(
            spec, seed=seed, open_rule_model=open_rule_model, task_names=wiring.LLM_TASK_NAMES
        )

    return replace(ports or wiring.ports(), open_models=models)


def with_delays(seed: int, seconds_max: float = 0.05, *, ports: Ports | None = None) -> Ports:
    """Return ports whose model takes a moment, by chance, for each answer."""
    inputs = ports or wiring.ports()

    def slow_models(spec: ModelSpec, simulation_seed: int) -> Models:
        models = inputs.open_models(spec, simulation_seed)
        slow = DelayedModel(models.chat, seed=seed, delay_seconds_max=seconds_max)
        return replace(models, chat=slow)

    return replace(inputs, open_models=slow_models)


def set_object(
    row: SimulationRow, name: str, state: str, *, at_tick: int | None = None
) -> None:
    """Request that an object is in a state, as a user does."""
    issuer = Issuer(by="a researcher", at_tick=at_tick)
    request_object_state(wiring.ports(), row.pk, object_name=name, state=state, issuer=issuer)


Kind = TypeVar("Kind", bound=Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened(Generic[Kind]):
    """An event of a town with when, to whom and why it happened; `place` is its identity."""

    event: Kind
    tick: int
    stream: str
    place: str
    cause: str


def happened(row: SimulationRow, kind: type[Kind]) -> list[Happened[Kind]]:
    """Return the events of the type, in canonical order."""
    return [
        Happened(
            event=recorded.event,
            tick=recorded.tick,
            stream=recorded.stream,
            place=str(recorded.place),
            cause=recorded.cause,
        )
        for recorded in wiring.event_store().read(row.pk)
        if isinstance(recorded.event, kind)
    ]


def history_of(simulation_id: UUID) -> str:
    """Return the hash of everything that happened."""
    return log_sha256(simulation_id)
