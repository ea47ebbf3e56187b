"""All figures of a simulation by day."""

from typing import Any

from apps import wiring
from apps.evaluation.quality.days import Series
from apps.simulation.models import SimulationRow
from apps.world.loading import world_named
from benchmarks.believability.cost_figures import cost_figures
from benchmarks.believability.deed_figures import deed_figures
from benchmarks.believability.event_figures import event_figures
from benchmarks.believability.later_figures import (
    identity_figures,
    memory_figures,
    talk_figures,
    thought_figures,
)
from benchmarks.believability.world_figures import world_figures
from tools.day_figures.network_figures import network_figures
from tools.day_figures.run_record import RunRecord, read_run

COUNTED = (
    identity_figures,
    memory_figures,
    talk_figures,
    thought_figures,
    event_figures,
    deed_figures,
    network_figures,
    cost_figures,
)


def measure(row: SimulationRow, days: int) -> dict[str, Any]:
    """Return the figures of the first days: a value for each day, None of nothing."""
    run = read_run(row.pk, wiring.ports().worlds, days)
    return _described(row, run) | {"figures": figures_of(run)}


def figures_of(run: RunRecord) -> Series:
    """Return all figures of the run."""
    return {name: values for count in COUNTED for name, values in count(run).items()}


def measure_world(row: SimulationRow, days: int) -> dict[str, Any]:
    """Return the figures of the world, with what of it was never lived."""
    run = read_run(row.pk, wiring.ports().worlds, days)
    smallville = world_named("smallville", wiring.ports().worlds).tree
    figures, never = world_figures(run, smallville)
    return _described(row, run) | {"figures": figures} | never


def _described(row: SimulationRow, run: RunRecord) -> dict[str, Any]:
    return {
        "world": row.world,
        "seed": row.seed,
        "agents": len(run.agents),
        "days": run.days.count,
    }
