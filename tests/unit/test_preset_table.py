"""The table of the presets: its figures and order, and that the stored one is up to date."""

from typing import Any

from benchmarks.preset_table import TABLE, USES, read_results, table


def result(preset: str, agents: int = 2) -> dict[str, Any]:
    """Return a result of two calls of 1,500 tokens of messages each."""
    use = {
        "calls": 2,
        "schema_tokens": 1_000,
        "output_tokens": 200,
        "input_tokens": {"vllm": 3_000},
        "cached_tokens": {"vllm": 2_400, "openai": 2_048},
    }
    return {
        "preset": preset,
        "commit": "abc",
        "agents": agents,
        "seed": 31,
        USES: {"planning": use},
        "hours": {"planned": 40, "reused": 10},
        "checks": 21,
        "failed_checks": ["sleep at night"],
        "knowers": {"party": 5, "candidacy": 3},
    }


class TestTable:
    def test_has_what_a_day_costs_and_brings(self) -> None:
        [line] = [
            line for line in table([result("economy")]).splitlines() if "| economy |" in line
        ]
        assert [cell.strip() for cell in line.strip("|").split("|")] == [
            "economy", "31", "1.0", "1,600", "1,588", "1,000", "25%", "20 of 21", "5", "3",
            "abc",
        ]  # fmt: skip

    def test_separates_numbers_of_agents(self) -> None:
        text = table([result("rich", 3), result("rich", 25)])
        assert text.index("## 3 agents") < text.index("## 25 agents")

    def test_is_written_from_the_stored_results(self) -> None:
        assert TABLE.read_text("utf-8") == table(read_results())
