"""A budget that is reached pauses the town; nothing is lost (L5)."""

from decimal import Decimal

import pytest
from django.test import override_settings

from apps import wiring
from apps.eventlog.rebuild import check
from apps.llm.calls.budget import Budget
from apps.llm.calls.queries import spent
from apps.llm.models import BudgetRow
from apps.llm.prices import FREE, PriceUnknown
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import run_until_rest
from apps.simulation.engine.lifecycle import StillRunning
from apps.simulation.models import Status
from tests.model_server.server import EMBEDDING_MODEL, MODEL, TOKENS_PER_ANSWER
from tests.support.thinking_towns import MANNER, thinking_town
from tests.support.towns import found, history_of

pytestmark = pytest.mark.django_db(transaction=True)

EIGHT = 2_880  # in the morning: all three are up and have planned their days


def test_a_budget_pauses_the_town_and_a_larger_one_lets_it_go_on() -> None:
    with thinking_town() as undisturbed:
        expected = undisturbed.live(EIGHT)
        assert expected.committed_tick == EIGHT, expected.reason
        whole = spent(undisturbed.row.pk)
    used_in_all = whole.prompt_tokens + whole.completion_tokens

    # Half of what the night and the morning need: the town stops in the middle.
    with thinking_town(budget=Budget(tokens=used_in_all // 2)) as town:
        stopped = town.live(EIGHT)
        used = spent(town.row.pk)
        tokens = used.prompt_tokens + used.completion_tokens
        assert stopped.status == Status.PAUSED
        assert stopped.reason == (
            f"the budget of {used_in_all // 2:,} tokens is spent: {tokens:,}; raise it and "
            "run again"
        )
        # Overspent by no more than what was under way: four threads, eight calls a mind.
        under_way = MANNER.threads * 8 * TOKENS_PER_ANSWER
        assert used_in_all // 2 <= tokens < used_in_all // 2 + under_way
        kept = BudgetRow.objects.get(simulation_id=town.row.pk)
        assert kept.tokens == tokens

        # Running again without raising it stops again, and costs nothing.
        assert town.live(EIGHT).reason == stopped.reason
        assert spent(town.row.pk) == used

        # With a larger one the town goes on, and no call is paid twice.
        lifecycle.change_budget(town.row.pk, Budget(tokens=2 * used_in_all))
        row = town.live(EIGHT)
        assert row.committed_tick == EIGHT, row.reason
        assert len(town.chats) == len(undisturbed.chats)
        assert town.tries_on_record == len(town.server.requests)
        assert spent(town.row.pk).prompt_tokens == whole.prompt_tokens
        assert history_of(row.pk) == history_of(expected.pk)
        assert check(wiring.event_store(), row.pk).problems == ()


def test_a_budget_may_be_of_money() -> None:
    dear = {MODEL: {"prompt": "1000", "completion": "0"}, EMBEDDING_MODEL: {"embedding": "0"}}
    with thinking_town(budget=Budget(money=Decimal("0.05")), prices=dear) as town:
        row = town.live(EIGHT)
        assert row.status == Status.PAUSED
        assert row.reason.startswith("the budget of 0.05 is spent: 0.")


def test_a_budget_of_money_needs_prices() -> None:
    with (
        pytest.raises(
            PriceUnknown, match=rf"of '{MODEL}' and '{EMBEDDING_MODEL}'.*MODEL_PRICES"
        ),
        thinking_town(budget=Budget(money=Decimal(1))),
    ):
        pass
    with thinking_town(prices={MODEL: {"prompt": "1"}}) as town:
        with pytest.raises(PriceUnknown, match=f"of '{EMBEDDING_MODEL}'"):
            lifecycle.change_budget(town.row.pk, Budget(money=Decimal(1)))
        lifecycle.change_budget(town.row.pk, Budget(tokens=10))
        assert BudgetRow.objects.get(simulation_id=town.row.pk).money_max is None


def test_a_price_that_is_taken_away_stops_a_budget_of_money() -> None:
    priced = {MODEL: {"prompt": "1"}, EMBEDDING_MODEL: {"embedding": "0"}}
    with thinking_town(budget=Budget(money=Decimal(1)), prices=priced) as town:
        chat_unpriced = override_settings(MODEL_PRICES={EMBEDDING_MODEL: FREE})
        with chat_unpriced, pytest.raises(PriceUnknown):
            lifecycle.request_run(town.row.pk, until_tick=EIGHT)
        # Its price may also go while it runs: the next call is not made.
        lifecycle.request_run(town.row.pk, until_tick=EIGHT)
        with override_settings(MODEL_PRICES={}):
            run_until_rest(town.ports, town.row.pk, town.manner)
        row = queries.get_simulation(town.row.pk)
        assert (row.status, town.chats) == (Status.PAUSED, [])
        assert "needs the price" in row.reason


def test_a_model_that_is_not_offered_any_more_is_not_asked() -> None:
    with thinking_town() as town:
        lifecycle.request_run(town.row.pk, until_tick=EIGHT)
        with override_settings(MODELS_ALLOWED=["other:model"]):
            run_until_rest(town.ports, town.row.pk, town.manner)
        row = queries.get_simulation(town.row.pk)
        assert (row.status, town.chats) == (Status.PAUSED, [])
        refused = (
            f"the model 'test:{MODEL}' is not offered here; there are: offline, other:model"
        )
        assert row.reason.endswith(refused)


def test_the_rule_model_keeps_to_a_budget_too() -> None:
    row = found(agents=("Isabella Rodriguez",))
    lifecycle.change_budget(row.pk, Budget(tokens=5_000))
    lifecycle.request_run(row.pk, until_tick=EIGHT)
    run_until_rest(wiring.ports(), row.pk, MANNER)
    row.refresh_from_db()
    assert row.reason.startswith("the budget of 5,000 tokens is spent: ")


def test_a_town_at_work_keeps_its_budget() -> None:
    row = found(agents=("Isabella Rodriguez",))
    lifecycle.request_run(row.pk, ticks=6)
    with pytest.raises(StillRunning, match="change its budget"):
        lifecycle.change_budget(row.pk, Budget(tokens=5_000))
