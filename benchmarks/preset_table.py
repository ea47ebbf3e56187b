"""The table of what the presets cost and bring, from stored results; pure, without Django."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.cost_table import FOLDER, MISSING, Use, uses_of

RESULTS, TABLE = FOLDER / "cost_of_presets", FOLDER / "cost_of_presets.md"
USES = "uses"
ORDER = ("economy", "standard", "rich")

Result = dict[str, Any]

_HEAD = """# Cost of the presets

Written by `python -m benchmarks.cost_of_presets` from the results in `cost_of_presets/`. One
day of Smallville with the answers of the rule-based model; a token is four characters,
and calls and tokens are per agent-day. Billed-equivalent tokens count a cached token half, for
a server that caches as OpenAI does (with schemas) and as vLLM does; see
[the cost of LLM tasks](cost_of_tasks.md). `checks` are those of a whole day
(`tests/support/whole_day.py`) of all agents, `party` and `candidacy` the agents that know the
news at the end of the day, besides the first one.
"""
_COLUMNS = (
    "preset", "seed", "calls", "tokens", "billed, OpenAI", "billed, vLLM", "hours reused",
    "checks", "party", "candidacy", "commit",
)  # fmt: skip


def read_results(folder: Path = RESULTS) -> list[Result]:
    """Return the stored results, the cheapest preset first."""
    found = [json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")]
    return sorted(found, key=lambda one: (one["agents"], ORDER.index(one["preset"])))


def table(results: Sequence[Result]) -> str:
    """Return the tables of the results as Markdown: one for each number of agents."""
    parts = [_HEAD]
    for agents in sorted({one["agents"] for one in results}):
        rows = [_row(one) for one in results if one["agents"] == agents]
        parts += [f"## {agents} agents\n", _line(_COLUMNS), _line(["---"] * len(_COLUMNS))]
        parts += [*rows, ""]
    return "\n".join(parts)


def _row(result: Result) -> str:
    use = sum(uses_of(result, USES).values(), start=Use())
    hours, knowers = result["hours"], result["knowers"]
    passed = result["checks"] - len(result["failed_checks"])
    return _line(
        (
            result["preset"],
            str(result["seed"]),
            f"{use.calls:,.1f}",
            f"{use.tokens:,.0f}",
            f"{use.billed_openai:,.0f}",
            f"{use.billed_vllm:,.0f}",
            f"{hours['reused'] / max(1, hours['planned']):.0%}",
            f"{passed} of {result['checks']}" if result["checks"] else MISSING,
            str(knowers["party"]),
            str(knowers["candidacy"]),
            result["commit"],
        )
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
