"""`manage.py simulate`: found a town and live it, as fast as it can, in this process."""

import json
import time
from argparse import ArgumentParser
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from apps import wiring
from apps.console.estimate import tell_estimate
from apps.console.people import people_asked
from apps.console.schema import ensure_tables
from apps.embedded_postgres.provide import ensure_running
from apps.eventlog.models import EventRow
from apps.eventlog.store import log_sha256
from apps.kernel.errors import SmallvilleError
from apps.llm import queries as model_queries
from apps.llm.budget import Budget
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import Founding
from apps.simulation.models import SimulationRow

TICK_MAX = 2**31 - 3
THREADS_MAX = 256


class Command(BaseCommand):
    help = "Found a town and live it as fast as it can; print what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--world", default="smallville")
        parser.add_argument("--name", default="", help="a name for people")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--until", help="a game time, such as 2023-02-14T03:00")
        parser.add_argument("--ticks", type=int, help="how many ticks to live")
        parser.add_argument(
            "--agents", nargs="+", help="the first N people of the world, or those named"
        )
        parser.add_argument("--model", default="offline")
        parser.add_argument(
            "--budget-tokens", type=int, help="pause when so many tokens are used"
        )
        parser.add_argument(
            "--budget-money", type=Decimal, help="pause when so much money is spent"
        )
        parser.add_argument(
            "--estimate", action="store_true", help="only tell what it would cost, about"
        )
        parser.add_argument("--threads", type=int, default=8, help="turns at once; 0: one")
        parser.add_argument("--lock-step", action="store_true", help="nobody runs ahead")
        parser.add_argument(
            "--continue", dest="simulation", type=UUID, help="go on with this simulation"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            if options["simulation"] or not options["estimate"]:
                ensure_tables()
            self._simulate(options)
        except SmallvilleError as error:
            raise CommandError(error.message) from error

    def _simulate(self, options: dict[str, Any]) -> None:
        _refuse_unusable(options)
        if options["estimate"]:
            tell_estimate(self.stdout.write, _founding(options), options)
            return
        row = self._simulation(options)
        self.stdout.write(f"simulation {row.pk}")
        self.stdout.flush()
        calendar = queries.calendar_of(row.pk)
        until = None
        if options["until"]:
            until = calendar.tick_at(_game_time(options["until"]))
            if until > TICK_MAX:
                raise CommandError(f"--until lies too far off: tick {until} of {TICK_MAX}")
        began_at = row.settled_tick
        wall, cpu = time.perf_counter(), time.process_time()
        manner = RunOptions(
            threads=options["threads"], lock_step=options["lock_step"], on_outage=_mend
        )
        row = lifecycle.request_run(
            row.pk, until_tick=until, ticks=options["ticks"], holder=manner.holder
        )
        self._live(row, manner)
        row = queries.get_simulation(row.pk)
        report = _report(row, calendar.tick_seconds, began_at)
        report["wall_seconds"] = round(time.perf_counter() - wall, 3)
        report["cpu_seconds"] = round(time.process_time() - cpu, 3)
        self.stdout.write(
            f"{row.name}: {calendar.time_at(row.settled_tick):%A %d %B %Y, %H:%M:%S}, "
            f"{row.get_status_display()} ({row.reason})"
        )
        self.stdout.write(json.dumps(report))
        if row.until_tick is None or row.settled_tick < row.until_tick:
            raise CommandError(f"the run did not come to its end: {row.reason}")

    def _simulation(self, options: dict[str, Any]) -> SimulationRow:
        founding = _founding(options)
        if options["simulation"]:
            row = queries.get_simulation(options["simulation"])
            if founding.budget == Budget():
                return row
            return lifecycle.change_budget(row.pk, founding.budget)
        return lifecycle.create_simulation(wiring.ports(), founding)

    def _live(self, row: SimulationRow, manner: RunOptions) -> None:
        assert row.until_tick is not None
        with tqdm(total=row.until_tick, initial=row.settled_tick, unit="tick") as bar:

            def watch(settled: int) -> None:
                bar.update(settled - bar.n)

            watched = replace(manner, on_progress=watch)
            try:
                run_until_rest(wiring.ports(), row.pk, watched)
            except KeyboardInterrupt:
                lifecycle.request_pause(row.pk, reason="interrupted at the terminal")
                run_until_rest(wiring.ports(), row.pk, watched)


def _founding(options: dict[str, Any]) -> Founding:
    return Founding(
        name=options["name"] or options["world"],
        world=options["world"],
        seed=options["seed"],
        model=options["model"],
        people=people_asked(options["agents"]),
        budget=Budget(tokens=options["budget_tokens"], money=options["budget_money"]),
    )


def _refuse_unusable(options: dict[str, Any]) -> None:
    """Refuse what could not be lived, before anything is founded."""
    if not options["until"] and options["ticks"] is None:
        raise CommandError("say how long: --until 2023-02-14T03:00 or --ticks 8640")
    if options["until"]:
        _game_time(options["until"])
    if options["ticks"] is not None and not 0 < options["ticks"] <= TICK_MAX:
        raise CommandError(f"--ticks must lie between 1 and {TICK_MAX}")
    if not 0 <= options["seed"] <= lifecycle.SEED_MAX:
        raise CommandError(f"--seed must lie between 0 and {lifecycle.SEED_MAX}")
    if not 0 <= options["threads"] <= THREADS_MAX:
        raise CommandError(f"--threads must lie between 0 and {THREADS_MAX}")


def _mend() -> None:
    if settings.EMBEDDED:
        ensure_running(settings.SMALLVILLE_HOME)


def _game_time(text: str) -> datetime:
    try:
        time_asked = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text!r} is no game time such as 2023-02-14T03:00") from error
    if time_asked.tzinfo is not None:
        raise CommandError("game times have no time zone; leave the offset away")
    return time_asked


def _report(row: SimulationRow, tick_seconds: int, began_at: int) -> dict[str, Any]:
    ticks = row.settled_tick - began_at
    spent = model_queries.spent(row.pk)
    return {
        "simulation": str(row.pk),
        "ticks": ticks,
        "game_seconds": ticks * tick_seconds,
        "wall_seconds": 0.0,
        "cpu_seconds": 0.0,
        "events": EventRow.objects.filter(simulation_id=row.pk).count(),
        "model_calls": spent.calls,
        "tokens": spent.prompt_tokens + spent.completion_tokens,
        "log_sha256": log_sha256(row.pk),
    }
