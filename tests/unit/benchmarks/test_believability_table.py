"""The table of believability, and that the stored ones are up to date."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.believability.table import TABLE, read_results, table

RESULTS = TABLE.with_suffix("")
VERSIONS = ("before", "after")


def result(commit: str, seed: int, *values: float | None) -> dict[str, Any]:
    return {
        "world": "w",
        "seed": seed,
        "days": 2,
        "commit": commit,
        "figures": {"talks": list(values)},
    }


def test_the_table_has_days_as_columns_and_the_mean_of_common_seeds() -> None:
    before = {("w", seed): result("old", seed, 10 * seed, None) for seed in (1, 2, 3)}
    after = {("w", seed): result("new", seed, 1_500.0, 0.5) for seed in (1, 2)}
    text = table(before, after)
    assert "Commit: old → new." in text
    assert "## w, seed 1, 2" in text
    assert "| figure | day 1 | day 2 |" in text
    assert "| talks | 15 → 1,500 | - → 0.5 |" in text
    assert "| talks | 20 | - |" in table(before)


def test_the_table_has_a_section_for_each_world() -> None:
    results = {("w", 1): result("old", 1, 1.0, 2.0), ("v", 1): result("old", 1, 3.0, 4.0)}
    text = table(results)
    assert "## v, seed 1" in text
    assert "| talks | 1 | 2 |" in text
    assert "| talks | 3 | 4 |" in text


def test_the_table_wants_common_simulations() -> None:
    with pytest.raises(ValueError, match="in common"):
        table({("w", 1): result("old", 1, 1, 1)}, {("w", 2): result("new", 2, 1, 1)})


@pytest.mark.parametrize(
    ("written", "prefix"),
    [(TABLE, ""), (TABLE.with_name("believability_of_worlds.md"), "worlds_")],
)
def test_the_stored_table_is_that_of_the_stored_results(written: Path, prefix: str) -> None:
    files = [RESULTS / f"{prefix}{version}.json" for version in VERSIONS]
    stored = [read_results(file) for file in files if file.exists()]
    assert written.read_text("utf-8") == table(*stored)
