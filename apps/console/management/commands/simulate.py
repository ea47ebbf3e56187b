"""`manage.py simulate`: create a simulation and run it in this process, as fast as possible."""

import json
import time
from argparse import ArgumentParser
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from django.core.management.base import CommandError
from pydantic import Field

from apps import history, wiring
from apps.console.in_process import exit_at_termination, restart_database
from apps.django_support.service_command import (
    ServiceCommand,
    add_options,
    given_options,
    progress_bar,
)
from apps.eventlog.models import EventRow
from apps.eventlog.store import log_sha256
from apps.kernel.request_models import read_value, read_values
from apps.kernel.requested_values import Moment, Ticks
from apps.llm.calls import queries as model_queries
from apps.llm.calls.budget import Budget
from apps.llm.catalogue import parse_model
from apps.llm.model_spec import OFFLINE, ModelSpec
from apps.llm.prompts.sets import PromptForm
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import Run, SimulationSpec
from apps.simulation.models import SimulationRow
from apps.simulation.settings import SimulationSettings

THREADS_MAX = 256
Threads = Annotated[int, Field(ge=0, le=THREADS_MAX)]
SPECIFICATION, END = ("world", "name", "seed", "agents", "model"), ("until", "ticks")
PRESET, FORM, LIMITS = "preset", "prompt_form", ("tokens", "money")
BUDGET = "budget-"
DEFAULTS = {"seed": 1, "model": OFFLINE}


class Command(ServiceCommand):
    help = "Create a simulation and run it as fast as possible; print its results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser, SimulationSpec, *SPECIFICATION, defaults=DEFAULTS)
        add_options(parser, Run, *END)
        add_options(parser, SimulationSettings, PRESET)
        add_options(parser, ModelSpec, FORM)
        add_options(parser, Budget, *LIMITS, prefix=BUDGET)
        parser.add_argument("--threads", type=int, default=8, help="concurrent turns; 0: one")
        parser.add_argument("--lock-step", action="store_true", help="no agent runs ahead")
        parser.add_argument(
            "--continue", dest="simulation", type=UUID, help="continue this simulation"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        _check_end(options)
        read_value(Threads, options["threads"], "--threads")
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
        run = read_values(Run, given_options(options, *END), context={"calendar": calendar})
        began_at = row.committed_tick
        wall, cpu = time.perf_counter(), time.process_time()
        run_options = RunOptions(
            threads=options["threads"],
            lock_step=options["lock_step"],
            on_outage=restart_database,
        )
        row = lifecycle.request_run(
            row.pk, until_tick=run.until, ticks=run.ticks, holder=run_options.holder
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
        if founding.budget is None:
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
    """Return the specification that the options describe.

    :raises DomainError: if a value is invalid.
    """
    given = given_options(options, *SPECIFICATION)
    if "agents" in given:
        given["agents"] = _chosen_agents(given["agents"])
    world = wiring.worlds().name_of(
        given.pop("world", SimulationSpec.model_fields["world"].default)
    )
    if options[FORM]:
        chosen = parse_model(given["model"])
        given["model"] = chosen.model_copy(update={FORM: PromptForm(options[FORM])})
    more = {"world": world, "settings": given_options(options, PRESET) or None}
    budget = given_options(options, *LIMITS, prefix=BUDGET)
    return read_values(
        SimulationSpec, {"name": world, **given, **more, "budget": budget or None}
    )


def _chosen_agents(given: list[str]) -> list[str] | int:
    """Return a single number as the number of agents, the first of the world; else names."""
    is_number = len(given) == 1 and given[0].isdigit()
    return int(given[0]) if is_number else given


def _check_end(options: dict[str, Any]) -> None:
    """Check the end before a simulation is created.

    :raises CommandError: if it is missing.
    :raises DomainError: if it is invalid.
    """
    if not options["until"] and options["ticks"] is None:
        raise CommandError("set the end: --until 2023-02-14T03:00 or --ticks 8640")
    if options["until"]:
        read_value(Moment, options["until"], "--until")
    if options["ticks"] is not None:
        read_value(Ticks, options["ticks"], "--ticks")


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
