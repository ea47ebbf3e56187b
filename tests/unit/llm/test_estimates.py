"""What a run is going to cost, about, and what that rests on."""

from dataclasses import replace
from decimal import Decimal

import pytest

from apps import wiring
from apps.llm.calls.call_log import EMBEDDING
from apps.llm.estimates import Figure, Past, RestsOn, estimate, estimate_calls, measured
from apps.llm.prices import FREE, Price, Prices
from apps.llm.usage import Usage

TASK = "memory.importance"
AGENTS = ("isabella-rodriguez", "klaus-mueller", "maria-lopez")
NOTHING = Past(used={}, agents=AGENTS)
PRICES = Prices(
    chat=Price(prompt=Decimal(2), completion=Decimal(8)), embedding=FREE, embeds_remotely=False
)
FIGURE = Figure(calls=3, prompt_tokens=3_000, completion_tokens=300)


def used(calls: int) -> Usage:
    return Usage(
        calls=calls,
        prompt_tokens=1_000 * calls,
        completion_tokens=100 * calls,
        latency_ms=0,
        cost=Decimal(0),
    )


class TestEstimate:
    def test_rests_on_figures_at_first(self) -> None:
        [line] = estimate([TASK], 10.0, NOTHING, PRICES).lines
        figure = measured()[TASK]
        assert line.rests_on == RestsOn.FIGURES
        assert line.calls == round(10 * figure.calls)
        assert line.prompt_tokens == round(10 * figure.prompt_tokens)
        paid = 2 * line.prompt_tokens + 8 * line.completion_tokens
        assert line.cost == Decimal(paid) / 1_000_000

    def test_believes_own_tokens_when_there_are_enough_calls(self) -> None:
        calls = round(measured()[TASK].calls)
        few = Past(used={TASK: used(9)}, agent_days=0.5, agents=AGENTS)
        enough = Past(used={TASK: used(10)}, agent_days=0.5, agents=AGENTS)
        assert estimate([TASK], 1.0, few, PRICES).lines[0].rests_on == RestsOn.FIGURES
        [line] = estimate([TASK], 1.0, enough, PRICES).lines
        assert line.rests_on == RestsOn.OWN_TOKENS
        assert line.calls == calls
        assert line.prompt_tokens == pytest.approx(1_000 * measured()[TASK].calls, abs=1)

    def test_rests_on_the_own_past_once_a_day_is_lived(self) -> None:
        past = Past(used={TASK: used(600)}, agent_days=3.0, agents=AGENTS)
        [line] = estimate([TASK], 6.0, past, PRICES).lines
        assert (line.rests_on, line.calls, line.prompt_tokens) == (
            RestsOn.OWN_PAST,
            1_200,
            1_200_000,
        )

    def test_expects_the_share_of_cached_tokens_of_the_own_past(self) -> None:
        cached = replace(used(600), cached_prompt_tokens=300_000)
        price = Price(prompt=Decimal(2), completion=Decimal(8), cached_prompt=Decimal(1))
        past = Past(used={TASK: cached}, agent_days=3.0, agents=AGENTS)
        [line] = estimate([TASK], 6.0, past, replace(PRICES, chat=price)).lines
        assert line.cached_prompt_tokens == 600_000
        assert line.billed_equivalent_tokens == 600_000 + 300_000 + line.completion_tokens
        paid = 2 * 600_000 + 600_000 + 8 * line.completion_tokens
        assert line.cost == Decimal(paid) / 1_000_000

    def test_shares_a_task_among_the_models_of_agents(self) -> None:
        own = {"klaus-mueller": FREE, "maria-lopez": FREE, "nobody-here": None}
        shared = replace(PRICES, agents=own)
        [line] = estimate_calls({TASK: FIGURE}, NOTHING, shared).lines
        [of_one] = estimate_calls({TASK: FIGURE}, NOTHING, PRICES).lines
        assert 3 * line.cost == of_one.cost
        assert line.prompt_tokens == of_one.prompt_tokens
        # Without agents, as for a judge of everybody, the model of the task is assumed.
        assert estimate_calls({TASK: FIGURE}, Past(used={}), shared).lines == (of_one,)

    def test_is_priced_if_the_prices_of_its_agents_are_known(self) -> None:
        unknown = replace(PRICES, agents={"maria-lopez": None})
        of_klaus, of_all = (Past(used={}, agents=who) for who in (AGENTS[:2], AGENTS))
        assert estimate_calls({TASK: FIGURE}, of_klaus, unknown).is_priced
        assert not estimate_calls({TASK: FIGURE}, of_all, unknown).is_priced
        assert not estimate([TASK], 1.0, of_all, unknown).is_priced

    def test_names_what_nothing_is_known_of(self) -> None:
        found = estimate([TASK, "dreams.nightmare"], 1.0, NOTHING, PRICES)
        assert found.unmeasured == ("dreams.nightmare",)

    def test_counts_vectors_where_they_are_a_servers(self) -> None:
        remote = Prices(chat=FREE, embedding=Price(prompt=Decimal(1)), embeds_remotely=True)
        lines = estimate([TASK], 1.0, NOTHING, remote).lines
        assert [line.key for line in lines] == [EMBEDDING, TASK]
        assert lines[0].cost > 0


class TestFigures:
    def test_name_only_tasks_that_there_are(self) -> None:
        assert set(measured()) <= {task.name for task in wiring.LLM_TASKS} | {EMBEDDING}
