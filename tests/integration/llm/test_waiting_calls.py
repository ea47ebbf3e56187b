"""Calls that can wait are made in the cheaper tier of their server, or in its batches."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.test import override_settings

from apps import wiring
from apps.llm.models import ModelCallRow
from apps.llm.servers.configuration import Server
from apps.simulation.engine.in_process import run_until_rest
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState
from tests.model_server.server import PROMPT_TOKENS, TOKENS_PER_ANSWER, ModelServer
from tests.support.towns import EIGHT_THREADS, found
from tests.support.work_of_kinds import REQUESTS, survey

pytestmark = pytest.mark.django_db(transaction=True)

SHARE = Decimal("0.5")
TIER = {"service_tier": "flex", "service_tier_share": SHARE}
BATCHES = {"batches": True, "batch_look_seconds": 0.001, "service_tier": ""}
STEPS_MAX = 10


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Yield a server whose model understands nothing."""
    with ModelServer(lambda _body: "I am not sure what you mean.") as running:
        yield running


@pytest.fixture
def own(server: ModelServer) -> Server:
    """Return it as the settings have it."""
    price = {"prompt": 1_000, "completion": 0}
    return server.as_server(name="own", embedding_server="offline", price=price, **TIER)


def prepared(own: Server) -> SimulationRow:
    """Return a simulation that thinks with the server, whose agent has its seed memories."""
    spec = {"server": "own", "chat_model": own.chat_model}
    row = found(model=spec, agents=("Isabella Rodriguez",))
    run_until_rest(wiring.ports(), row.pk, EIGHT_THREADS)
    return row


def test_seed_ratings_and_surveys_take_the_cheaper_tier(
    server: ModelServer, own: Server
) -> None:
    with override_settings(MODEL_SERVERS={"own": own}):
        row = prepared(own)
        ratings = len(server.requests)
        assert survey(row).take()
    assert 0 < ratings < len(server.requests)
    assert {body.get("service_tier") for body in server.requests} == {"flex"}


@pytest.mark.parametrize("kind", ["survey", "ranking", "news-search"])
def test_evaluations_are_sent_in_batches(server: ModelServer, own: Server, kind: str) -> None:
    with override_settings(MODEL_SERVERS={"own": own}):
        work = REQUESTS[kind](prepared(own))
    asked, recorded = len(server.requests), ModelCallRow.objects.count()
    with override_settings(MODEL_SERVERS={"own": own.model_copy(update=BATCHES)}):
        for _ in range(STEPS_MAX):
            if work.state == WorkState.DONE:
                break
            assert work.take()
            work.row.refresh_from_db()
    assert work.state == WorkState.DONE
    assert len(server.requests) == asked, "no call was made outside of the batches"
    calls = list(ModelCallRow.objects.order_by("pk")[recorded:])
    lines = len(server.batches.lines)
    assert calls
    assert lines == sum(len(call.attempts) for call in calls)
    assert sum(call.cost for call in calls) == lines * PROMPT_TOKENS * SHARE / 1_000
    used = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    summaries = 0 if kind != "ranking" else 2 * TOKENS_PER_ANSWER  # that the survey has made
    assert work.row.tokens == used + summaries
