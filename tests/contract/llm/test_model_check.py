"""What `check_model` says of servers with known faults, and how to correct each."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from apps.llm.model_spec import UnknownModel
from apps.llm.port import ModelUnavailable
from apps.llm.prices import FREE
from apps.llm.servers.configuration import Server
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.simulation.engine.model_check import (
    MEMORIES,
    Capability,
    ModelCheck,
    Works,
    check_model,
)
from tests.model_server.example import request
from tests.model_server.faults import BEYOND_CONTEXT, NONSENSE, Body, Delay, Fault, Status, busy
from tests.model_server.prefix_server import PrefixServer
from tests.model_server.server import MODEL

NOWHERE = "http://127.0.0.1:9/v1"
TASKS = ("memory.importance", "planning.day_outline")
LONG_CHARACTERS, CONTEXT_TOKENS = 20_000, 4_096
FIRST_OF_SEVERAL = 5
NO_DEPLOYMENT = Status(
    404, "The API deployment for this resource does not exist", code_word="DeploymentNotFound"
)


def ratings(_body: dict[str, Any]) -> str:
    """Answer the question of the check."""
    return json.dumps({"importances": [3] * len(MEMORIES)})


class CuttingServer(PrefixServer):
    """A server that reads a part of a prompt that is too long, silently, as Ollama does."""

    def usage_of(self, body: dict[str, Any], content: str) -> dict[str, Any]:
        usage = super().usage_of(body, content)
        return usage | {"prompt_tokens": min(CONTEXT_TOKENS, usage["prompt_tokens"])}


Change = Callable[[PrefixServer], None]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A server with a fault; by capability, whether it works and what corrects it."""

    name: str
    finds: dict[Capability, tuple[Works, str]]
    change: Change = lambda _: None
    settings: dict[str, Any] = field(default_factory=dict)
    kind: type[PrefixServer] = PrefixServer


def refuses(*names: str) -> Change:
    return lambda server: server.refused_parameters.update(names)


def goes_wrong(when: Callable[[PrefixServer, dict[str, Any]], bool], fault: Fault) -> Change:
    """Return the change to a server that answers some requests with a fault."""

    def change(server: PrefixServer) -> None:
        server.quirk = lambda body: fault if when(server, body) else None

    return change


def answers_another(server: PrefixServer) -> None:
    numbers = count(1)
    server.answer = lambda _: json.dumps({"importances": [1 + next(numbers) % 9] * 8})


def takes_no_schema(server: PrefixServer) -> None:
    server.takes_schema = False


def counts_no_tokens(server: PrefixServer) -> None:
    server.reports_usage = False


def embeds_in_eight_numbers(server: PrefixServer) -> None:
    server.dimensions = 8


def is_long(_server: PrefixServer, body: dict[str, Any]) -> bool:
    return len(str(body.get("messages"))) > LONG_CHARACTERS


def is_chat(_server: PrefixServer, body: dict[str, Any]) -> bool:
    return "messages" in body


def has_no_tool(_server: PrefixServer, body: dict[str, Any]) -> bool:
    return "messages" in body and "tools" not in body


def is_first_of_several(server: PrefixServer, _body: dict[str, Any]) -> bool:
    return len(server.requests) == FIRST_OF_SEVERAL


