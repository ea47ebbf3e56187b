"""Towns for tests: founded, lived for a while, and asked what came of it."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps import wiring
from apps.eventlog.store import log_sha256
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.llm.testing import DelayedModel
from apps.simulation import commands, queries
from apps.simulation.commands import Founding
from apps.simulation.in_process import Manner, run_until_rest
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports

THREE = ("Isabella Rodriguez", "Klaus Mueller", "Maria Lopez")
LOCK_STEP = Manner(lock_step=True)
ONE_BY_ONE = Manner()
EIGHT_THREADS = Manner(threads=8)


def found(
    *,
    seed: int = 7,
    people: tuple[str, ...] | None = THREE,
    world: str = "smallville",
    ports: Ports | None = None,
) -> SimulationRow:
    """Found a town of these people, offline."""
    founding = Founding(name="a test", world=world, seed=seed, people=people)
    return commands.create_simulation(ports or wiring.ports(), founding)


def live(
    row: SimulationRow,
    until: str,
    manner: Manner = ONE_BY_ONE,
    *,
    ports: Ports | None = None,
) -> SimulationRow:
    """Live the town until a game time such as "2023-02-13T10:00"."""
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(until))
    commands.request_run(row.pk, until_tick=tick)
    run_until_rest(ports or wiring.ports(), row.pk, manner)
    row.refresh_from_db()
    assert row.settled_tick == tick, row.reason
    return row


def with_delays(seed: int, seconds_max: float = 0.05) -> Ports:
    """Return ports whose model takes a moment, by chance, for each answer."""

    def slow_models(spec: ModelSpec, simulation_seed: int) -> Models:
        models = wiring.models_of(spec, simulation_seed)
        slow = DelayedModel(models.chat, seed=seed, delay_seconds_max=seconds_max)
        return replace(models, chat=slow)

    return replace(wiring.ports(), open_models=slow_models)


def history_of(simulation_id: UUID) -> str:
    """Return the hash of everything that happened."""
    return log_sha256(simulation_id)
