"""Reads the replies of chat servers: where the answer is, how it ended, what it used.

Servers put an answer into the content, into a list of parts, into the arguments of a tool or
into the field of the thoughts; they count tokens under several names, or not at all.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Self

from pydantic import BaseModel, Field, model_validator

from apps.llm.answers.answer_text import without_thoughts
from apps.llm.model_spec import NAME_CHARACTERS_MAX
from apps.llm.port import Completion, Messages, Served
from apps.llm.servers.json_values import list_of, object_of, objects_in
from apps.llm.tokens import count_tokens

EVENTS = ("data:", "event:", ": ")  # how a streamed reply begins
CONTENT, REFUSAL = "content", "refusal"
THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking", "thought")
PROMPT_TOKENS = ("prompt_tokens", "input_tokens")  # the names of their number
SAID = ("usage", "model", "system_fingerprint", "service_tier")  # beside the choices
# Values of `finish_reason`, also those that proxies pass on as they are.
CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
FILTERED = frozenset(
    {"content_filter", "safety", "prohibited_content", "recitation", "blocklist", "sensitive"}
)


class _Choice(BaseModel):
    message: dict[str, Any] = {}
    text: str | None = None
    finish_reason: str | None = None

    @model_validator(mode="after")
    def _has_something(self) -> Self:
        assert self.message or self.text is not None or self.finish_reason
        return self


class ChatReply(BaseModel):
    """The parts of a chat completion that are used."""

    choices: list[_Choice] = Field(min_length=1)
    usage: Any = None
    model: Any = None
    system_fingerprint: Any = None
    service_tier: Any = None


def read_reply(
    reply: ChatReply,
    prompt: Messages,
    *,
    seconds: float,
    server_version: str,
    setbacks: tuple[str, ...],
) -> Completion:
    """Return the completion of the reply; tokens that it does not report are estimated."""
    choice = reply.choices[0]
    finish = (choice.finish_reason or "").lower()
    cut_off = finish in CUT_OFF
    found_in, text = next(_texts(choice, cut_off=cut_off), ("", ""))
    thoughts = "".join(_text_of(choice.message.get(name)) for name in THOUGHT_FIELDS)
    prompt_tokens = token_count(reply.usage, *PROMPT_TOKENS)
    completion_tokens = token_count(reply.usage, "completion_tokens", "output_tokens")
    # Some servers leave the thoughts out of the answer and have them in the total.
    completion_tokens = max(
        completion_tokens, token_count(reply.usage, "total_tokens") - prompt_tokens
    )
    is_estimated = not prompt_tokens
    if is_estimated:
        prompt_tokens = sum(count_tokens(message.content) for message in prompt)
        completion_tokens = completion_tokens or count_tokens(text + thoughts)
    return Completion(
        text=text,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cached_prompt_tokens=token_count(
            reply.usage, "cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens"
        ),
        reasoning_tokens=token_count(reply.usage, "reasoning_tokens"),
        is_estimated=is_estimated,
        latency_seconds=seconds,
        found_in="" if found_in == CONTENT else found_in,
        cut_off=cut_off,
        thoughts_cut_off=cut_off and not without_thoughts(text).strip(),
        refused=_refusal(found_in, text, finish),
        served=Served(
            served_model=reported_name(reply.model),
            system_fingerprint=reported_name(reply.system_fingerprint),
            server_version=server_version,
        ),
        setbacks=setbacks,
    )


def _refusal(found_in: str, text: str, finish: str) -> str:
    if found_in == REFUSAL:
        return f"the model refuses this prompt: {text}"
    return f"the server ended the answer: {finish}" if finish in FILTERED else ""


def reported_name(value: object) -> str:
    """Return a name that a server reports, "" if it reports none."""
    return value[:NAME_CHARACTERS_MAX] if isinstance(value, str) else ""


def joined_events(text: str) -> dict[str, Any]:
    """Return the completion of a reply that is streamed although that was not requested.

    :raises ValueError: if an event is no JSON.
    """
    message: dict[str, str] = {}
    finish, said = None, dict[str, Any]()
    for line in text.splitlines():
        event = line.removeprefix("data:").strip()
        if not line.startswith("data:") or event in ("", "[DONE]"):
            continue
        part = object_of(json.loads(event))
        if part.get("error"):
            return dict(part)
        said |= {name: part[name] for name in SAID if part.get(name)}
        for choice in objects_in(part.get("choices"))[:1]:
            finish = choice.get("finish_reason") or finish
            for name, piece in object_of(choice.get("delta") or choice.get("message")).items():
                if isinstance(piece, str):
                    message[name] = message.get(name, "") + piece
    return {"choices": [{"message": message, "finish_reason": finish}], **said}


def _texts(choice: _Choice, *, cut_off: bool) -> Iterator[tuple[str, str]]:
    """Yield the texts of the reply that are not blank, with their field, the best one first."""
    message = choice.message
    called = objects_in([*list_of(message.get("tool_calls")), message.get("function_call")])
    found = [
        *(
            ("tool_calls", object_of(call.get("function", call)).get("arguments"))
            for call in called
        ),
        (CONTENT, message.get("content")),
        ("parsed", message.get("parsed")),
        ("text", choice.text),
        (REFUSAL, message.get(REFUSAL)),
        # Thoughts that were cut off are no answer.
        *((name, "" if cut_off else message.get(name)) for name in THOUGHT_FIELDS),
    ]
    for name, value in found:
        text = _text_of(value)
        if text.strip():
            yield name, text


def _text_of(value: object) -> str:
    """Return a text, the joined texts of parts that are no thoughts, or an object as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        if _is_thought(value):
            return ""
        inner = value.get("text", value.get("content")) if "type" in value else None
        return json.dumps(value, ensure_ascii=False) if inner is None else _text_of(inner)
    return "".join(map(_text_of, list_of(value)))


def _is_thought(part: Mapping[str, Any]) -> bool:
    kind = str(part.get("type", ""))
    return "think" in kind or "reason" in kind or bool(part.get("thought"))


def token_count(usage: object, *names: str) -> int:
    """Return the number of one of the names in the usage or in its details; 0 without one."""
    usage = object_of(usage)
    for part in (usage, *objects_in(list(usage.values()))):
        for name in names:
            value = part.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
                return int(value)
    return 0
