"""The servers of the presets as their documentation has them: one table.

`reply` is what a server answers: it refuses fields of a request that it does not know in its
own form of an error, puts thoughts and answer where it puts them, and counts tokens its way.
docs/reference/model_servers.md has the sources.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.model_server.example import GOOD_TEXT
from tests.model_server.faults import Reply
from tests.model_server.server import MODEL

Body = dict[str, Any]
THOUGHTS = "The first idea was [1, 1], which is too low."
CACHED, REASONED = 5, 40
USAGE = {"prompt_tokens": 11, "completion_tokens": 47, "total_tokens": 58}
OPENAI_FIELDS = frozenset(
    {
        "max_completion_tokens", "seed", "temperature", "response_format", "tools",
        "tool_choice", "reasoning_effort", "service_tier",
    }
)  # fmt: skip
LOCAL_FIELDS = (OPENAI_FIELDS - {"service_tier"}) | {"max_tokens", "chat_template_kwargs"}


def refused(name: str) -> Reply:
    """Return the error of OpenAI for a field that a model does not take."""
    error = {
        "message": f"Unsupported parameter: '{name}' is not supported with this model.",
        "type": "invalid_request_error",
        "param": name,
        "code": "unsupported_parameter",
    }
    return Reply(json.dumps({"error": error}), 400)


def refused_by_gemini(name: str) -> Reply:
    """Return Google's error, which is a list."""
    text = f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
    error = {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}
    return Reply(json.dumps([{"error": error}]), 400)


def refused_by_mistral(name: str) -> Reply:
    """Return Mistral's error, the list of pydantic."""
    fault = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not"}
    body = {"object": "error", "message": {"detail": [fault]}, "type": "invalid_request_error"}
    return Reply(json.dumps(body), 422)


def refused_by_lm_studio(_name: str) -> Reply:
    """Return the error of LM Studio, which is a text."""
    error = "'response_format.type' must be 'json_schema' or 'text'"
    return Reply(json.dumps({"error": error}), 400)


def busy(wait: dict[str, str] | None = None) -> Reply:
    """Return the error of a limited rate; the wait is in a header."""
    error = {"message": "Rate limit reached", "code": "rate_limit_exceeded"}
    return Reply(json.dumps({"error": error}), 429, wait or {"retry-after": "0"})


def takes_all(_body: Body) -> None:
    """Refuse nothing."""


def refuses_forced_tool(body: Body) -> Reply | None:
    """Refuse what Anthropic refuses beside thinking: a forced tool, a temperature, no room."""
    thinking = body.get("thinking", {})
    if thinking.get("type") not in ("enabled", "adaptive"):
        return None
    if "tool_choice" in body:
        message = "Thinking may not be enabled when tool_choice forces tool use."
    elif body.get("temperature", 1) != 1:
        message = "`temperature` may only be set to 1 when thinking is enabled."
    elif body["max_tokens"] <= thinking.get("budget_tokens", 0):
        message = "`max_tokens` must be greater than `thinking.budget_tokens`."
    else:
        return None
    error = {"type": "invalid_request_error", "message": message}
    return Reply(json.dumps({"type": "error", "error": error}), 400)


def refuses_budget(body: Body) -> Reply | None:
    """Refuse what models from Claude 5 on refuse: a budget, or no thinking at all."""
    if body.get("thinking", {}).get("type", "adaptive") == "adaptive":
        return None
    return refused("thinking.type")


def refused_effort(*taken: str) -> Callable[[Body], Reply | None]:
    """Return a function that refuses all efforts but those."""

    def refuse(body: Body) -> Reply | None:
        effort = body.get("reasoning_effort", taken[0])
        return None if effort in taken else refused("reasoning_effort")

    return refuse


