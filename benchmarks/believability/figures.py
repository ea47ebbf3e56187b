"""All figures of a simulation by day."""

from typing import Any

from apps import wiring
from apps.simulation.models import SimulationRow
from apps.world.loading import world_named
from benchmarks.believability.cost_figures import cost_figures
from benchmarks.believability.days import Series
from benchmarks.believability.deed_figures import deed_figures
from benchmarks.believability.event_figures import event_figures
from benchmarks.believability.identity_figures import identity_figures
from benchmarks.believability.memory_figures import memory_figures
from benchmarks.believability.network_figures import network_figures
from benchmarks.believability.talk_figures import talk_figures
from benchmarks.believability.thought_figures import thought_figures
from benchmarks.believability.town import Town, read_town
from benchmarks.believability.world_figures import world_figures

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
    town = read_town(row, days)
    return _described(row, town) | {"figures": figures_of(town)}


def figures_of(town: Town) -> Series:
    """Return all figures of the town."""
    return {name: values for count in COUNTED for name, values in count(town).items()}


def measure_world(row: SimulationRow, days: int) -> dict[str, Any]:
    """Return the figures of the world, with what of it was never lived."""
    town = read_town(row, days)
    smallville = world_named("smallville", wiring.ports().worlds_root).tree
    figures, never = world_figures(town, smallville)
    return _described(row, town) | {"figures": figures} | never


def _described(row: SimulationRow, town: Town) -> dict[str, Any]:
    return {
        "world": row.world,
        "seed": row.seed,
        "agents": len(town.people),
        "days": town.days.count,
    }
