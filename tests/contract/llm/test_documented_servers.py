"""Each preset asks its server as the documentation of that server has it."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.llm.calls.answering import AnswerOutcome, Attempt, ask_until_valid
from apps.llm.calls.record import spent_on
from apps.llm.port import Served
from apps.llm.prices import Price
from apps.llm.servers.configuration import Server, presets
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.llm.servers.openai_embedding import OpenAIEmbeddingModel
from tests.model_server.documented import DOCUMENTED, USAGE, Documented
from tests.model_server.example import GOOD, GOOD_TEXT, IMPORTANCES, INPUTS, request
from tests.model_server.faults import Body
from tests.model_server.server import EMBEDDING_MODEL, KEY, MODEL, ModelServer

PAGE = Path("docs/reference/model_servers.md")
ASKED = replace(request(), temperature=0.7)
every_server = pytest.mark.parametrize(
    "documented", DOCUMENTED, ids=lambda one: f"{one.preset} {one.model}"
)


def reasoning_bodies(documented: Documented) -> Mapping[str, Any]:
    """Return what requests have for each level of reasoning of the model."""
    preset = presets()[documented.preset]
    own = preset.get("models", {}).get(documented.model, {})
    bodies: Mapping[str, Any] = own.get("reasoning_bodies", preset["reasoning_bodies"])
    return bodies


def server_of(model_server: ModelServer, documented: Documented, **settings: Any) -> Server:
    """Return the server of the preset, at the address of the mock."""
    model_server.quirk = documented.reply
    own = {
        "name": "test",
        "base_url": model_server.url,
        "api_key": KEY,
        "chat_model": documented.model,
    }
    waits = {"wait_seconds_first": 0.01}
    return Server(**{"preset": documented.preset, **own, **waits, **settings})


def test_every_preset_has_a_documented_server() -> None:
    assert {documented.preset for documented in DOCUMENTED} == set(presets())


@every_server
def test_is_answered_at_once(model_server: ModelServer, documented: Documented) -> None:
    model = OpenAIChatModel(server_of(model_server, documented), documented.model)
    answered = ask_until_valid(IMPORTANCES, INPUTS, ASKED, model)
    assert (answered.answer, answered.outcome) == (GOOD, AnswerOutcome.VALID)
    [body] = model_server.requests
    sent = body.keys() - {"model", "messages"}
    assert sent <= documented.takes
    assert {"max_tokens", "max_completion_tokens"} & sent
    assert ("seed" in sent) == ("seed" in documented.takes)
    [attempt] = answered.attempts
    assert attempt.completion.setbacks == ()
    used = attempt.completion
    assert used.prompt_tokens == USAGE["prompt_tokens"]
    # Thoughts are paid for like answers, wherever they are counted.
    assert used.completion_tokens == USAGE["completion_tokens"]
    assert used.cached_prompt_tokens == documented.cached
    assert used.reasoning_tokens == documented.reasoned


@pytest.mark.parametrize(
    ("documented", "reasoning"),
    [
        pytest.param(documented, level, id=f"{documented.preset} {documented.model} {level}")
        for documented in DOCUMENTED
        for level in reasoning_bodies(documented)
    ],
)
def test_is_asked_for_each_level_of_reasoning(
    model_server: ModelServer, documented: Documented, reasoning: str
) -> None:
    server = server_of(model_server, documented, reasoning=reasoning)
    model = OpenAIChatModel(server, documented.model)
    answered = ask_until_valid(IMPORTANCES, INPUTS, ASKED, model)
    assert (answered.answer, answered.outcome) == (GOOD, AnswerOutcome.VALID)
    [body] = model_server.requests
    expected = reasoning_bodies(documented)[reasoning]
    assert {name: body.get(name) for name in expected} == expected
    assert answered.attempts[0].completion.setbacks == ()


@every_server
def test_is_waited_for_while_it_limits_the_rate(
    model_server: ModelServer, documented: Documented
) -> None:
    server = server_of(model_server, documented)
    model_server.goes_wrong(documented.busy)
    completion = OpenAIChatModel(server, documented.model).complete(ASKED)
    assert len(completion.setbacks) == 1
    assert len(model_server.requests) == 2


@every_server
def test_says_what_answered(model_server: ModelServer, documented: Documented) -> None:
    if documented.version is not None:
        path, page = documented.version
        model_server.pages[path] = json.dumps(page)
    model = OpenAIChatModel(server_of(model_server, documented), documented.model)
    [served, again] = [model.complete(ASKED).served for _ in range(2)]
    assert served == again
    assert served.served_model == documented.says["model"]
    assert served.system_fingerprint == (documented.says.get("system_fingerprint") or "")
    # The version is asked for once, and of servers that tell it only.
    paths = [] if documented.version is None else [documented.version[0]]
    assert model_server.read == paths
    assert bool(served.server_version) == bool(paths)
    assert all(served.server_version in page for page in model_server.pages.values())


def test_says_what_answered_in_events_too(model_server: ModelServer) -> None:
    said = {"model": "test-chat-0718", "system_fingerprint": "fp_1"}
    part = {**said, "choices": [{"delta": {"content": GOOD_TEXT}, "finish_reason": "stop"}]}
    model_server.goes_wrong(Body(f"data: {json.dumps(part)}\n\ndata: [DONE]\n"))
    completion = OpenAIChatModel(model_server.as_server(), MODEL).complete(ASKED)
    served = Served(served_model="test-chat-0718", system_fingerprint="fp_1")
    assert (completion.text, completion.served) == (GOOD_TEXT, served)


@pytest.mark.parametrize("page", [None, "no JSON", '{"version": null}', "[]"])
def test_answers_whatever_becomes_of_its_version(
    model_server: ModelServer, page: str | None
) -> None:
    if page is not None:
        model_server.pages["/version"] = page
    model = OpenAIChatModel(model_server.as_server(version_path="/version"), MODEL)
    completion = model.complete(ASKED)
    assert completion.setbacks == ()
    assert completion.served == Served(served_model=MODEL)
    assert model_server.read == ["/version"]


@every_server
def test_gets_headers_query_and_fields_of_the_operator(
    model_server: ModelServer, documented: Documented
) -> None:
    server = server_of(
        model_server,
        replace(documented, takes=documented.takes | {"top_k"}),
        headers={"x-team": "north"},
        query={"api-version": "2024-10-21"},
        extra_body={"top_k": 20},
        context_tokens=600,
    )
    OpenAIChatModel(server, documented.model).complete(ASKED)
    [body] = model_server.requests
    assert body["top_k"] == 20
    # The answer is to fit the context beside the prompt.
    limit = body.get("max_tokens") or body["max_completion_tokens"]
    assert 64 <= limit < 600
    [sent] = model_server.sent
    assert sent["path"].endswith("/chat/completions?api-version=2024-10-21")
    assert sent["x-team"] == "north"


@pytest.mark.parametrize(
    "documented",
    [one for one in DOCUMENTED if presets()[one.preset].get("embedding_model")],
    ids=lambda one: f"{one.preset} {one.model}",
)
def test_embeds_in_batches_of_its_size(
    model_server: ModelServer, documented: Documented
) -> None:
    server = server_of(model_server, documented)
    model_server.dimensions = server.embedding_dimensions
    model = OpenAIEmbeddingModel(server, EMBEDDING_MODEL, server.embedding_dimensions)
    model.embed(["a text"] * (server.texts_at_once_max + 1))
    sizes = [len(body["input"]) for body in model_server.requests]
    assert sizes == [server.texts_at_once_max, 1]
    assert all(
        ("dimensions" in body) == server.sends_dimensions for body in model_server.requests
    )


def test_a_cheaper_tier_answers_calls_that_can_wait(model_server: ModelServer) -> None:
    [openai] = [one for one in DOCUMENTED if one.preset == "openai"]
    model = OpenAIChatModel(server_of(model_server, openai, service_tier="flex"), MODEL)
    waiting = replace(ASKED, can_wait=True)
    completions = [model.complete(ASKED), model.complete(waiting)]
    model_server.quirk = lambda _: None
    model_server.says = {"service_tier": "default"}  # it had no room in the cheaper one
    completions.append(model.complete(waiting))
    tiers = [body.get("service_tier") for body in model_server.requests]
    assert tiers == [None, "flex", "flex"]
    shares = [completion.price_share for completion in completions]
    assert shares == [1, Decimal("0.5"), 1]
    price = Price(prompt=Decimal(2), completion=Decimal(8))
    costs = [spent_on([Attempt(completion=one, error=None)], price).cost for one in completions]
    assert costs[0] == 2 * costs[1] > 0


def test_a_forced_tool_that_is_refused_becomes_a_prompt(model_server: ModelServer) -> None:
    """The thoughts are kept: a model that the preset does not know always thinks."""
    anthropic = next(one for one in DOCUMENTED if one.preset == "anthropic")
    server = server_of(model_server, anthropic, extra_body={"thinking": {"type": "adaptive"}})
    model = OpenAIChatModel(server, MODEL)
    answered = ask_until_valid(IMPORTANCES, INPUTS, ASKED, model)
    assert (answered.answer, answered.outcome) == (GOOD, AnswerOutcome.VALID)
    *_, last = model_server.requests
    assert last.keys() == {"model", "messages", "max_tokens", "thinking"}


def test_a_refused_effort_is_left_out(model_server: ModelServer) -> None:
    [openai] = [one for one in DOCUMENTED if one.preset == "openai"]
    without = replace(openai, takes=openai.takes - {"reasoning_effort"})
    model = OpenAIChatModel(server_of(model_server, without, reasoning="off"), MODEL)
    assert len(model.complete(ASKED).setbacks) == 1
    assert model.complete(ASKED).setbacks == ()


def test_the_page_names_every_preset_and_every_setting() -> None:
    named = set(re.findall(r"`([a-z_]+)`", PAGE.read_text()))
    settings = {field.alias or name for name, field in Server.model_fields.items()} - {"name"}
    assert settings | set(presets()) <= named