BUSY_OF_GEMINI = Reply(
    json.dumps(
        [
            {
                "error": {
                    "code": 429,
                    "message": "You exceeded your current quota. Please retry in 0.01s.",
                    "status": "RESOURCE_EXHAUSTED",
                    "details": [
                        {
                            "@type": "type.googleapis.com/google.rpc.RetryInfo",
                            "retryDelay": "0.01s",
                        }
                    ],
                }
            }
        ]
    ),
    429,
)
BUSY_IN_200 = Reply(json.dumps({"error": {"message": "Rate limit exceeded", "code": 429}}))


def content(text: str) -> Body:
    return {"content": text}


def thoughts_in(name: str) -> Callable[[str], Body]:
    """Return how a server answers that puts thoughts into a field of their own."""
    return lambda text: {"content": text, name: THOUGHTS}


def in_chunks(text: str) -> Body:
    """Return a message of Mistral's: a list of thoughts and text."""
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHTS}]}
    return {"content": [thinking, {"type": "text", "text": text}]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """A server: the fields that it takes, forms of answers, and what its replies look like.

    `cached` and `reasoned` are the tokens that its usage tells of the cache and of thoughts.
    `refuses` returns the reply to a request whose fields do not fit together. `model` is the
    model that is asked: other models of the preset may have other settings.
    `says` are the members of a reply that name what answered, `version` the path that has the
    version of the server and its body.
    """

    preset: str
    takes: frozenset[str] = OPENAI_FIELDS
    ignores_others: bool = False
    forms: frozenset[str] = frozenset({"json_schema", "json_object"})
    refusal: Callable[[str], Reply] = refused
    message: Callable[[str], Body] = content
    usage: Body = field(default_factory=lambda: dict(USAGE))
    cached: int = 0
    reasoned: int = 0
    busy: Reply = field(default_factory=busy)
    begins_with: str = ""
    says: Body = field(default_factory=lambda: {"model": MODEL})
    version: tuple[str, Body] | None = None
    refuses: Callable[[Body], Reply | None] = takes_all
    model: str = MODEL

    def _message(self, body: Body) -> Body:
        """Return the message; without a form that counts it is prose."""
        if "tools" in body:
            called = {"name": body["tools"][0]["function"]["name"], "arguments": GOOD_TEXT}
            call = {"id": "call_1", "type": "function", "function": called}
            return {"content": None, "tool_calls": [call]}
        is_free = self.ignores_others and "response_format" not in self.takes
        if is_free and "JSON schema" not in body["messages"][-1]["content"]:
            return {"content": "I would say that it matters a lot."}
        return self.message(GOOD_TEXT)

    def reply(self, body: Body) -> Reply | None:
        """Return the reply to a request; None to one for vectors."""
        if "messages" not in body:
            return None
        for name in sorted(body.keys() - {"model", "messages"} - self.takes):
            if not self.ignores_others:
                return self.refusal(name)
        if (refusal := self.refuses(body)) is not None:
            return refusal
        form = body.get("response_format", {}).get("type", "json_schema")
        if form not in self.forms and "response_format" in self.takes:
            return self.refusal("response_format")
        if form == "json_object" and "json" not in json.dumps(body["messages"]).lower():
            return self.refusal("messages")
        message = self._message(body)
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {"object": "chat.completion", "choices": [choice], "usage": self.usage}
        reply |= self.says
        return Reply(self.begins_with + json.dumps(reply))


NESTED = {
    **USAGE,
    "prompt_tokens_details": {"cached_tokens": CACHED},
    "completion_tokens_details": {"reasoning_tokens": REASONED},
}
DOCUMENTED = (
    Documented(
        preset="openai",
        usage=NESTED,
        cached=CACHED,
        reasoned=REASONED,
        says={"model": "test-chat-2026-07-18", "system_fingerprint": "fp_44709d6fcb"},
    ),
    Documented(
        preset="azure",
        usage=NESTED,
        cached=CACHED,
        reasoned=REASONED,
        busy=busy({"retry-after": "1", "retry-after-ms": "1"}),
    ),
    Documented(
        preset="anthropic",
        takes=frozenset({"max_tokens", "temperature", "tools", "tool_choice", "thinking"}),
        ignores_others=True,
        refuses=refuses_forced_tool,
    ),
    Documented(
        preset="anthropic",
        model="claude-haiku-5-5",
        takes=frozenset({"max_tokens", "thinking", "output_config"}),
        refuses=refuses_budget,
    ),
    Documented(
        preset="gemini",
        takes=(OPENAI_FIELDS - {"seed", "max_completion_tokens"}) | {"max_tokens"},
        refusal=refused_by_gemini,
        # The total has the thoughts, the completion does not.
        usage={"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 58},
        busy=BUSY_OF_GEMINI,
        refuses=refused_effort("minimal", "low", "medium", "high"),
    ),
    Documented(
        preset="mistral",
        takes=frozenset(
            {"max_tokens", "random_seed", "temperature", "response_format", "reasoning_effort"}
        ),
        refusal=refused_by_mistral,
        message=in_chunks,
    ),
    Documented(
        preset="deepseek",
        takes=frozenset(
            {"max_tokens", "temperature", "response_format", "thinking", "reasoning_effort"}
        ),
        forms=frozenset({"json_object", "text"}),
        message=thoughts_in("reasoning_content"),
        usage={**USAGE, "prompt_cache_hit_tokens": CACHED, "prompt_cache_miss_tokens": 6},
        cached=CACHED,
        begins_with="\n" * 20,  # sent while the request waits
    ),
    Documented(
        preset="groq",
        model="openai/gpt-oss-20b",
        message=thoughts_in("reasoning"),
        usage={**USAGE, "prompt_tokens_details": {"cached_tokens": CACHED}},
        cached=CACHED,
        refuses=refused_effort("low", "medium", "high"),
    ),
    Documented(
        preset="groq",
        model="qwen/qwen3-32b",
        message=thoughts_in("reasoning"),
        usage={**USAGE, "prompt_tokens_details": {"cached_tokens": CACHED}},
        cached=CACHED,
    ),
    Documented(
        preset="openrouter",
        takes=(OPENAI_FIELDS - {"reasoning_effort"}) | {"max_tokens", "reasoning"},
        message=thoughts_in("reasoning"),
        usage={**NESTED, "cost": 0.0001},
        cached=CACHED,
        reasoned=REASONED,
        busy=BUSY_IN_200,
    ),
    Documented(
        preset="vllm",
        takes=LOCAL_FIELDS,
        message=thoughts_in("reasoning"),
        usage={**USAGE, "prompt_tokens_details": None},
        says={"model": "test-chat", "system_fingerprint": None},
        version=("/version", {"version": "0.11.2"}),
    ),
    Documented(
        preset="sglang",
        takes=LOCAL_FIELDS,
        message=thoughts_in("reasoning_content"),
        usage={**USAGE, "reasoning_tokens": REASONED},
        reasoned=REASONED,
        version=("/get_server_info", {"model_path": "test-chat", "version": "0.5.4"}),
    ),
    Documented(
        preset="ollama",
        takes=LOCAL_FIELDS - {"max_completion_tokens", "chat_template_kwargs"},
        ignores_others=True,
        message=thoughts_in("reasoning"),
        says={"model": "test-chat", "system_fingerprint": "fp_ollama"},
        version=("/api/version", {"version": "0.12.6"}),
    ),
    Documented(
        preset="lm_studio",
        takes=LOCAL_FIELDS,
        forms=frozenset({"json_schema", "text"}),
        refusal=refused_by_lm_studio,
        message=lambda text: {"content": "", "reasoning_content": text},
    ),
    Documented(
        preset="llama_cpp",
        says={"model": "test-chat.gguf", "system_fingerprint": "b6730-e60f01d9"},
        takes=LOCAL_FIELDS,
        message=thoughts_in("reasoning_content"),
        usage={**USAGE, "prompt_tokens_details": {"cached_tokens": CACHED}},
        cached=CACHED,
    ),
)
