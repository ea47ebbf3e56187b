"""Towns that think over real HTTP: the server's right answers are the rule model's.

Everything is real but the words: town, gateway, call_log, adapter, HTTP. A request's seed tells
the server which answer is right, so it must be sent.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.test import override_settings

from apps import wiring
from apps.llm.calls.budget import Budget
from apps.llm.model_spec import ModelSpec
from apps.llm.models import EmbeddingCallRow, EmbeddingRow, ModelCallRow, ModelFailureRow
from apps.llm.opening import Models
from apps.llm.port import ChatModel, Completion, Request
from apps.llm.servers.configuration import read_prices
from apps.rule_model.model import RuleModel
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from tests.model_server.server import EMBEDDING_MODEL, AnswerFunction, ModelServer
from tests.support.rules import TASK_RULES

TOWN_NAME = "thinks over HTTP, for a test"
MANNER = RunOptions(threads=4)
PEOPLE = ("Isabella Rodriguez", "Klaus Mueller", "Maria Lopez")


class ToldBeforehand:
    """Asks the model behind it, having told the server what the rule model would say."""

    remote = True

    def __init__(self, inner: ChatModel, rule_model: ChatModel, right: dict[int, str]) -> None:
        self._inner = inner
        self._rule_model = rule_model
        self._right = right
        self.server = inner.server
        self.name = inner.name

    def complete(self, request: Request) -> Completion:
        self._right[request.seed] = self._rule_model.complete(request).text
        return self._inner.complete(request)


@dataclass(frozen=True, kw_only=True)
class ThinkingTown:
    """A town and the server that it thinks with."""

    row: SimulationRow
    server: ModelServer
    ports: Ports
    manner: RunOptions = MANNER

    def live(self, until_tick: int) -> SimulationRow:
        """Run until the town rests: there, or where something paused it."""
        lifecycle.request_run(self.row.pk, until_tick=until_tick)
        run_until_rest(self.ports, self.row.pk, self.manner)
        return queries.get_simulation(self.row.pk)

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The chat requests that the server has taken."""
        return [body for body in self.server.requests if "messages" in body]

    @property
    def embeddings(self) -> list[dict[str, Any]]:
        """The embedding requests that the server has taken."""
        return [body for body in self.server.requests if "input" in body]

    @property
    def tries_on_record(self) -> int:
        """How many requests the call log tells of, those that brought nothing too."""
        kept = []
        for table in (ModelCallRow, ModelFailureRow):
            rows = table._default_manager.filter(simulation_id=self.row.pk)
            kept += [
                attempt for row in rows.values_list("attempts", flat=True) for attempt in row
            ]
        embedded = EmbeddingCallRow.objects.filter(simulation_id=self.row.pk)
        setbacks = embedded.values_list("setbacks", flat=True)
        return sum(map(_tries, kept)) + sum(1 + len(said) for said in setbacks)


def _tries(attempt: dict[str, Any]) -> int:
    answered = 1 if "latency_ms" in attempt else 0
    return answered + len(attempt.get("setbacks", ()))


@contextmanager
def thinking_town(
    agents: tuple[str, ...] | int | None = PEOPLE,
    *,
    budget: Budget | None = None,
    prices: Mapping[str, Mapping[str, str]] | None = None,
    manner: RunOptions = MANNER,
    open_server: Callable[[AnswerFunction], ModelServer] = ModelServer,
    answering: ChatModel | None = None,
    model: Mapping[str, object] | None = None,
    **settings: Any,
) -> Iterator[ThinkingTown]:
    """Give a newly founded town; `settings` are the server's, "test", which is its `model`.

    The server gives the answers of `answering`, a scripted model for example; by default those
    of the rule-based model.
    """
    right: dict[int, str] = {}
    with open_server(lambda body: right[body["seed"]]) as server:
        named = server.as_server(**settings)
        priced = read_prices(json.dumps(prices or {}))
        founding = SimulationSpec(
            name=TOWN_NAME,
            world="smallville",
            seed=7,
            agents=agents,
            model=ModelSpec.model_validate(dict(model)) if model else named.name,
            budget=budget,
        )
        with override_settings(MODEL_SERVERS={named.name: named}, MODEL_PRICES=priced):
            # Vectors are shared by all towns: here nobody has said anything before.
            EmbeddingRow.objects.filter(model=EMBEDDING_MODEL).delete()
            ports = replace(wiring.ports(), open_models=partial(_open_models, right, answering))
            row = lifecycle.create_simulation(ports, founding)
            yield ThinkingTown(row=row, server=server, ports=ports, manner=manner)


def _open_models(
    right: dict[int, str], answering: ChatModel | None, spec: ModelSpec, seed: int
) -> Models:
    models = wiring.models_of(spec, seed)
    answering = answering or RuleModel(TASK_RULES, seed=seed)

    def told(chat: ChatModel) -> ChatModel:
        return ToldBeforehand(chat, answering, right) if chat.remote else chat

    tasks = {of: replace(one, chat=told(one.chat)) for of, one in models.tasks.items()}
    agents = {of: replace(one, chat=told(one.chat)) for of, one in models.agents.items()}
    return replace(models, chat=told(models.chat), tasks=tasks, agents=agents)
