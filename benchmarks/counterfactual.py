"""Measures a counterfactual: its calls, estimated and made, who differs, and its time.

    export SMALLVILLE_HOME=/tmp/forks
    .venv/bin/python manage.py simulate --world smallville --seed 7 --until 2023-02-15T00:00
    .venv/bin/python -m benchmarks.counterfactual [--at TICK] [--until TICK] [--threads 8]

In the only simulation that is no branch the inner voice of Isabella says that she
cancels the party, by default on the second day at 8:00; compared is the committed tick. The
rule-based model answers all calls again; a remote one is not asked for those with a request
that the simulation has made. The branch stays.
"""

import argparse
import time

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django is set up first)
from apps.comparisons.history_comparison import compare  # noqa: E402
from apps.counterfactuals import commands  # noqa: E402
from apps.counterfactuals.call_estimates import estimate_calls  # noqa: E402
from apps.counterfactuals.models import CounterfactualRow  # noqa: E402
from apps.lineage.branches import is_branch  # noqa: E402
from apps.lineage.history_rows import own_rows  # noqa: E402
from apps.lineage.views import history_models  # noqa: E402
from apps.llm.models import ModelCallRow  # noqa: E402
from apps.simulation.commands.branch_interventions import BranchIntervention  # noqa: E402
from apps.simulation.engine.forks import ForkSpec  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402

AT_TICK = 8_640 + 8 * 360
VOICE = BranchIntervention(
    kind="inner-voice",
    agent="isabella-rodriguez",
    text="You are too tired to give a Valentine's Day party. Cancel it and tell everyone that "
    "there is no party",
)


def print_estimate(parent: SimulationRow, spec: commands.CounterfactualSpec) -> None:
    """Print what the log of the simulation says."""
    began = time.perf_counter()
    found = estimate_calls(wiring.ports(), parent, spec, [])
    print(f"estimate in {time.perf_counter() - began:.1f} s")
    print(f"reached: {', '.join(f'{one.agent} {one.tick}' for one in found.agents)}")
    print(f"not reached: {', '.join(found.unreached) or 'nobody'}")
    print(f"new {found.new.calls} calls, used again {found.reused.calls}")


def carry_out(
    parent: SimulationRow, spec: commands.CounterfactualSpec, threads: int
) -> CounterfactualRow:
    """Run the branch in this process, and compare."""
    row = commands.request_counterfactual(wiring.ports(), parent.pk, spec, by="a benchmark")
    options = RunOptions(threads=threads)
    commands.request_runs(row, running_max=0, holder=options.holder)
    began, cpu = time.perf_counter(), time.process_time()
    for one in commands.missing_runs(row):
        run_until_rest(wiring.ports(), one.pk, options)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
    print(f"run in {seconds:.0f} s, {cpu_seconds:.0f} CPU s of this process")
    commands.COUNTERFACTUALS.carry_out(wiring.ports(), row.pk)
    row.refresh_from_db()
    return row


def print_calls(row: CounterfactualRow) -> None:
    """Print the calls of the branch and of the simulation, and the rows of the branch."""
    made = ModelCallRow.objects.own().filter(simulation_id=row.branch_id).count()
    whole = ModelCallRow.objects.filter(
        simulation_id=row.simulation_id, tick__lte=row.until_tick
    )
    print(
        f"{row.state}: {made} calls, {row.same_calls} with a request of the simulation; the "
        f"simulation made {whole.filter(tick__gt=row.at_tick).count()} since the fork, "
        f"{whole.count()} in all"
    )
    own = {model.__name__: own_rows(model, row.branch_id).count() for model in history_models()}
    print(f"own rows {sum(own.values())}: {own}")


def print_comparison(row: CounterfactualRow) -> None:
    """Print who differs and why, and what only the branch has."""
    began = time.perf_counter()
    found = compare(row.simulation_id, row.branch_id, until_tick=row.until_tick, about="party")
    print(f"comparison in {time.perf_counter() - began:.1f} s")
    print(f"remember a party: {found.knowing}")
    for one in found.agents:
        links = (f"{link.difference.event} {link.named}" for link in one.chain)
        print(f"{one.agent}: {' < '.join(links)}")
        for hour in one.states.only_other.hours:
            print(f"    + {hour.from_tick} {hour.description} ({hour.place})")
        for text in one.states.only_other.memories:
            print(f"    memory + {text}")
    print(found.measures_of_one)
    print(found.measures_of_other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", type=int, default=AT_TICK)
    parser.add_argument("--until", type=int)
    parser.add_argument("--threads", type=int, default=8)
    asked = parser.parse_args()
    [parent] = [row for row in SimulationRow.objects.all() if not is_branch(row.pk)]
    spec = commands.CounterfactualSpec(
        fork=ForkSpec(name="Without a party", at_tick=asked.at),
        until_tick=parent.committed_tick if asked.until is None else asked.until,
        interventions=(VOICE,),
    )
    print_estimate(parent, spec)
    row = carry_out(parent, spec, asked.threads)
    print_calls(row)
    print_comparison(row)


if __name__ == "__main__":
    main()
