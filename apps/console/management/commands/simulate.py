"""`manage.py simulate`: create a simulation and run it in this process, as fast as possible."""

import json
import time
from argparse import ArgumentParser
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from django.core.management.base import CommandError
from pydantic import Field

from apps import history, wiring
from apps.console.in_process import exit_at_termination, restart_database
from apps.django_support.service_command import ServiceCommand, progress_bar
from apps.eventlog.models import EventRow
from apps.eventlog.store import log_sha256
from apps.kernel.game_moments import first_tick_from, parse_game_time
from apps.kernel.request_models import read_value, read_values
from apps.kernel.requested_values import Name, Seed, Ticks
from apps.llm.calls import queries as model_queries
from apps.llm.calls.budget import Budget
from apps.llm.catalogue import parse_model
from apps.llm.prompts.sets import PromptForm
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from apps.simulation.settings import PRESETS

THREADS_MAX = 256
KINDS = {
    "ticks": Ticks,
    "seed": Seed,
    "name": Name,
    "threads": Annotated[int, Field(ge=0, le=THREADS_MAX)],
}
"""The rules of options, which are those of HTTP."""


class Command(ServiceCommand):
    help = "Create a simulation and run it as fast as possible; print its results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--world", default="smallville", help="a name, or a folder")
        parser.add_argument("--name", help="the name of the simulation")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--until", help="a game time, such as 2023-02-14T03:00")
        parser.add_argument("--ticks", type=int, help="the number of ticks to run")
        parser.add_argument(
            "--agents", nargs="+", help="the first N agents of the world, or their names"
        )
        parser.add_argument("--model", default="offline")
        parser.add_argument(
            "--preset", choices=PRESETS, help="the preset of the settings; default: standard"
        )
        parser.add_argument(
            "--prompts",
            choices=[form.value for form in PromptForm],
            help="the form of the prompts; default: that of the preset",
        )
        parser.add_argument(
            "--budget-tokens", type=int, help="pause when so many tokens are used"
        )
        parser.add_argument(
            "--budget-money", type=Decimal, help="pause when so much money is spent"
        )
        parser.add_argument("--threads", type=int, default=8, help="concurrent turns; 0: one")
        parser.add_argument("--lock-step", action="store_true", help="no agent runs ahead")
        parser.add_argument(
            "--continue", dest="simulation", type=UUID, help="continue this simulation"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        _check_options(options)
        row = self._simulation(options)
        with exit_at_termination(f"--continue {row.pk}"):
            self.stdout.write(f"simulation {row.pk}")
            self.stdout.flush()
            self._run_to_end(row, options)

    def _run_to_end(self, row: SimulationRow, options: dict[str, Any]) -> None:
        """Run the simulation to the end that the options set, and print its results.

        :raises CommandError: if it comes to rest before.
        """
        calendar = queries.calendar_of(row.pk)
        until = None
        if options["until"]:
            until = first_tick_from(options["until"], calendar)
        began_at = row.committed_tick
        wall, cpu = time.perf_counter(), time.process_time()
        run_options = RunOptions(
            threads=options["threads"],
            lock_step=options["lock_step"],
            on_outage=restart_database,
        )
        row = lifecycle.request_run(
            row.pk, until_tick=until, ticks=options["ticks"], holder=run_options.holder
        )
        until_tick = row.until_tick
        assert until_tick is not None
        self._run(row, run_options)
        row = queries.get_simulation(row.pk)
        report = _report(row, calendar.tick_seconds, began_at)
        report["wall_seconds"] = round(time.perf_counter() - wall, 3)
        report["cpu_seconds"] = round(time.process_time() - cpu, 3)
        self.stdout.write(
            f"{row.name}: {calendar.time_at(row.committed_tick):%A %d %B %Y, %H:%M:%S}, "
            f"{row.get_status_display()} ({row.reason})"
        )
        self.stdout.write(_outcomes(row))
        self.stdout.write(json.dumps(report))
        if row.committed_tick < until_tick:
            raise CommandError(
                f"the run did not reach its end: {row.reason}; continue it with "
                f"--continue {row.pk}"
            )

    def _simulation(self, options: dict[str, Any]) -> SimulationRow:
        founding = _founding(options)
        if not options["simulation"]:
            return lifecycle.create_simulation(wiring.ports(), founding)
        row = queries.get_simulation(options["simulation"])
        if founding.budget == Budget():
            return row
        return lifecycle.change_budget(row.pk, founding.budget)

    def _run(self, row: SimulationRow, run_options: RunOptions) -> None:
        assert row.until_tick is not None
        with progress_bar("tick", total=row.until_tick, initial=row.committed_tick) as show:
            watched = replace(run_options, on_progress=show)
            try:
                run_until_rest(wiring.ports(), row.pk, watched)
            except KeyboardInterrupt as interruption:
                reason = str(interruption) or "interrupted at the terminal"
                lifecycle.request_pause(row.pk, reason=reason)
                run_until_rest(wiring.ports(), row.pk, watched)


def _founding(options: dict[str, Any]) -> SimulationSpec:
    model = options["model"]
    if options["prompts"]:
        model = parse_model(model).model_copy(update={"prompt_form": options["prompts"]})
    world = wiring.worlds().name_of(options["world"])
    return SimulationSpec(
        name=options["name"] or world,
        world=world,
        seed=options["seed"],
        model=model,
        agents=_chosen_agents(options["agents"]),
        settings={"preset": options["preset"]} if options["preset"] else None,
        budget=read_values(
            Budget, {"tokens": options["budget_tokens"], "money": options["budget_money"]}
        ),
    )


def _check_options(options: dict[str, Any]) -> None:
    """Check the options before a simulation is created.

    :raises CommandError: if the end is missing.
    :raises DomainError: if a value is invalid.
    """
    if not options["until"] and options["ticks"] is None:
        raise CommandError("set the end: --until 2023-02-14T03:00 or --ticks 8640")
    if options["until"]:
        parse_game_time(options["until"])
    for name, kind in KINDS.items():
        if options[name] is not None:
            read_value(kind, options[name], f"--{name}")


def _chosen_agents(option: list[str] | None) -> int | list[str] | None:
    """Return the number or the names in the option --agents, None for all agents."""
    if not option:
        return None
    if len(option) == 1 and option[0].isdigit():
        return int(option[0])
    return option


def _outcomes(row: SimulationRow) -> str:
    """Return how many answers of the model are done as given."""
    total, _ = model_queries.answer_outcomes(row.pk, of_turns_only=True)
    share = "none" if total.kept_share is None else f"{100 * total.kept_share:.1f} %"
    return (
        f"answers kept as given: {share} of {total.calls:,} ({total.adjusted:,} adjusted, "
        f"{total.asked_again:,} asked again, {total.fell_back:,} replaced by a fallback)"
    )


def _report(row: SimulationRow, tick_seconds: int, began_at: int) -> dict[str, Any]:
    ticks = row.committed_tick - began_at
    spent, hours = model_queries.spent(row.pk), history.hour_counts(row.pk)
    return {
        "simulation": str(row.pk),
        "ticks": ticks,
        "game_seconds": ticks * tick_seconds,
        "wall_seconds": 0.0,
        "cpu_seconds": 0.0,
        "events": EventRow.objects.filter(simulation_id=row.pk).count(),
        "model_calls": spent.calls,
        "hours_planned": hours.planned,
        "hours_reused": hours.reused,
        "tokens": spent.tokens,
        "prompt_tokens": spent.prompt_tokens,
        "cached_prompt_tokens": spent.cached_prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "billed_equivalent_tokens": spent.billed_equivalent_tokens,
        "log_sha256": log_sha256(row.pk),
    }
