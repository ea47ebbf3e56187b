"""A simulation on a server with a prefix cache, and what is recorded of the cache."""

from functools import partial

import pytest

from apps import wiring
from apps.api.operations.metrics import DatabaseMetrics
from apps.llm.calls.queries import costs, spent
from apps.llm.models import ModelCallRow
from apps.memory.llm_tasks.importance import IMPORTANCE, Importances
from apps.metrics.definitions import MODEL_CACHED_TOKENS
from apps.simulation.engine.run_estimates import estimate_run
from tests.model_server.prefix_cache import VLLM
from tests.model_server.prefix_server import PrefixServer
from tests.model_server.server import MODEL
from tests.support.llm_doubles import ScriptedModel
from tests.support.thinking_towns import thinking_town

pytestmark = pytest.mark.django_db(transaction=True)

TEN = 3_600  # in the morning: each task of the first hours was asked often enough
PRICES = {MODEL: {"prompt": "2", "cached_prompt": "0.5", "completion": "8"}}


def counted_cached_tokens() -> float:
    """Return the metric of cached tokens, over all tasks."""
    name = MODEL_CACHED_TOKENS.name
    families = [
        metric for metric in DatabaseMetrics().collect() if name == f"{metric.name}_total"
    ]
    return sum(sample.value for metric in families for sample in metric.samples)


def test_records_what_the_server_had_in_its_cache() -> None:
    open_server = partial(PrefixServer, rules=(VLLM,))
    before = counted_cached_tokens()
    with thinking_town(open_server=open_server, prices=PRICES) as town:
        row = town.live(TEN)
        assert row.committed_tick == TEN, row.reason
        server = town.server
        assert isinstance(server, PrefixServer)
        lines = {line.key.replace(".", "_"): line for line in costs(row.pk)}
        for task, use in server.uses.items():
            line = lines[task]
            assert line.calls == use.calls
            assert line.prompt_tokens == use.input_tokens[VLLM.name]
            assert line.cached_prompt_tokens == use.cached_tokens[VLLM.name]
            assert line.completion_tokens == use.output_tokens
        chats = ModelCallRow.objects.filter(simulation_id=row.pk)
        cached = sum(chats.values_list("cached_prompt_tokens", flat=True))
        used = spent(row.pk)
        assert 0 < cached == used.cached_prompt_tokens < used.prompt_tokens
        assert counted_cached_tokens() == before + cached
        # A cached token costs a quarter of another; each call is rounded to whole tokens.
        billed = used.prompt_tokens - 0.75 * cached + used.completion_tokens
        assert used.billed_equivalent_tokens == pytest.approx(billed, abs=0.5 * len(chats))
        # An estimate of the next day expects the share of the calls so far.
        row.refresh_from_db()
        expected = estimate_run(row, 8_640, wiring.LLM_TASK_NAMES).estimate.total
        assert 0 < expected.cached_prompt_tokens < expected.prompt_tokens


def test_takes_scripted_answers() -> None:
    scripted = ScriptedModel(
        {IMPORTANCE.name: lambda inputs: Importances(importances=(7,) * len(inputs.memories))}
    )
    with thinking_town(agents=1, open_server=PrefixServer, answering=scripted) as town:
        town.live(1)
        [call] = ModelCallRow.objects.filter(simulation_id=town.row.pk)
        assert set(call.answer["importances"]) == {7}
        assert call.prompt_tokens > sum(len(said["content"]) // 4 for said in call.messages)
