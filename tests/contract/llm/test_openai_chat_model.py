"""The openai adapter against a server that does what servers do."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from apps.llm.calls.answering import AnswerOutcome, Attempt, ask_until_valid
from apps.llm.calls.record import attempt_json, spent_on
from apps.llm.port import Message, ModelMisconfigured, ModelUnavailable
from apps.llm.prices import Price
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.llm.servers.openai_client import REPLY_BYTES_MAX
from apps.llm.tokens import count_tokens
from tests.model_server.example import (
    GOOD,
    GOOD_TEXT,
    IMPORTANCES,
    INPUTS,
    Importances,
    request,
)
from tests.model_server.faults import (
    AT_ONCE,
    HALF_A_BODY,
    IN_PROSE,
    NO_CHOICES,
    NONSENSE,
    Body,
    Delay,
    Drop,
    Fault,
    Flood,
    Says,
    Status,
    Trickle,
    broken,
    busy,
)
from tests.model_server.server import KEY, MODEL, ModelServer
from tests.support.llm_doubles import agent_llm_in_memory

TIMED = {
    "type": "object",
    "properties": {
        "starts": {
            "type": "string",
            "description": "when it begins",
            "pattern": "^[0-9]{2}:[0-9]{2}$",
        }
    },
}


def model_of(model_server: ModelServer, **settings: Any) -> OpenAIChatModel:
    return OpenAIChatModel(model_server.as_server(**settings), MODEL)


class TestAsking:
    def test_sends_messages_limit_seed_and_a_strict_schema(
        self, model_server: ModelServer
    ) -> None:
        model_of(model_server).complete(request())
        [body] = model_server.requests
        assert body["messages"] == [said.to_json() for said in request().messages]
        assert (body["seed"], body["max_tokens"]) == (7, 2_048)
        assert "temperature" not in body
        asked = body["response_format"]["json_schema"]
        assert (asked["name"], asked["strict"]) == ("memory_importances", True)
        assert asked["schema"]["additionalProperties"] is False

    def test_reads_tokens(self, model_server: ModelServer) -> None:
        completion = model_of(model_server).complete(request())
        assert (completion.prompt_tokens, completion.completion_tokens) == (11, 7)
        assert completion.latency_seconds > 0

    def test_reads_tokens_from_the_servers_cache(self, model_server: ModelServer) -> None:
        assert model_of(model_server).complete(request()).cached_prompt_tokens == 0
        model_server.cached_prompt_tokens = 4
        completion = model_of(model_server).complete(request())
        assert (completion.prompt_tokens, completion.cached_prompt_tokens) == (11, 4)
        # They are counted at their own price, and on record with the attempt.
        attempt = Attempt(completion=completion, error=None)
        price = Price(prompt=Decimal(3), completion=Decimal(1), cached_prompt=Decimal(1))
        assert spent_on([attempt], price).cost == Decimal(3 * 7 + 1 * 4 + 7) / 1_000_000
        assert attempt_json(attempt)["cached_prompt_tokens"] == 4

    def test_estimates_tokens_where_none_are_reported(self, model_server: ModelServer) -> None:
        model_server.reports_usage = False
        completion = model_of(model_server).complete(request())
        prompt = sum(count_tokens(message.content) for message in request().messages)
        assert (completion.prompt_tokens, completion.completion_tokens) == (
            prompt,
            count_tokens(GOOD_TEXT),
        )
        assert attempt_json(Attempt(completion=completion, error=None))["is_estimated"]

    def test_writes_the_schema_into_the_prompt_where_the_settings_say_so(
        self, model_server: ModelServer
    ) -> None:
        model_of(model_server, schema="prompt").complete(request())
        [body] = model_server.requests
        assert "response_format" not in body
        assert "It must fit this JSON schema" in body["messages"][-1]["content"]

    def test_names_the_fields_where_only_a_grammar_has_the_schema(
        self, model_server: ModelServer
    ) -> None:
        asked = replace(request(), json_schema=TIMED)
        question = asked.messages[-1].content
        wrong, mend = Message("assistant", "Soon"), Message("user", "Give a time.")
        again = replace(asked, messages=(*asked.messages, wrong, mend), is_correction=True)
        model = model_of(model_server, names_fields=True)
        for one in (asked, again):
            model.complete(one)
        first, second = (body["messages"] for body in model_server.requests)
        told = "Answer with one JSON object. Its fields:\n- starts: when it begins"
        assert first[-1]["content"] == f"{question}\n\n{told}"
        assert second == [*first, wrong.to_json(), mend.to_json()]

    def test_has_no_more_requests_open_than_the_settings_allow(
        self, model_server: ModelServer
    ) -> None:
        model = model_of(model_server, calls_at_once_max=2)
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda _number: model.complete(request()), range(24)))
        assert model_server.open_at_once_max <= 2


class TestSettings:
    """How a model is asked by its settings."""

    @pytest.mark.parametrize(
        ("settings", "sent", "not_sent"),
        [
            ({"schema": "json_object"}, {"response_format": {"type": "json_object"}}, ()),
            ({"token_limit": "max_completion_tokens"}, {"max_completion_tokens": 2_048}, ()),
            ({"token_limit": "none"}, {}, ("max_tokens", "max_completion_tokens")),
            ({"seed": "random_seed"}, {"random_seed": 7}, ("seed",)),
            ({"seed": "none"}, {}, ("seed", "random_seed")),
            ({"sends_temperature": False}, {}, ("temperature",)),
            ({"extra_body": {"top_k": 5}}, {"top_k": 5}, ()),
            (
                {"reasoning": "low", "reasoning_bodies": {"low": {"reasoning_effort": "low"}}},
                {"reasoning_effort": "low"},
                (),
            ),
        ],
    )
    def test_say_what_is_sent(
        self,
        model_server: ModelServer,
        settings: dict[str, Any],
        sent: dict[str, Any],
        not_sent: tuple[str, ...],
    ) -> None:
        model = model_of(model_server, **settings)
        model.complete(replace(request(), temperature=0.5))
        [body] = model_server.requests
        assert {name: body.get(name) for name in sent} == sent
        assert not body.keys() & set(not_sent)

    def test_ask_for_the_call_of_a_tool(self, model_server: ModelServer) -> None:
        arguments = {"function": {"name": "memory_importances", "arguments": GOOD_TEXT}}
        message = {"content": "I call it.", "tool_calls": [arguments]}
        model_server.goes_wrong(Body(json.dumps({"choices": [{"message": message}]})))
        completion = model_of(model_server, schema="tool").complete(request())
        assert (completion.text, completion.found_in) == (GOOD_TEXT, "tool_calls")
        [body] = model_server.requests
        assert body["tool_choice"]["function"]["name"] == "memory_importances"
        [tool] = body["tools"]
        assert tool["function"]["parameters"]["required"] == ["importances"]

    def test_read_the_content_beside_the_call_of_no_tool(
        self, model_server: ModelServer
    ) -> None:
        message = {"content": GOOD_TEXT, "tool_calls": [{"function": None}]}
        model_server.goes_wrong(Body(json.dumps({"choices": [{"message": message}]})))
        assert model_of(model_server).complete(request()).text == GOOD_TEXT

    def test_add_headers_and_parameters_of_the_query(self, model_server: ModelServer) -> None:
        model = model_of(model_server, headers={"x-team": "7"}, query={"api-version": "v1"})
        model.complete(request())
        [sent] = model_server.sent
        assert (sent["path"], sent["x-team"]) == ("/v1/chat/completions?api-version=v1", "7")

    def test_think_less_when_there_is_no_more_room(self, model_server: ModelServer) -> None:
        bodies = {"high": {"reasoning_effort": "high"}, "low": {"reasoning_effort": "low"}}
        model = model_of(
            model_server,
            answer_tokens_max=16_384,
            reasoning="high",
            reasoning_bodies=bodies,
        )
        model_server.goes_wrong(Says("<think>Let me see", cut=True))
        answered = ask_until_valid(IMPORTANCES, INPUTS, request(), model)
        assert answered.outcome is AnswerOutcome.REPAIRED
        efforts = [body["reasoning_effort"] for body in model_server.requests]
        assert efforts == ["high", "low"]

    def test_concede_a_reasoning_that_the_server_does_not_know(
        self, model_server: ModelServer
    ) -> None:
        model_server.refused_parameters = {"reasoning_effort"}
        bodies = {"low": {"reasoning_effort": "low"}}
        model = model_of(model_server, reasoning="low", reasoning_bodies=bodies)
        assert model.complete(request()).text == GOOD_TEXT


class TestConceding:
    def test_a_strict_schema_for_one_task(self, model_server: ModelServer) -> None:
        model_server.takes_strict_schema = False
        model = model_of(model_server)
        assert model.complete(request()).text == GOOD_TEXT
        model.complete(request())
        formats = [body["response_format"] for body in model_server.requests]
        assert [said["json_schema"]["strict"] for said in formats] == [True, False, False]

    def test_patterns_before_the_whole_form(self, model_server: ModelServer) -> None:
        why = "Invalid schema for response_format: 'pattern' is not permitted"
        model_server.goes_wrong(Status(400, why))
        model = model_of(model_server)
        for _ in range(2):
            model.complete(replace(request(), json_schema=TIMED))
        sent = [
            body["response_format"]["json_schema"]["schema"]["properties"]["starts"]
            for body in model_server.requests
        ]
        plain = {"type": "string", "description": "when it begins"}
        assert sent == [{**plain, "pattern": "^[0-9]{2}:[0-9]{2}$"}, plain, plain]

    def test_any_schema_for_good(self, model_server: ModelServer) -> None:
        model_server.takes_schema = False
        model = model_of(model_server)
        assert model.complete(request()).text == GOOD_TEXT
        model.complete(request())
        assert ["response_format" in body for body in model_server.requests] == [
            True,
            True,
            False,
            False,
        ]

    def test_the_old_name_of_the_token_limit(self, model_server: ModelServer) -> None:
        model_server.refused_parameters = {"max_tokens"}
        model = model_of(model_server)
        model.complete(request())
        assert model_server.requests[-1]["max_completion_tokens"] == 2_048

    def test_everything_that_it_can_do_without(self, model_server: ModelServer) -> None:
        model_server.refused_parameters = {"max_tokens", "max_completion_tokens", "seed"}
        model_server.takes_schema = False
        assert model_of(model_server).complete(request()).text == GOOD_TEXT

    def test_nothing_for_a_refusal_of_something_else(self, model_server: ModelServer) -> None:
        model_server.goes_wrong(Status(400, "the prompt is longer than the context"))
        with pytest.raises(ModelMisconfigured, match="longer than the context"):
            model_of(model_server).complete(request())
        assert len(model_server.requests) == 1


class TestFailing:
    @pytest.mark.parametrize(
        "fault",
        [
            busy(),
            broken(),
            Status(503, headers=AT_ONCE),
            Status(503),
            Drop(),
            Drop(after_bytes=20),
            HALF_A_BODY,
            NO_CHOICES,
            Body("<html>503</html>", "text/html"),
            Body("data: [1]\n\n"),
            Body('data: {"choices": null}\n\n'),
            Flood(2 * REPLY_BYTES_MAX),
        ],
        ids=[
            "429", "500", "503", "503 without a wait", "dropped", "cut off", "half a body",
            "no choices", "another protocol", "an event without an object",
            "an event without choices", "far too much",
        ],
    )  # fmt: skip
    def test_is_tried_again(self, model_server: ModelServer, fault: Fault) -> None:
        model_server.goes_wrong(fault)
        completion = model_of(model_server).complete(request())
        assert completion.text == GOOD_TEXT
        assert len(completion.setbacks) == 1
        assert len(model_server.requests) == 2

    def test_ends_when_retries_run_out(self, model_server: ModelServer) -> None:
        model = model_of(model_server)
        model.complete(request())
        model_server.goes_wrong(*[broken()] * 3)
        with pytest.raises(ModelUnavailable, match="tried 3 times"):
            model.complete(request())
        assert len(model_server.requests) == 4

    def test_waits_for_a_busy_server_up_to_the_deadline(
        self, model_server: ModelServer
    ) -> None:
        model_server.goes_wrong(*[busy()] * 6)
        assert model_of(model_server).complete(request()).text == GOOD_TEXT
        model_server.for_good = busy()
        with pytest.raises(ModelUnavailable, match=r"slow down; tried for 1 seconds"):
            model_of(model_server, deadline_seconds=1.0).complete(request())

    def test_sends_fewer_calls_at_once_to_a_busy_server(
        self, model_server: ModelServer
    ) -> None:
        model = model_of(model_server, calls_at_once_max=8)
        model_server.goes_wrong(*[busy()] * 8)
        with ThreadPoolExecutor(8) as threads:
            completions = list(threads.map(lambda _: model.complete(request()), range(24)))
        assert {completion.text for completion in completions} == {GOOD_TEXT}
        # The errors of calls that gave up their slot are recorded, too.
        assert sum(len(one.setbacks) for one in completions) == 8

    def test_does_not_wait_for_ever(self, model_server: ModelServer) -> None:
        model_server.goes_wrong(Delay(30))
        with pytest.raises(ModelUnavailable, match=r"no answer within 0.1 seconds"):
            model_of(model_server, timeout_seconds=0.1, retries=0).complete(request())

    def test_does_not_wait_for_ever_for_a_server_that_trickles(
        self, model_server: ModelServer
    ) -> None:
        # Each byte comes in good time; all of them never do.
        model_server.goes_wrong(Trickle(0.02))
        with pytest.raises(ModelUnavailable, match=r"no answer within 0.2 seconds"):
            model_of(model_server, timeout_seconds=0.2, retries=0).complete(request())

    def test_ends_at_the_deadline_of_the_whole_call(self, model_server: ModelServer) -> None:
        model_server.goes_wrong(*[Status(503)] * 100)
        model = model_of(model_server, retries=100, deadline_seconds=1.0)
        with pytest.raises(ModelUnavailable, match=r"tried for 1 seconds"):
            model.complete(request())

    def test_does_not_come_back_before_the_server_wants(
        self, model_server: ModelServer
    ) -> None:
        model_server.goes_wrong(Status(429, "slow down", headers={"retry-after": "600"}))
        with pytest.raises(ModelUnavailable, match=r"a wait of \d+ seconds"):
            model_of(model_server).complete(request())
        assert len(model_server.requests) == 1

    def test_does_not_wait_for_money(self, model_server: ModelServer) -> None:
        model_server.goes_wrong(Status(429, "no quota", code_word="insufficient_quota"))
        with pytest.raises(ModelMisconfigured, match="put money into the account"):
            model_of(model_server).complete(request())
        assert len(model_server.requests) == 1

    def test_says_when_nobody_listens(self, model_server: ModelServer) -> None:
        nowhere = model_server.as_server(base_url="http://127.0.0.1:1/v1", retries=0)
        with pytest.raises(ModelUnavailable, match="the connection failed"):
            OpenAIChatModel(nowhere, MODEL).complete(request())

    def test_names_the_mend_for_a_wrong_key_and_never_the_key(
        self, model_server: ModelServer
    ) -> None:
        model = model_of(model_server, api_key="sk-wrong-9876543210")
        with pytest.raises(ModelMisconfigured, match="check the api_key") as refused:
            model.complete(request())
        assert "9876543210" not in str(refused.value)

    def test_never_repeats_a_key_that_looks_like_none(self, model_server: ModelServer) -> None:
        with pytest.raises(ModelMisconfigured) as refused:
            model_of(model_server, api_key="correct horse").complete(request())
        assert "horse" not in str(refused.value)
        assert KEY not in str(refused.value)

    def test_names_the_mend_for_an_unknown_model(self, model_server: ModelServer) -> None:
        with pytest.raises(ModelMisconfigured, match="names of its models"):
            OpenAIChatModel(model_server.as_server(), "gpt-17").complete(request())

    @pytest.mark.parametrize(
        "body",
        [
            Body("<html>hello</html>", "text/html"),
            Body("this is not JSON"),
            Body('{"choices": ['),
            Body("[]"),
            Body("{}"),
            Body("null"),
            Body('{"choices": []}'),
            Body('{"choices": [{"index": 0}]}'),
            Body('{"choices": "several"}'),
            Body(
                '{"choices": [{"message": {"content": 7}}], "usage": {"prompt_tokens": null}}'
            ),
        ],
        ids=lambda body: body.text,
    )
    def test_never_breaks_on_a_body_that_is_no_completion(
        self, model_server: ModelServer, body: Body
    ) -> None:
        model_server.goes_wrong(*[body] * 3)
        try:
            completion = model_of(model_server).complete(request())
        except ModelUnavailable:
            return
        assert isinstance(completion.text, str)
        assert isinstance(completion.prompt_tokens, int)


class TestAnswersThatAreNoGood:
    """The adapter and the gateway together."""

    @pytest.mark.parametrize(
        ("faults", "outcome"),
        [
            ([], "valid"),
            ([Says(IN_PROSE.format(answer=GOOD_TEXT))], "valid"),
            ([NONSENSE], "repaired"),
            ([Says(GOOD_TEXT[:10], cut=True)], "repaired"),
            ([Says("{" * 20_000, cut=True)], "repaired"),
            ([Says('{"importances": [1, 2, 3]}')], "repaired"),
            ([Says("")], "repaired"),
            ([NONSENSE, NONSENSE], "fell_back"),
            ([NONSENSE, Says("la"), Says("di")], "fell_back"),
            ([NONSENSE, busy(), Drop(), Says("la")], "repaired"),
        ],
    )
    def test_are_mended_or_replaced(
        self, model_server: ModelServer, faults: list[Fault], outcome: str
    ) -> None:
        model_server.goes_wrong(*faults)
        llm = agent_llm_in_memory(model_of(model_server))
        answer = llm.ask(IMPORTANCES, INPUTS)
        expected = GOOD if outcome != "fell_back" else Importances(importances=[3, 3])
        assert answer == expected
        [call] = llm.call_log.calls.values()
        assert call.outcome == outcome

    def test_are_told_to_the_model_with_the_form(self, model_server: ModelServer) -> None:
        model_server.goes_wrong(Says('{"importances": [99, 1]}'))
        agent_llm_in_memory(model_of(model_server)).ask(IMPORTANCES, INPUTS)
        told = model_server.requests[1]["messages"]
        assert [message["role"] for message in told[2:]] == ["assistant", "user"]
        assert "less than or equal to 10" in told[3]["content"]
        # A server may take a schema and not care for it: the second time it stands in words.
        assert "It must fit this JSON schema" in told[3]["content"]
        assert "response_format" in model_server.requests[1]

    def test_are_asked_for_more_briefly_when_they_were_too_long(
        self, model_server: ModelServer
    ) -> None:
        model_server.goes_wrong(Says(GOOD_TEXT[:10], cut=True))
        agent_llm_in_memory(model_of(model_server)).ask(IMPORTANCES, INPUTS)
        assert "answer more briefly" in model_server.requests[1]["messages"][3]["content"]

    def test_with_letters_that_no_database_keeps_are_cleaned(
        self, model_server: ModelServer
    ) -> None:
        model_server.goes_wrong(Says("\x00\ud800 {"))
        llm = agent_llm_in_memory(model_of(model_server))
        llm.ask(IMPORTANCES, INPUTS)
        [call] = llm.call_log.calls.values()
        assert call.attempts[0]["raw"] == "\ufffd {"
