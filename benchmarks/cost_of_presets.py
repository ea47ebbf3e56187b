"""Measures what the presets of a simulation's settings cost, and what they bring.

    .venv/bin/python -m benchmarks.cost_of_presets [PRESET …] [--agents N] [--seed N]
    .venv/bin/python -m benchmarks.cost_of_presets --table

For each preset all of Smallville (or the first N agents) live one day with the answers of the
rule-based model. Calls, tokens and the tokens that a prefix cache would have are counted by
task; the day is held to the whole-day checks, which are those of all agents, and to how far
news has spread. The results are stored under docs/benchmarks/cost_of_presets, and the table is
written from all of them.
"""

import argparse
import json
from dataclasses import asdict, replace
from datetime import UTC, datetime
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps import history, wiring  # noqa: E402
from apps.evaluation.social.grapevine import Grapevine  # noqa: E402
from apps.history import read_day_record  # noqa: E402
from apps.llm.model_spec import ModelSpec  # noqa: E402
from apps.llm.opening import Models  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402
from apps.simulation.ports import Ports  # noqa: E402
from apps.simulation.settings import PRESETS  # noqa: E402
from benchmarks.cost_of_tasks import SEED, TICKS, WORLD, CountingModel, commit, values_of  # noqa: E402
from benchmarks.preset_table import RESULTS, TABLE, USES, Result, read_results, table  # noqa: E402
from tests.model_server.prefix_cache import OPENAI, VLLM, PrefixCache  # noqa: E402
from tests.model_server.prefix_server import TaskUse  # noqa: E402
from tests.support.news import CANDIDACY, ORIGINS, PARTY  # noqa: E402
from tests.support.whole_day import CHECKS, PEOPLE, UNTIL  # noqa: E402


def main() -> None:
    """Measure the presets asked for, and write the table of all stored results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", choices=[*PRESETS, []], default=[])
    parser.add_argument("--agents", type=int, default=PEOPLE)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--table", action="store_true", help="only write the table")
    asked = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for preset in () if asked.table else asked.presets or PRESETS:
        result = measure(preset, asked.agents, asked.seed)
        path = RESULTS / f"{preset}_{result['agents']}.json"
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        print(table([result]), result["failed_checks"], flush=True)
    TABLE.write_text(table(read_results()), encoding="utf-8")


def measure(preset: str, agents: int, seed: int) -> Result:
    """Run the day; return what the LLM tasks used, and what came of the day."""
    of_commit, uses = commit(), dict[str, TaskUse]()  # before the run, which takes minutes
    caches = [PrefixCache(rules) for rules in (OPENAI, VLLM)]

    def counted(spec: ModelSpec, seed: int) -> Models:
        models = wiring.models_of(spec, seed)
        return replace(models, chat=CountingModel(models.chat, uses, caches))

    ports = replace(wiring.ports(), open_models=counted)
    spec = SimulationSpec(
        name=f"cost of {preset}",
        world=WORLD,
        seed=seed,
        agents=agents,
        settings={"preset": preset},
    )
    row = lifecycle.create_simulation(ports, spec)
    simulate(ports, row, TICKS)
    of_day = {
        USES: values_of(uses),
        "hours": asdict(history.hour_counts(row.pk)),
        "knowers": knowers(row.pk),
    }
    simulate(ports, row, queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(UNTIL)))
    checks = CHECKS if agents == PEOPLE else {}
    lived = read_day_record(row.pk, wiring.ports().worlds)
    failed = [name for name, check in checks.items() if check(lived)]
    lifecycle.delete_simulation(wiring.ports(), row.pk)
    return of_day | {
        "preset": preset,
        "measured_on": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": of_commit,
        "agents": agents,
        "seed": seed,
        "checks": len(checks),
        "failed_checks": failed,
    }


def simulate(ports: Ports, row: SimulationRow, until_tick: int) -> None:
    """Run the simulation until the tick."""
    lifecycle.request_run(row.pk, until_tick=until_tick)
    run_until_rest(ports, row.pk, RunOptions())
    row.refresh_from_db()
    assert row.committed_tick == until_tick, row.reason


def knowers(simulation_id: UUID) -> dict[str, int]:
    """Return how many agents have come to know each piece of news."""
    grapevine = Grapevine(wiring.event_store().read(simulation_id))
    return {
        news.name: len(grapevine.knowers(news, at_tick=TICKS).keys() - {ORIGINS[news.name]})
        for news in (PARTY, CANDIDACY)
    }


if __name__ == "__main__":
    main()
