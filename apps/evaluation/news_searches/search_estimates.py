"""Estimates of the cost of a news search, before it is requested (L5)."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apps import history
from apps.evaluation.news_searches.llm_tasks import NEWS_VERIFICATION
from apps.evaluation.news_searches.verification import CALLS_MAX
from apps.llm.estimates import CALLS_MIN, RestsOn
from apps.llm.prices import FREE, Price

FIGURES = (1_368, 57)
"""The mean tokens of a prompt and of an answer, and below the calls for an agent: measured with
the rule-based model on November 26, 2026, for two pieces of news and eight agents on an evening
(docs/benchmarks/news_search.md)."""
CALLS_PER_AGENT = 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEstimate:
    """The expected calls, tokens and cost of a search, and the most calls that it can make."""

    agents: int
    calls: int
    calls_max: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal
    rests_on: RestsOn


def estimate_news_search(
    agents: int, price: Price | None, *, simulation_id: UUID | None = None
) -> SearchEstimate:
    """Return the estimate for a number of agents.

    The tokens of a call are the mean of the simulation's own calls of the task, once there are
    CALLS_MIN of them, else the figures. An agent that knows the news needs a second call, which
    searches its memories from before the first that was found.
    """
    calls = round(agents * CALLS_PER_AGENT)
    rests_on, (prompt, completion) = RestsOn.FIGURES, FIGURES
    lines = [] if simulation_id is None else history.costs(simulation_id)
    for line in lines:
        if line.key == NEWS_VERIFICATION.name and line.calls >= CALLS_MIN:
            rests_on = RestsOn.OWN_TOKENS
            prompt = round(line.prompt_tokens / line.calls)
            completion = round(line.completion_tokens / line.calls)
    return SearchEstimate(
        agents=agents,
        calls=calls,
        calls_max=agents * CALLS_MAX,
        prompt_tokens=calls * prompt,
        completion_tokens=calls * completion,
        cost=(price or FREE).cost(
            prompt_tokens=calls * prompt,
            cached_prompt_tokens=0,
            completion_tokens=calls * completion,
        ),
        rests_on=rests_on,
    )
