"""The table of two sets of figures by day, as Markdown; pure, without Django."""

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TABLE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks" / "believability.md"
NOTHING = "-"

Result = dict[str, Any]
Results = Mapping[tuple[str, int], Result]

_HEAD = """# Believability over days

Written by `python -m benchmarks.believability --table` from the logs of simulations with the
rule-based model. A day begins at 3:00. A cell has the value of the day, before the change →
after it where two versions are compared; the mean of the seeds if there are several; a hyphen
where there is nothing to count. The definitions are the docstrings of
`tools/day_figures` and `benchmarks/believability`. What is said, thought and
planned is free text: its rules are lists of English phrases (`word_lists.py` of both). Some
figures were reached by omission of what they count: [which](figures_by_omission.md).
"""


def read_results(path: Path) -> dict[tuple[str, int], Result]:
    """Return the results of a file of JSON lines by world and seed."""
    found = map(json.loads, path.read_text("utf-8").splitlines())
    return {(one["world"], one["seed"]): one for one in found}


def table(*versions: Results) -> str:
    """Return the tables of the simulations that all versions have, one for each world.

    :param versions: the results of one version, or those before and after a change.
    :raises ValueError: if they have no simulation in common.
    """
    both = sorted(set.intersection(*(set(results) for results in versions)))
    if not both:
        raise ValueError("the files have no world and seed in common")
    found = [one for results in versions for one in results.values()]
    commits = dict.fromkeys(one["commit"] for one in found)
    parts = [_HEAD, f"Commit: {' → '.join(commits)}.", ""]
    for world in dict.fromkeys(world for world, _ in both):
        seeds = [seed for of_world, seed in both if of_world == world]
        runs = [[results[world, seed] for seed in seeds] for results in versions]
        parts += [f"## {world}, seed {', '.join(map(str, seeds))}", "", *_rows(runs), ""]
    return "\n".join(parts)


def _rows(runs: Sequence[Sequence[Result]]) -> list[str]:
    """Return the table of one world; `runs` has the simulations of each version."""
    days = min(one["days"] for run in runs for one in run)
    lines = [
        _line(["figure", *(f"day {day + 1}" for day in range(days))]),
        _line(["---"] + ["--:"] * days),
    ]
    names = dict.fromkeys(name for run in runs for one in run for name in one["figures"])
    for name in names:
        values = [[mean_of(run, name, day) for run in runs] for day in range(days)]
        lines.append(_line([name, *(cell(pair) for pair in values)]))
    return lines


def mean_of(run: Sequence[Result], name: str, day: int) -> float | None:
    """Return the mean of the simulations that have the figure on the day."""
    found = [one["figures"].get(name, []) for one in run]
    values = [of[day] for of in found if day < len(of) and of[day] is not None]
    return statistics.mean(values) if values else None


def cell(values: Sequence[float | None]) -> str:
    """Return the values of a day, one for each version: "47 → 99.3"."""
    return " → ".join(map(shown, values))


def shown(value: float | None) -> str:
    """Return the value in few digits."""
    if value is None:
        return NOTHING
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 1_000 else f"{value:,.0f}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
