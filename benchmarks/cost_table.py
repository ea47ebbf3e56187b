"""The table of the cost of LLM tasks, from stored results; pure, without Django."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.model_server.prefix_cache import OPENAI, VLLM

FOLDER = Path(__file__).parent.parent / "docs" / "benchmarks"
RESULTS, TABLE = FOLDER / "cost_of_tasks", FOLDER / "cost_of_tasks.md"
BEFORE, AFTER = "before", "after"
DIRECT, SERVER = "rule_model", "prefix_server"
CACHED_RATIO = 0.5  # apps/llm/prices.py CACHED_PRICE_RATIO_DEFAULT
TOTAL = "**all**"
MISSING = "-"
SECTIONS = "section_tokens"

Result = dict[str, Any]
Uses = dict[str, dict[str, Any]]

_HEAD = """# Cost of LLM tasks

Written by `python -m benchmarks.cost_of_tasks --table` from the results in `cost_of_tasks/`.
One day of Smallville, seed 7, with the answers of the rule-based model; a token is four
characters. All numbers are per agent-day. `input` are the messages, `schema` is the JSON schema
of the answer, which some servers count as input. `cached` is the share of the input that a
server has in its cache, if nothing is evicted:

- like OpenAI: blocks of 128 tokens from 1,024 on; the schema is the beginning of the prompt and
  counts as input;
- like vLLM: blocks of 16 tokens; the schema is no part of the prompt.

