"""Output of estimates at the terminal: calls, tokens and cost, with their basis."""

from collections.abc import Callable
from typing import Any

from apps import wiring
from apps.kernel.game_moments import first_tick_from
from apps.kernel.game_time import GameCalendar
from apps.llm.estimates import Estimate, RestsOn, measurement
from apps.llm.prices import Price
from apps.simulation import queries
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.engine.run_estimates import RunEstimate, estimate_first_run, estimate_run
from apps.simulation.settings import SimulationSettings
from apps.world.loading import world_named

SECONDS_PER_DAY = 86_400

Write = Callable[[str], object]


def write_estimate(write: Write, founding: SimulationSpec, options: dict[str, Any]) -> None:
    """Write the estimate of the run that the options of `simulate` describe."""
    if options["simulation"]:
        row = queries.get_simulation(options["simulation"])
        ticks = _ticks(options, queries.calendar_of(row.pk), row.committed_tick)
        _write_forecast(write, estimate_run(row, ticks, wiring.LLM_TASK_NAMES))
        return
    start = world_named(founding.world, wiring.ports().worlds).start
    calendar = GameCalendar(start=start, tick_seconds=SimulationSettings().tick_seconds)
    ticks = _ticks(options, calendar, 0)
    _write_forecast(
        write, estimate_first_run(wiring.ports(), founding, ticks, wiring.LLM_TASK_NAMES)
    )


def write_estimate_of_days(write: Write, founding: SimulationSpec, days: float) -> None:
    """Write the estimate of game days of a simulation that is not created yet."""
    ticks = max(1, round(days * SECONDS_PER_DAY / SimulationSettings().tick_seconds))
    _write_forecast(
        write, estimate_first_run(wiring.ports(), founding, ticks, wiring.LLM_TASK_NAMES)
    )


def _ticks(options: dict[str, Any], calendar: GameCalendar, committed_tick: int) -> int:
    planned: list[int] = []
    if options["ticks"] is not None:
        planned.append(options["ticks"])
    if options["until"]:
        planned.append(first_tick_from(options["until"], calendar) - committed_tick)
    return max(0, min(planned))


def _write_forecast(write: Write, forecast: RunEstimate) -> None:
    lines, models = forecast.estimate.lines, forecast.models
    write(
        f"{forecast.agents} agents, {forecast.agent_days:.1f} agent-days, "
        f"model {models.chat_model}, estimate:"
    )
    for line in lines:
        write(
            f"  {line.key:36} {line.calls:>9,} calls {line.prompt_tokens:>12,} + "
            f"{line.completion_tokens:>10,} tokens {line.cost:>10.2f}   {line.rests_on}"
        )
    total = forecast.estimate.total
    write(use_in_words(forecast.estimate, "total"))
    if total.cached_prompt_tokens:
        write(
            f"{total.cached_prompt_tokens:,} of the tokens from the server's cache: "
            f"{total.billed_equivalent_tokens:,} billed-equivalent"
        )
    write(f"price of {models.chat_model}: {_price(models.prices.chat)}")
    if models.prices.embeds_remotely:
        write(f"price of {models.embedding_model}: {_price(models.prices.embedding)}")
    if any(line.rests_on != RestsOn.OWN_PAST for line in lines):
        by = measurement()
        write(
            f"the figures were measured on {by.measured_on} with the rule-based model and "
            f"{by.agents} agents of {by.world} in one day ({by.measured_by}); a token is four "
            "characters; expect longer answers of a language model"
        )
    if forecast.estimate.unmeasured:
        write(f"without figures: {', '.join(forecast.estimate.unmeasured)}")


def use_in_words(found: Estimate, what: str) -> str:
    """Return the use of an estimate in one line."""
    used = found.total
    cost = f"cost {used.cost:.2f}" if found.is_priced else "cost unknown: set MODEL_PRICES"
    return f"{what} {used.calls:,} calls, {used.tokens:,} tokens, {cost}"


def _price(price: Price | None) -> str:
    if price is None:
        return "unknown; set MODEL_PRICES"
    if not price.source:
        return "nothing: it answers on this machine"
    cached = "" if price.cached_prompt is None else f", {price.cached_prompt} cached"
    completion = f", {price.completion} completion" if price.completion else ""
    dated = f", as of {price.as_of}; check it before you rely on it" if price.as_of else ""
    return (
        f"{price.prompt} prompt{cached}{completion} per million tokens ({price.source}{dated})"
    )
