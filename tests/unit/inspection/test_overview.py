"""The cost of a simulation by LLM task, from the totals of its calls."""

from decimal import Decimal

from apps.inspection.overview import costs_by_task
from apps.metrics.totals import ModelCallCount


def counted(task: str, outcome: str, *, calls: int, tokens: int) -> ModelCallCount:
    return ModelCallCount(
        server="openai",
        model="a-model",
        task=task,
        outcome=outcome,
        retries=1,
        prompt_tokens=tokens,
        completion_tokens=10,
        cost=Decimal("0.25"),
        calls=calls,
    )


class TestCostsByTask:
    def test_are_summed_over_outcomes_the_greatest_first(self) -> None:
        total, by_task = costs_by_task(
            [
                counted("dialogue.utterance", "valid", calls=7, tokens=700),
                counted("dialogue.utterance", "repaired", calls=1, tokens=100),
                counted("dialogue.utterance", "fell_back", calls=1, tokens=100),
                counted("dialogue.utterance", "server-error", calls=1, tokens=0),
                counted("planning.day_outline", "adjusted", calls=2, tokens=2_000),
            ]
        )
        outline, utterances = by_task
        assert (outline["task"], utterances["task"]) == (
            "planning.day_outline",
            "dialogue.utterance",
        )
        counts = [utterances[name] for name in ("calls", "repaired", "fell_back", "failed")]
        assert counts == [10, 1, 1, 1]
        assert utterances["tokens"] == 940
        assert [total[name] for name in ("calls", "retries", "cost")] == [
            12,
            5,
            Decimal("1.25"),
        ]

    def test_count_no_embedding_as_failed(self) -> None:
        total, _ = costs_by_task([counted("embedding", "embedded", calls=3, tokens=30)])
        assert (total["calls"], total["failed"]) == (3, 0)