A cached token counts half in billed-equivalent tokens, the default where a price is not known.
An arrow stands between before and after. The last table of a number of agents, where it was
measured, has the sections of the prompts by the source of what is quoted.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What one agent uses of one LLM task, or of all, in a day."""

    calls: float = 0.0
    messages: float = 0.0
    schema: float = 0.0
    output: float = 0.0
    cached_openai: float = 0.0
    cached_vllm: float = 0.0

    def __add__(self, other: "Use") -> "Use":
        names = self.__slots__
        return Use(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def tokens(self) -> float:
        """Input and output, without schemas."""
        return self.messages + self.output

    @property
    def share_openai(self) -> float:
        """The cached share of messages and schemas, from 0 to 1."""
        return self.cached_openai / max(1.0, self.messages + self.schema)

    @property
    def share_vllm(self) -> float:
        """The cached share of messages, from 0 to 1."""
        return self.cached_vllm / max(1.0, self.messages)

    @property
    def billed_openai(self) -> float:
        """The billed-equivalent tokens of a server that caches as OpenAI does."""
        return self.tokens + self.schema - (1 - CACHED_RATIO) * self.cached_openai

    @property
    def billed_vllm(self) -> float:
        """The billed-equivalent tokens of a server that caches as vLLM does."""
        return self.tokens - (1 - CACHED_RATIO) * self.cached_vllm


def read_results(folder: Path = RESULTS) -> dict[str, list[Result]]:
    """Return the stored results by name, "before" first, those of few agents first."""
    found: dict[str, list[Result]] = {BEFORE: [], AFTER: []}
    for path in folder.glob("*.json"):
        found[path.stem.rpartition("_")[0]].append(json.loads(path.read_text("utf-8")))
    return {
        name: sorted(results, key=lambda one: int(one["agents"]))
        for name, results in found.items()
        if results
    }


def table(results: Mapping[str, Sequence[Result]]) -> str:
    """Return the tables of all results as Markdown: one for each number of agents."""
    numbers = sorted({int(one["agents"]) for found in results.values() for one in found})
    parts = [_HEAD]
    for number in numbers:
        pair = [
            next((one for one in found if one["agents"] == number), None)
            for found in results.values()
        ]
        parts.append(_section(number, [one for one in pair if one is not None]))
    return "\n".join(parts)


def uses_of(result: Result, way: str) -> dict[str, Use]:
    """Return the uses of a result by LLM task, per agent-day."""
    return {task: _use(values, 1 / result["agents"]) for task, values in result[way].items()}


def _use(values: Mapping[str, Any], share: float) -> Use:
    cached = values["cached_tokens"]
    return Use(
        calls=values["calls"] * share,
        messages=values["input_tokens"][VLLM.name] * share,
        schema=values["schema_tokens"] * share,
        output=values["output_tokens"] * share,
        cached_openai=cached.get(OPENAI.name, 0) * share,
        cached_vllm=cached.get(VLLM.name, 0) * share,
    )


def _section(agents: int, results: Sequence[Result]) -> str:
    measured = ", ".join(f"{one['commit']} on {one['measured_on']}" for one in results)
    same = all(one["is_same_history"] for one in results)
    lines = [
        f"## {agents} agents",
        "",
        f"Commits: {measured}. The log of the rule-based model and that of the server are "
        f"{'equal' if same else 'not equal'}.",
        "",
        "| LLM task | calls | input | output | schema | share of tokens | cached, OpenAI | "
        "cached, vLLM |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        *_rows([uses_of(one, SERVER) for one in results]),
        "",
        "| total | rule-based model | server like OpenAI | server like vLLM |",
        "|---|--:|--:|--:|",
        *_totals(results),
        "",
        *_section_lines(results[-1]),
    ]
    return "\n".join(lines)


def _section_lines(result: Result) -> list[str]:
    """Return the mean tokens of the sections of each task's prompts, the longest first.

    Early results have none.
    """
    rows = []
    for task, values in result[DIRECT].items():
        tokens: Mapping[str, int] = values.get(SECTIONS, {})
        longest = sorted(tokens.items(), key=lambda one: -one[1])
        means = [(name, count / values["calls"]) for name, count in longest]
        rows.append(f"| {task} | {', '.join(f'{name} {mean:,.0f}' for name, mean in means)} |")
    if not any(values.get(SECTIONS) for values in result[DIRECT].values()):
        return []
    return ["| LLM task | tokens of a prompt by section |", "|---|---|", *rows, ""]


def _rows(columns: Sequence[Mapping[str, Use]]) -> list[str]:
    sums = [sum(column.values(), start=Use()) for column in columns]
    tasks = sorted(
        {task for column in columns for task in column},
        key=lambda task: -max(column[task].tokens for column in columns if task in column),
    )
    rows = [_row(task, [column.get(task) for column in columns], sums) for task in tasks]
    return [*rows, _row(TOTAL, sums, sums)]


def _row(task: str, uses: Sequence[Use | None], sums: Sequence[Use]) -> str:
    shares = [
        None if use is None else use.tokens / max(1.0, total.tokens)
        for use, total in zip(uses, sums, strict=True)
    ]
    cells = [
        _arrow(f"{use.calls:,.1f}" if use else None for use in uses),
        *(
            _arrow(f"{getattr(use, name):,.0f}" if use else None for use in uses)
            for name in ("messages", "output", "schema")
        ),
        _arrow(None if share is None else f"{share:.1%}" for share in shares),
        _arrow(f"{use.share_openai:.0%}" if use else None for use in uses),
        _arrow(f"{use.share_vllm:.0%}" if use else None for use in uses),
    ]
    return f"| {task} | {' | '.join(cells)} |"


def _totals(results: Sequence[Result]) -> list[str]:
    direct, server = (
        [sum(uses_of(one, way).values(), start=Use()) for one in results]
        for way in (DIRECT, SERVER)
    )
    both = ("calls", ".1f"), ("tokens", ".0f")
    rows = [
        (name, *(_arrow(f"{getattr(use, name):,{form}}" for use in uses) for uses in columns))
        for name, form in both
        for columns in [(direct, server, server)]
    ]
    with_schemas = [
        _arrow(f"{use.tokens + use.schema:,.0f}" for use in uses) for uses in (direct, server)
    ]
    rows.append(("tokens with schemas", *with_schemas, with_schemas[1]))
    rows.append(
        (
            "cached share of input",
            MISSING,
            _arrow(f"{use.share_openai:.1%}" for use in server),
            _arrow(f"{use.share_vllm:.1%}" for use in server),
        )
    )
    rows.append(
        (
            "billed-equivalent tokens",
            _arrow(f"{use.tokens:,.0f}" for use in direct),
            _arrow(f"{use.billed_openai:,.0f}" for use in server),
            _arrow(f"{use.billed_vllm:,.0f}" for use in server),
        )
    )
    return [f"| {' | '.join(row)} |" for row in rows]


def _arrow(cells: Iterable[str | None]) -> str:
    return " → ".join(MISSING if cell is None else cell for cell in cells)