YES, NO, UNKNOWN = Works.YES, Works.NO, Works.UNKNOWN
CASES = (
    Case(
        name="all is well",
        finds=dict.fromkeys(Capability, (YES, "")),
        settings={"price": FREE},
    ),
    Case(name="no price", finds={Capability.PRICE: (NO, "price: {prompt: 0.15")}),
    Case(
        name="wrong key",
        finds={
            Capability.CHAT: (NO, "api_key: {variable: NAME}, with another key"),
            Capability.TYPED: (UNKNOWN, ""),
            Capability.PARALLEL: (UNKNOWN, ""),
            Capability.EMBEDDING: (NO, "api_key: {variable: NAME}"),
        },
        settings={"api_key": "wrong"},
    ),
    Case(
        name="wrong address",
        finds={
            Capability.CHAT: (NO, f"base_url: where the server listens, if not at {NOWHERE}")
        },
        settings={"base_url": NOWHERE},
    ),
    Case(
        name="no answer in time",
        finds={Capability.CHAT: (NO, "timeout_seconds: 2")},
        change=goes_wrong(is_chat, Delay(30)),
        settings={"timeout_seconds": 0.2},
    ),
    Case(
        name="another page at this address",
        finds={Capability.CHAT: (NO, "base_url: where the server listens")},
        change=goes_wrong(is_chat, Body("<html>hello</html>", "text/html")),
    ),
    Case(
        name="an error of its own that has the words of a failed connection",
        finds={Capability.CHAT: (NO, "")},
        change=goes_wrong(is_chat, Status(502, "the upstream connection failed")),
    ),
    Case(
        name="wrong model",
        finds={Capability.CHAT: (NO, f"chat_model: {MODEL}")},
        settings={"chat_model": "gpt-9"},
    ),
    Case(
        name="no deployment of that name (Azure)",
        finds={Capability.CHAT: (NO, f"chat_model: {MODEL}")},
        change=goes_wrong(is_chat, NO_DEPLOYMENT),
        settings={"preset": "azure"},
    ),
    Case(
        name="a limit under another name (Azure)",
        finds={Capability.CHAT: (YES, "token_limit: max_completion_tokens")},
        change=refuses("max_tokens"),
    ),
    Case(
        name="no schema",
        finds={Capability.TYPED: (YES, "schema: prompt")},
        change=takes_no_schema,
    ),
    Case(
        name="types the calls of tools only",
        finds={Capability.TYPED: (NO, "schema: tool")},
        change=goes_wrong(has_no_tool, NONSENSE),
    ),
    Case(
        name="no typed answer at all",
        finds={Capability.TYPED: (NO, "")},
        change=goes_wrong(is_chat, NONSENSE),
    ),
    Case(
        name="refuses a seed",
        finds={Capability.SEED: (NO, "seed: none")},
        change=refuses("seed"),
    ),
    Case(name="ignores a seed", finds={Capability.SEED: (NO, "")}, change=answers_another),
    Case(
        name="cuts a long prompt (Ollama)",
        finds={Capability.LONG: (NO, "OLLAMA_CONTEXT_LENGTH")},
        settings={"preset": "ollama"},
        kind=CuttingServer,
    ),
    Case(
        name="refuses a long prompt",
        finds={
            Capability.LONG: (NO, "prompt_form"),
            Capability.CACHE: (UNKNOWN, ""),
            Capability.PARALLEL: (YES, ""),
        },
        change=goes_wrong(is_long, BEYOND_CONTEXT),
    ),
    Case(
        name="counts no tokens",
        finds={Capability.LONG: (UNKNOWN, ""), Capability.CACHE: (UNKNOWN, "--enable-prompt")},
        change=counts_no_tokens,
        settings={"preset": "vllm"},
    ),
    Case(
        name="limits the rate",
        finds={Capability.PARALLEL: (NO, "calls_at_once_max: 2")},
        change=goes_wrong(is_first_of_several, busy()),
    ),
    Case(
        name="vectors of another length",
        finds={Capability.EMBEDDING: (NO, "embedding_dimensions: 8")},
        change=embeds_in_eight_numbers,
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_finds_what_does_not_work_and_the_line_that_corrects_it(
    case: Case, settings: Settings
) -> None:
    with case.kind(ratings) as server:
        server.pages["/v1/models"] = json.dumps({"object": "list", "data": [{"id": MODEL}]})
        case.change(server)
        own = server.as_server(**{"name": "own", "retries": 0, **case.settings})
        settings.MODEL_SERVERS = {"own": own}
        found = by_capability(check_model("own", TASKS))
    for capability, (works, fix) in case.finds.items():
        assert found[capability].works is works, found[capability]
        assert fix in found[capability].fix
        assert bool(fix) == bool(found[capability].fix), found[capability]


def by_capability(found: ModelCheck) -> dict[Capability, Any]:
    assert [one.capability for one in found.capabilities] == list(Capability)
    return {one.capability: one for one in found.capabilities}


def test_tells_speed_and_the_cost_of_a_day(settings: Settings) -> None:
    with PrefixServer(ratings) as server:
        settings.MODEL_SERVERS = {"own": server.as_server(name="own", price={"prompt": 2})}
        settings.MODEL_PRICES = {}
        found = check_model("own", TASKS)
    assert found.prompt_tokens_per_second
    assert found.answer_tokens_per_second
    assert found.day_minutes
    assert found.day.calls > 0
    assert found.is_priced
    assert found.day.cost * 1_000_000 == 2 * found.day.prompt_tokens
    assert found.tokens_used > 2 * CONTEXT_TOKENS


def test_the_rule_based_model_needs_no_check() -> None:
    with pytest.raises(UnknownModel, match="needs no server"):
        check_model("offline", TASKS)


def test_errors_of_runs_name_the_command() -> None:
    server = Server(name="own", base_url=NOWHERE, chat_model="m", retries=0)
    with pytest.raises(
        ModelUnavailable, match=r"`manage\.py check_model own` shows what works"
    ):
        OpenAIChatModel(server, "m").complete(request())


def test_the_command_shows_a_table_and_fails_without_a_usable_model(settings: Settings) -> None:
    with PrefixServer(ratings) as server:
        settings.MODEL_SERVERS = {
            "own": server.as_server(name="own"),
            "locked": server.as_server(name="locked", api_key="wrong"),
        }
        told = StringIO()
        call_command("check_model", "own", stdout=told)
        lines = told.getvalue().splitlines()
        assert lines[0].startswith(f"own:{MODEL}, embedding own:")
        assert [line[:16].strip() for line in lines[1:8]] == list(Capability)[:7]
        told = StringIO()
        with pytest.raises(CommandError, match="cannot think with 'locked:"):
            call_command("check_model", "locked", stdout=told)
        assert "fix        api_key: {variable: NAME}" in told.getvalue()
