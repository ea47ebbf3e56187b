"""What a run would cost, told at the terminal before it is paid for."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from apps import wiring
from apps.kernel.game_time import GameCalendar
from apps.simulation import queries
from apps.simulation.commands import Founding
from apps.simulation.forecast import Forecast, forecast_founding, forecast_run
from apps.simulation.settings import TownSettings
from apps.world.loading import world_named

Write = Callable[[str], object]


def tell_estimate(write: Write, founding: Founding, options: dict[str, Any]) -> None:
    """Tell what the run that the options ask for would cost."""
    chains = [chain.name for chain in wiring.CHAINS]
    if options["simulation"]:
        row = queries.get_simulation(options["simulation"])
        ticks = _ticks(options, queries.calendar_of(row.pk), row.settled_tick)
        _tell(write, forecast_run(row, ticks, chains))
        return
    start = world_named(founding.world, wiring.ports().worlds_root).start
    calendar = GameCalendar(start=start, tick_seconds=TownSettings().tick_seconds)
    ticks = _ticks(options, calendar, 0)
    _tell(write, forecast_founding(wiring.ports(), founding, ticks, chains))


def _ticks(options: dict[str, Any], calendar: GameCalendar, settled: int) -> int:
    planned: list[int] = []
    if options["ticks"] is not None:
        planned.append(options["ticks"])
    if options["until"]:
        planned.append(calendar.tick_at(datetime.fromisoformat(options["until"])) - settled)
    return max(0, min(planned))


def _tell(write: Write, forecast: Forecast) -> None:
    lines = forecast.estimate.lines
    write(f"{forecast.people} people, {forecast.agent_days:.1f} agent-days, about:")
    for line in lines:
        write(
            f"  {line.chain:36} {line.calls:>9,} calls {line.prompt_tokens:>12,} + "
            f"{line.completion_tokens:>10,} tokens {line.cost:>10.2f}   {line.rests_on}"
        )
    tokens = sum(line.prompt_tokens + line.completion_tokens for line in lines)
    cost = sum(line.cost for line in lines)
    write(f"together {tokens:,} tokens, {cost:.2f} by the price list (MODEL_PRICES)")
    if forecast.estimate.unmeasured:
        write(f"nothing is known yet of: {', '.join(forecast.estimate.unmeasured)}")
