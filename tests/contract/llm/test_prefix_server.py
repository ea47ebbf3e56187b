"""The test server that counts shared prefixes, asked by the openai adapter."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.llm.port import Completion, Message, Request
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.llm.tokens import count_tokens
from tests.model_server.example import GOOD_TEXT, request, server_answer
from tests.model_server.prefix_cache import OPENAI, VLLM, CacheRules, PrefixCache
from tests.model_server.prefix_server import PrefixServer
from tests.model_server.server import MODEL

COMMON = "All agents live in Smallville. " * 200  # 1,550 tokens


@pytest.fixture
def server() -> Iterator[PrefixServer]:
    with PrefixServer(server_answer, (OPENAI, VLLM)) as server:
        yield server


def asked(system: str, user: str, task: str = "memory.importances") -> Request:
    messages = (Message("system", system), Message("user", user))
    return replace(request(), task_name=task, messages=messages)


def answers(server: PrefixServer, requests: Sequence[Request]) -> list[Completion]:
    model = OpenAIChatModel(server.as_server(), MODEL)
    return [model.complete(one) for one in requests]


class TestUsage:
    def test_tells_of_a_prefix_that_was_sent_before(self, server: PrefixServer) -> None:
        first, second = answers(server, [asked(COMMON, "Isabella"), asked(COMMON, "Klaus")])
        assert first.cached_prompt_tokens == 0
        # The schema, which comes first, and the system message, in whole blocks.
        assert second.cached_prompt_tokens % 128 == 0
        assert 0 <= second.prompt_tokens - 2 - second.cached_prompt_tokens < 128
        assert second.completion_tokens == count_tokens(GOOD_TEXT)

    def test_starts_at_1024_tokens(self, server: PrefixServer) -> None:
        short = "Smallville. " * 300  # 900 tokens
        assert {
            one.cached_prompt_tokens for one in answers(server, [asked(short, "")] * 3)
        } == {0}

    def test_has_nothing_in_common_after_another_schema(self, server: PrefixServer) -> None:
        requests = [asked(COMMON, "", task) for task in ("memory.importances", "a.thing")]
        other = {"type": "object", "properties": {"thing": {"type": "string"}}}
        requests[1] = replace(requests[1], json_schema=other)
        assert [one.cached_prompt_tokens for one in answers(server, requests)] == [0, 0]
        # A server that keeps schemas out of its prompts shares the text of both tasks.
        assert server.uses["a_thing"].cached_tokens[VLLM.name] >= 1_536

    def test_adds_up_by_task(self, server: PrefixServer) -> None:
        requests = [asked(COMMON, name) for name in ("Isabella", "Klaus", "Klaus")]
        done = answers(server, [*requests, asked("", "Klaus", "a.thing")])
        use = server.uses["memory_importances"]
        assert use.calls == 3
        assert use.input_tokens[OPENAI.name] == sum(one.prompt_tokens for one in done[:3])
        cached = sum(one.cached_prompt_tokens for one in done)
        assert use.cached_tokens[OPENAI.name] == cached
        assert 0.6 < use.share(OPENAI) < 2 / 3
        read = sum(count_tokens(said.content) for one in requests for said in one.messages)
        assert use.input_tokens[VLLM.name] == read
        assert use.input_tokens[OPENAI.name] == read + use.schema_tokens
        assert server.uses["a_thing"].share(OPENAI) == 0


class TestPrefixCache:
    @given(
        prompts=st.lists(st.lists(st.sampled_from("ab"), max_size=24), max_size=12),
        size=st.integers(1, 4),
        tokens_min=st.integers(0, 8),
    )
    def test_finds_the_longest_prefix_of_whole_blocks(
        self, prompts: list[list[str]], size: int, tokens_min: int
    ) -> None:
        rules = CacheRules(
            name="any", block_tokens=size, tokens_min=tokens_min, has_schema=False
        )
        cache = PrefixCache(rules)
        for number, prompt in enumerate(prompts):
            longest = max((shared(prompt, past) for past in prompts[:number]), default=0)
            expected = max(0, min(longest, len(prompt) - 1)) // size * size
            assert cache.look_up(prompt) == (expected if expected >= tokens_min else 0)


def shared(one: list[str], other: list[str]) -> int:
    """Return the length of the common beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (number for number, (left, right) in enumerate(pairs) if left != right),
        min(len(one), len(other)),
    )
