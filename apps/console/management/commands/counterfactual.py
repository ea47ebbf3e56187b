"""`manage.py counterfactual SIMULATION --at TIME --until TIME`: what users could have done."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.comparisons.history_comparison import HistoryComparison, compare
from apps.console.options import check_options, tick_of
from apps.console.termination import exit_at_termination
from apps.console.work_here import OPERATOR
from apps.counterfactuals.call_estimates import CallEstimate, estimate_calls
from apps.counterfactuals.commands import (
    COUNTERFACTUALS,
    CounterfactualSpec,
    missing_runs,
    request_counterfactual,
    request_runs,
)
from apps.counterfactuals.models import CounterfactualRow
from apps.django_support.progress_bar import progress_bar
from apps.django_support.service_command import ServiceCommand
from apps.kernel.game_time import GameCalendar
from apps.kernel.request_models import read_values
from apps.kernel.requested_values import Name, Seed
from apps.llm.usage import Usage
from apps.simulation import queries
from apps.simulation.commands.agents import REMOVE_AGENT
from apps.simulation.commands.branch_interventions import OBJECT_STATE, BranchIntervention
from apps.simulation.commands.interventions import InnerVoiceBody, ObservationBody
from apps.simulation.engine.forks import ForkSpec
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lease import Lease
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState

_OF_AGENT_AND_TEXT = {
    "inner_voice": InnerVoiceBody.kind,
    "observation": ObservationBody.kind,
}


class Command(ServiceCommand):
    help = "Fork a simulation with interventions, run the branch, and compare the two."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID, nargs="?")
        parser.add_argument("--at", help="a game time or a tick: the end of the shared past")
        parser.add_argument("--until", help="a game time or a tick: the last compared moment")
        parser.add_argument("--name", default="What if", help="the name of the branch")
        parser.add_argument("--seed", type=int, help="another seed")
        for option in ("--inner-voice", "--observation"):
            parser.add_argument(
                option, nargs=2, action="append", default=[], metavar=("AGENT", "TEXT")
            )
        parser.add_argument(
            "--object-state", nargs=2, action="append", default=[], metavar=("OBJECT", "STATE")
        )
        parser.add_argument("--send-away", action="append", default=[], metavar="AGENT")
        parser.add_argument("--estimate", action="store_true", help="only estimate the calls")
        parser.add_argument("--threads", type=int, default=8, help="concurrent turns; 0: one")
        parser.add_argument(
            "--continue", dest="counterfactual", type=UUID, help="continue this counterfactual"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        check_options(options, seed=Seed, name=Name)
        self._handle(options)

    def _handle(self, options: dict[str, Any]) -> None:
        if options["counterfactual"]:
            row = COUNTERFACTUALS.get(options["counterfactual"])
        else:
            if not all(options[name] for name in ("simulation", "at", "until")):
                raise CommandError("name the simulation, --at and --until; or --continue")
            parent = queries.get_simulation(options["simulation"])
            spec = _spec_of(parent, options)
            if options["estimate"]:
                self._write_estimate(parent, spec)
                return
            row = request_counterfactual(
                wiring.ports(),
                parent.pk,
                spec,
                by=OPERATOR,
                owner_id=parent.owner_id,
            )
        with exit_at_termination(f"--continue {row.pk}"):
            self.stdout.write(f"counterfactual {row.pk}, branch {row.branch_id}")
            self.stdout.flush()
            _run(row, options["threads"])
            COUNTERFACTUALS.carry_out(wiring.ports(), row.pk)
        row.refresh_from_db()
        if row.state != WorkState.DONE:
            raise CommandError(f"{row.state}: {row.problem or row.waits_for}")
        found = compare(row.simulation_id, row.branch_id, until_tick=row.until_tick)
        for line in _lines_of(found, queries.calendar_of(row.simulation_id)):
            self.stdout.write(line)

    def _write_estimate(self, parent: SimulationRow, spec: CounterfactualSpec) -> None:
        found = estimate_calls(wiring.ports(), parent, spec, wiring.LLM_TASK_NAMES)
        for line in _estimate_lines(found, queries.calendar_of(parent.pk)):
            self.stdout.write(line)


def _spec_of(parent: SimulationRow, options: dict[str, Any]) -> CounterfactualSpec:
    fork = ForkSpec(
        name=options["name"], at_tick=tick_of(parent.pk, options["at"]), seed=options["seed"]
    )
    return CounterfactualSpec(
        fork=fork,
        until_tick=tick_of(parent.pk, options["until"]),
        interventions=tuple(_interventions(options)),
    )


def _interventions(options: dict[str, Any]) -> Iterator[BranchIntervention]:
    for given in _given_interventions(options):
        yield read_values(BranchIntervention, given)


def _given_interventions(options: dict[str, Any]) -> Iterator[dict[str, str]]:
    for option, kind in _OF_AGENT_AND_TEXT.items():
        for agent, text in options[option]:
            yield {"kind": kind, "agent": agent, "text": text}
    for name, state in options["object_state"]:
        yield {"kind": OBJECT_STATE, "object": name, "text": state}
    for agent in options["send_away"]:
        yield {"kind": REMOVE_AGENT, "agent": agent}


def _run(row: CounterfactualRow, threads: int) -> None:
    """Run what has not come to the end in this process.

    The leases keep others away, also from the simulation that runs second, and end with the
    block: an interrupted command can be continued at once.
    """
    run_options = RunOptions(threads=threads)
    with ExitStack() as leases:
        missing = missing_runs(row)
        for one in missing:
            leases.enter_context(Lease(one.pk, run_options.holder))
        request_runs(row, running_max=0, holder=run_options.holder)
        for one in missing:
            with progress_bar("tick", total=row.until_tick, initial=one.committed_tick) as show:
                run_until_rest(wiring.ports(), one.pk, replace(run_options, on_progress=show))


def _estimate_lines(found: CallEstimate, calendar: GameCalendar) -> Iterator[str]:
    reached = ", ".join(f"{one.agent} at {calendar.moment(one.tick)}" for one in found.agents)
    until = calendar.moment(found.log_tick)
    yield f"by the log up to {until} the interventions can reach: {reached or 'nobody'}"
    yield f"not reached: {', '.join(found.unreached) or 'nobody'}"
    yield f"new: {_count(found.new)}"
    yield f"used again: {_count(found.reused)}"
    if found.later.calls:
        yield f"beyond the log, of the branch and of the simulation each: {_count(found.later)}"


def _count(count: Usage) -> str:
    return f"{count.calls:,} calls, {count.tokens:,} tokens"


def _lines_of(found: HistoryComparison, calendar: GameCalendar) -> Iterator[str]:
    first = found.first_difference
    if first is None:
        yield f"no difference up to {calendar.moment(found.until_tick)}"
        return
    yield f"first difference: {first.event}"
    for one in found.agents:
        yield " < ".join(str(link.difference.event) for link in one.chain)
