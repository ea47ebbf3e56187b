"""The outcomes of a simulation's calls, and the order of its costs."""

from decimal import Decimal

from apps.inspection.overview import most_costly_first, outcomes_of
from apps.llm.usage import UsageLine
from apps.metrics.totals import ModelCallCount


def counted(task: str, outcome: str, calls: int) -> ModelCallCount:
    return ModelCallCount(
        server="openai",
        model="a-model",
        task=task,
        outcome=outcome,
        retries=1,
        prompt_tokens=100,
        completion_tokens=10,
        cost=Decimal("0.25"),
        calls=calls,
    )


class TestOutcomes:
    def test_are_counted_and_fallbacks_by_task(self) -> None:
        found = outcomes_of(
            [
                counted("dialogue.utterance", "valid", 7),
                counted("dialogue.utterance", "repaired", 1),
                counted("dialogue.utterance", "fell_back", 2),
                counted("dialogue.utterance", "server-error", 1),
                counted("planning.day_outline", "fell_back", 3),
                counted("embedding", "embedded", 3),
            ]
        )
        assert (found.calls["repaired"], found.calls["fell_back"]) == (1, 5)
        assert found.fell_back == {"dialogue.utterance": 2, "planning.day_outline": 3}
        assert (found.failed, found.retries) == (1, 6)


def test_the_most_costly_come_first_then_those_with_most_tokens() -> None:
    lines = [
        UsageLine(key="offline", prompt_tokens=900),
        UsageLine(key="local:small", prompt_tokens=1_000),
        UsageLine(key="openai:mini", prompt_tokens=10, cost=Decimal("0.1")),
    ]
    keys = [line.key for line in most_costly_first(lines)]
    assert keys == ["openai:mini", "local:small", "offline"]
