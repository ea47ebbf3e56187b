"""The table of the cost of LLM tasks: its sums, and that the stored one is up to date."""

from typing import Any

from benchmarks.cost_table import DIRECT, SERVER, TABLE, Use, read_results, table, uses_of


def result(agents: int, **calls: int) -> dict[str, Any]:
    """Return a result; each call has 1,500 tokens of messages, most of them cached."""
    uses = {
        task: {
            "calls": count,
            "schema_tokens": 500 * count,
            "output_tokens": 100 * count,
            "input_tokens": {"vllm": 1_500 * count, "openai": 2_000 * count},
            "cached_tokens": {"vllm": 1_200 * count, "openai": 1_024 * count},
        }
        for task, count in calls.items()
    }
    return {
        "measured_on": "2026-11-22",
        "commit": "abc",
        "agents": agents,
        "is_same_history": True,
        DIRECT: uses,
        SERVER: uses,
    }


def row(text: str, name: str) -> list[str]:
    """Return the cells of the first row of that name."""
    [found, *_] = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in found.strip("|").split("|")][1:]


class TestTable:
    def test_divides_by_agents(self) -> None:
        assert uses_of(result(4, rating=8), SERVER)["rating"] == Use(
            calls=2,
            messages=3_000,
            schema=1_000,
            output=200,
            cached_openai=2_048,
            cached_vllm=2_400,
        )

    def test_has_a_row_for_each_task_and_their_sum(self) -> None:
        text = table({"before": [result(2, rating=6, planning=2)]})
        assert row(text, "rating") == [
            "3.0", "4,500", "300", "1,500", "75.0%", "51%", "80%"
        ]  # fmt: skip
        assert row(text, "**all**")[:2] == ["4.0", "6,000"]

    def test_weighs_cached_tokens_and_counts_the_schema_where_it_is_input(self) -> None:
        text = table({"before": [result(2, rating=2)]})
        assert row(text, "tokens with schemas") == ["2,100", "2,100", "2,100"]
        assert row(text, "billed-equivalent tokens") == ["1,600", "1,588", "1,000"]

    def test_shows_what_was_before_and_what_is_after(self) -> None:
        text = table({"before": [result(2, rating=6)], "after": [result(2, planning=2)]})
        assert row(text, "rating")[0] == "3.0 → -"
        assert row(text, "planning")[0] == "- → 1.0"
        assert row(text, "**all**")[0] == "3.0 → 1.0"
        assert row(text, "calls") == ["3.0 → 1.0"] * 3

    def test_has_the_mean_of_each_section_where_it_was_measured(self) -> None:
        measured = result(2, rating=4)
        measured[DIRECT]["rating"]["section_tokens"] = {"rules of the task": 40, "memories": 80}
        text = table({"after": [measured]})
        assert "| rating | memories 20, rules of the task 10 |" in text
        assert "by section" not in table({"after": [result(2, rating=4)]})

    def test_says_when_the_histories_differ(self) -> None:
        other = result(2, rating=1) | {"is_same_history": False}
        assert "are not equal" in table({"before": [other]})


def test_the_stored_table_is_that_of_the_stored_results() -> None:
    # `python -m benchmarks.cost_of_tasks --table` writes it again.
    assert TABLE.read_text("utf-8") == table(read_results())
