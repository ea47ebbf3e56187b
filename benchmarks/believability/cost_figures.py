"""The cost of each day: calls, tokens, sizes of prompts, and CPU where it is known."""

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from apps.evaluation.quality.days import Days, Series
from tools.day_figures.daily_shares import mean
from tools.day_figures.run_record import REACTION, UTTERANCE, RunRecord

SIZED = (
    UTTERANCE,
    REACTION,
    "planning.day_outline",
    "planning.hour_actions",
    "reflection.insights",
)
_LARGE = 20  # the 19th of 20 quantiles is the 95th percentile


def cost_figures(run: RunRecord) -> Series:
    """Return calls and tokens of turns by day; interviews are left out."""
    days = run.days.split(run.calls, lambda call: call.tick)
    sizes = [[call.prompt_tokens for call in day] for day in days]
    figures: Series = {
        "model calls": [len(day) for day in days],
        "tokens, thousands": [
            round(sum(call.prompt_tokens + call.completion_tokens for call in day) / 1_000, 1)
            for day in days
        ],
        "tokens of a prompt, mean": [mean(day, 0) for day in sizes],
        "tokens of a prompt, 95th percentile": [large(day) for day in sizes],
    }
    for task in SIZED:
        figures[f"tokens of a prompt of {task}, mean"] = [
            mean([call.prompt_tokens for call in day if call.task == task], 0) for day in days
        ]
    return figures


def large(values: Sequence[int]) -> float | None:
    """Return the 95th percentile, None of fewer than two values."""
    if len(values) < 2:
        return None
    return round(statistics.quantiles(values, n=_LARGE)[-1])


def cpu_figures(reports: Sequence[dict[str, Any]], simulation_id: UUID, days: Days) -> Series:
    """Return the CPU seconds of each day from the reports of `manage.py simulate`.

    The days of a simulation have a figure each if it was run day by day (`--until`, then
    `--continue`): a report that ends at 3:00 gives the CPU since the one before.
    """
    seconds: list[float | None] = [None] * days.count
    tick, used = 0, 0.0
    ends = {days.begins(day + 1): day for day in range(days.count)}
    for report in reports:
        if report["simulation"] != str(simulation_id):
            continue
        tick += report["ticks"]
        used += report["cpu_seconds"]
        if tick in ends:
            seconds[ends[tick]], used = round(used, 1), 0.0
    return {"CPU of Python, seconds": seconds}


def read_reports(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the reports in outputs of `manage.py simulate`, in order."""
    lines = (line for path in paths for line in path.read_text("utf-8").splitlines())
    return [json.loads(line) for line in lines if line.startswith('{"simulation"')]
