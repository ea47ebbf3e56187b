"""Measures what each LLM task uses in a day, and what a prefix cache saves of it.

    .venv/bin/python -m benchmarks.cost_of_tasks 3 --write before
    .venv/bin/python -m benchmarks.cost_of_tasks --table

The first AGENTS of Smallville (all, if left out) run one day with the answers of the rule-based
model: once directly, and once through the openai adapter and a server on this machine that
counts shared prefixes. `--write NAME` stores the result under docs/benchmarks/cost_of_tasks;
`--table` writes the table of all stored results, "before" beside "after".
"""

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.agents import queries as agent_queries  # noqa: E402
from apps.eventlog.store import log_sha256  # noqa: E402
from apps.llm.answers.json_schema import strict_schema  # noqa: E402
from apps.llm.model_spec import ModelSpec  # noqa: E402
from apps.llm.opening import Models  # noqa: E402
from apps.llm.port import ChatModel, Completion, Message, Request  # noqa: E402
from apps.llm.prompts.quoting import passages_of  # noqa: E402
from apps.llm.tokens import count_tokens  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402
from benchmarks.cost_table import (  # noqa: E402
    DIRECT,
    RESULTS,
    SECTIONS,
    SERVER,
    TABLE,
    Result,
    Uses,
    read_results,
    table,
)
from tests.model_server.prefix_cache import (  # noqa: E402
    OPENAI,
    VLLM,
    PrefixCache,
    prompt_tokens_of,
)
from tests.model_server.prefix_server import PrefixServer, TaskUse  # noqa: E402
from tests.support.thinking_towns import thinking_town  # noqa: E402

WORLD, SEED, TICKS = "smallville", 7, 8_640
# The same vectors as of the rule-based model, so that both simulations have the same history.
LOCAL_VECTORS: dict[str, Any] = {"embedding_model": "", "embedding_dimensions": 0}
PATIENCE_SECONDS = 120.0
COMMON_RULES, TASK_RULES = "rules of all tasks", "rules of the task"


class CountingModel:
    """Answers as the model behind it, and counts the tokens of each LLM task.

    Cached tokens are counted for the caches that it is given.
    """

    remote = False

    def __init__(
        self, inner: ChatModel, uses: dict[str, TaskUse], caches: Sequence[PrefixCache] = ()
    ) -> None:
        self._inner = inner
        self._uses = uses
        self._caches = caches
        self.server = inner.server
        self.name = inner.name

    def complete(self, request: Request) -> Completion:
        """Return the answer of the model."""
        completion = self._inner.complete(request)
        use = self._uses.setdefault(request.task_name, TaskUse())
        schema = strict_schema(request.json_schema)
        use.calls += 1
        use.schema_tokens += count_tokens(json.dumps(schema, ensure_ascii=False))
        use.input_tokens[VLLM.name] += completion.prompt_tokens
        use.output_tokens += completion.completion_tokens
        use.section_tokens.update(sections_of(request.messages))
        body = {
            "messages": [message.to_json() for message in request.messages],
            "response_format": {"json_schema": {"schema": schema}},
        }
        for cache in self._caches:
            tokens = prompt_tokens_of(body, cache.rules)
            use.cached_tokens[cache.rules.name] += cache.look_up(tokens)
        return completion


def sections_of(messages: Sequence[Message]) -> Counter[str]:
    """Return the tokens of the sections of a prompt, by the source of what is quoted."""
    tokens: Counter[str] = Counter()
    for message in messages:
        if message.role == "system":
            tokens[COMMON_RULES] += count_tokens(message.content)
            continue
        for passage in passages_of(message.content):
            tokens[passage.source or TASK_RULES] += count_tokens(passage.text)
    return tokens


def main() -> None:
    """Measure a day, or write the table of stored results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", nargs="?", type=int)
    parser.add_argument("--write", metavar="NAME", help='"before" or "after"')
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.table:
        TABLE.write_text(table(read_results()), encoding="utf-8")
        print(f"written: {TABLE}")
        return
    result = measure(asked.agents)
    if asked.write:
        RESULTS.mkdir(parents=True, exist_ok=True)
        path = RESULTS / f"{asked.write}_{result['agents']}.json"
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(table({"measured": [result]}))


def measure(agents: int | None) -> Result:
    """Run the day both ways; return what the LLM tasks used, and whether the logs are equal."""
    of_commit = commit()  # before the run, which takes minutes
    direct, log, count = run_directly(agents)
    through_server, server_log = run_through_server(agents)
    return {
        "measured_on": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": of_commit,
        "world": WORLD,
        "seed": SEED,
        "agents": count,
        "is_same_history": log == server_log,
        DIRECT: direct,
        SERVER: through_server,
    }


def run_directly(agents: int | None) -> tuple[Uses, str, int]:
    """Run the day with the rule-based model; return the uses, the log's hash, the agents."""
    uses: dict[str, TaskUse] = {}
    ports = replace(wiring.ports(), open_models=partial(_counted_models, uses))
    spec = SimulationSpec(name="cost of tasks", world=WORLD, seed=SEED, agents=agents)
    row = lifecycle.create_simulation(ports, spec)
    lifecycle.request_run(row.pk, ticks=TICKS)
    run_until_rest(ports, row.pk, RunOptions())
    count = len(agent_queries.list_agents(row.pk))
    return values_of(uses), finished(row), count


def run_through_server(agents: int | None) -> tuple[Uses, str]:
    """Run the day through the prefix server; return the uses and the log's hash."""
    open_server = partial(PrefixServer, rules=(OPENAI, VLLM))
    with thinking_town(
        agents,
        manner=RunOptions(),
        open_server=open_server,
        timeout_seconds=PATIENCE_SECONDS,
        deadline_seconds=PATIENCE_SECONDS,
        **LOCAL_VECTORS,
    ) as town:
        row = town.live(TICKS)
        assert isinstance(town.server, PrefixServer)
        names = {task.name.replace(".", "_"): task.name for task in wiring.LLM_TASKS}
        uses = {names.get(name, name): use for name, use in town.server.uses.items()}
        return values_of(uses), finished(row)


def finished(row: SimulationRow) -> str:
    """Return the hash of the log of a simulation that reached its end; delete it."""
    row.refresh_from_db()
    assert row.committed_tick == TICKS, row.reason
    log = log_sha256(row.pk)
    lifecycle.delete_simulation(wiring.ports(), row.pk)
    return log


def values_of(uses: Mapping[str, TaskUse]) -> Uses:
    """Return the uses as plain values, ordered by task."""
    return {
        task: {
            "calls": use.calls,
            "schema_tokens": use.schema_tokens,
            "output_tokens": use.output_tokens,
            "input_tokens": dict(use.input_tokens),
            "cached_tokens": dict(use.cached_tokens),
            SECTIONS: dict(use.section_tokens),
        }
        for task, use in sorted(uses.items())
    }


def commit() -> str:
    """Return the commit of the checkout, with "+" if files differ from it."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"],  # noqa: S607
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return told.stdout.strip()


def _counted_models(uses: dict[str, TaskUse], spec: ModelSpec, seed: int) -> Models:
    models = wiring.models_of(spec, seed)
    return replace(models, chat=CountingModel(models.chat, uses))


if __name__ == "__main__":
    main()
