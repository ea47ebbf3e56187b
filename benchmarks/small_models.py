"""Runs a simulation with small models of MODELS_FILE; prints the outcomes of answers by task.

    MODELS_FILE=models.yaml .venv/bin/python -m benchmarks.small_models half words --forms short

Each server of the file that is named, each with its way of typing answers (`schema`), lives the
town from midnight in each form of the prompts, until it has answered `--calls` calls or it is
`--until`. With `--tasks` it answers those LLM tasks only and the rule-based model all others,
so that a few calls show many conversations. Outcomes and tokens are those that the service
counts; seconds are those that the calls took, not the run.
"""

import argparse
from itertools import product

from benchmarks.setting import MILLISECONDS, prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.kernel.game_moments import first_tick_from  # noqa: E402
from apps.llm.calls.queries import CostGroup, answer_outcomes, costs  # noqa: E402
from apps.llm.model_spec import OFFLINE, ModelSpec  # noqa: E402
from apps.llm.prompts.sets import PromptForm  # noqa: E402
from apps.reports.blocks import Paragraph, TableOfTexts, as_markdown  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402

TICKS_AT_ONCE = 30  # the calls are counted after each five minutes of game time
NAMES = ("John Lin", "Mei Lin", "Eddy Lin")  # of one household: they talk in the morning
HEADINGS = (
    "task", "calls", "kept", "repaired", "asked again", "fell back", "tokens", "seconds",
)  # fmt: skip


def main() -> None:
    """Live the towns and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="+", help="names of the servers in MODELS_FILE")
    parser.add_argument("--forms", nargs="+", default=["short", "full"])
    parser.add_argument("--agents", type=int, default=len(NAMES))
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--until", default="2023-02-13T12:00")
    parser.add_argument("--tasks", nargs="+", default=["*"], help='such as "dialogue.*"')
    asked = parser.parse_args()
    for server, form in product(asked.servers, asked.forms):
        routes = dict.fromkeys(asked.tasks, server)
        default = server if asked.tasks == ["*"] else OFFLINE
        model = ModelSpec(server=default, prompt_form=PromptForm(form), tasks=routes)
        spec = SimulationSpec(
            name=f"{server}, {form} prompts",
            world="smallville",
            seed=7,
            agents=NAMES[: asked.agents],
            model=model,
        )
        row = lifecycle.create_simulation(wiring.ports(), spec)
        live(row, until=asked.until, calls_max=asked.calls)
        show(row)


def live(row: SimulationRow, *, until: str, calls_max: int) -> None:
    """Live until the time, or until the servers have answered so many calls."""
    end = first_tick_from(until, queries.calendar_of(row.pk))
    while row.committed_tick < end and answered_calls(row) < calls_max:
        tick = min(row.committed_tick + TICKS_AT_ONCE, end)
        lifecycle.request_run(row.pk, until_tick=tick)
        run_until_rest(wiring.ports(), row.pk, RunOptions())
        row.refresh_from_db()
        if row.committed_tick < tick:
            print(f"paused at tick {row.committed_tick}: {row.reason}")
            return


def answered_calls(row: SimulationRow) -> int:
    """Return how many calls the servers have answered."""
    _, by_model = answer_outcomes(row.pk, by=CostGroup.MODEL)
    return sum(line.calls for line in by_model if line.key != OFFLINE)


def show(row: SimulationRow) -> None:
    """Print by task the outcomes in percent, and tokens and seconds of a call."""
    models = queries.model_of(row.pk)
    used = {line.key: line for line in costs(row.pk)}
    now = queries.calendar_of(row.pk).time_at(row.committed_tick)
    rows = []
    for line in answer_outcomes(row.pk)[1]:
        if models.chat_of("", line.key) == OFFLINE:
            continue
        counts = (line.kept, line.adjusted, line.asked_again, line.fell_back)
        shares = (f"{100 * count / line.calls:.0f} %" for count in counts)
        usage = used[line.key]
        tokens = usage.tokens / line.calls
        seconds = usage.latency_ms / MILLISECONDS / line.calls
        rows.append([line.key, str(line.calls), *shares, f"{tokens:.0f}", f"{seconds:.0f}"])
    found = TableOfTexts(HEADINGS, rows, frozenset(range(1, len(HEADINGS))))
    print(as_markdown([Paragraph(f"{row.name}, until {now:%H:%M} ({row.pk})"), found]))


if __name__ == "__main__":
    main()
