"""How model servers answer besides their documentation, as users reported it: one table.

`python -m tests.model_server.quirks` prints docs/reference/model_quirks.md. Each quirk is tried
with the adapter in tests/contract/llm/test_model_quirks.py.
"""

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tests.model_server.example import GOOD_TEXT
from tests.model_server.faults import Reply
from tests.model_server.server import DIMENSIONS

Body = dict[str, Any]
GITHUB = "https://github.com"
DRAFT = '{"importances": [1, 1]}'
ALOUD = f"First I thought of {DRAFT}, but that is too low."
CONTEXT_TOKENS = 1_000
LONG_CHARACTERS = 500


class Ends(StrEnum):
    """What becomes of a call to a server with a quirk."""

    ANSWERED = "The answer is read."
    ASKED_AGAIN = "The model is asked again, with more room for its thoughts."
    CONCEDED = "The request is sent in another form from then on."
    WAITED = "The server is asked again after the wait that it names."
    FELL_BACK = "The fallback of the call is done, with the reason on record."
    EMBEDDED = "The texts are embedded in another form of request."
    HASHED = "The text is embedded by hashing, on record; the others as usual."
    PAUSED = "The simulation pauses, and the reason names the fix."


@dataclass(frozen=True, slots=True, kw_only=True)
class Quirk:
    """A quirk: where it was reported, what the server replies, and what becomes of the call.

    `reply` returns None for a request that the server answers well. `told` is in the reason of
    a fallback or a pause. `answers_before` says that the model gives one useless answer first.
    """

    server: str
    what: str
    thread: str
    reply: Callable[[Body], Reply | None]
    ends: Ends
    told: str = ""
    answers_before: bool = False


def said(message: Body, finish: str = "stop", usage: Body | None = None) -> Reply:
    """Return a completion."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    used = usage or {"prompt_tokens": 11, "completion_tokens": 7}
    return Reply(json.dumps({"choices": [choice], "usage": used}))


def content(text: str) -> Callable[[Body], Reply]:
    """Return a quirk of the text alone."""
    return lambda _: said({"content": text})


def error(status: int, body: Any) -> Reply:
    """Return an error, or with status 200 one in the form of a success."""
    return Reply(body if isinstance(body, str) else json.dumps(body), status)


def refused(status: int, **fields: Any) -> Reply:
    """Return an error in the form of OpenAI."""
    return error(status, {"error": fields})


def always(reply: Reply) -> Callable[[Body], Reply]:
    """Return a quirk that is the same for all requests."""
    return lambda _: reply


def unless(is_fine: Callable[[Body], bool], reply: Reply) -> Callable[[Body], Reply | None]:
    """Return a quirk of requests that are not as the server wants them."""
    return lambda body: None if is_fine(body) else reply


def once(reply: Reply) -> Callable[[Body], Reply | None]:
    """Return a quirk of the first request."""
    replies = [reply]
    return lambda _: replies.pop() if replies else None


def limit_of(body: Body) -> int:
    """Return the limit of the answer that a request has."""
    return int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)


def beyond_context(status: int, told: Any) -> Callable[[Body], Reply | None]:
    """Return a quirk of requests whose answer may be longer than the context."""
    return unless(lambda body: limit_of(body) < CONTEXT_TOKENS, error(status, told))


def _without(name: str) -> Callable[[Body], bool]:
    return lambda body: name not in body


def _starts_with_user(body: Body) -> bool:
    return bool(body["messages"][0]["role"] == "user")


def _has_no_answers(body: Body) -> bool:
    return all(message["role"] != "assistant" for message in body["messages"])


def _vectors(vector_of: Callable[[str], Any]) -> Callable[[Body], Reply]:
    def reply(body: Body) -> Reply:
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        data = [{"index": at, "embedding": vector_of(text)} for at, text in enumerate(texts)]
        return Reply(json.dumps({"data": data}))

    return reply


def _ones(text: str) -> list[float]:
    return [float(len(text) % 7 + 1)] * DIMENSIONS


def _short(body: Body) -> bool:
    return all(len(text) <= LONG_CHARACTERS for text in body["input"])


def chat_quirks() -> tuple[Quirk, ...]:
    """Return the quirks of chat servers."""
    return (
        Quirk(
            server="vLLM",
            what="puts JSON that a grammar constrains into the thoughts (`reasoning`)",
            thread="vllm-project/vllm/issues/50948",
            reply=always(said({"content": None, "reasoning": GOOD_TEXT})),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="LM Studio",
            what="holds the thoughts to the schema and leaves the content empty",
            thread="lmstudio-ai/lmstudio-bug-tracker/issues/1773",
            reply=always(said({"content": "", "reasoning_content": GOOD_TEXT})),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Ollama",
            what="puts all text of Gemma 4 into `reasoning` of its OpenAI endpoint",
            thread="ollama/ollama/issues/15288",
            reply=always(said({"content": "", "reasoning": f"{ALOUD} So: {GOOD_TEXT}"})),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="llama.cpp",
            what="prints the channels of gpt-oss as plain words",
            thread="oobabooga/textgen/issues/7374",
            reply=content(
                f"analysisThey ask for two numbers. {ALOUD}assistantfinal{GOOD_TEXT}"
            ),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="MLX",
            what="leaves the tokens of the channels of gpt-oss in the text",
            thread="waybarrios/vllm-mlx/pull/53",
            reply=content(
                f"<|channel|>analysis<|message|>{ALOUD}<|end|><|start|>assistant"
                f"<|channel|>final<|message|>{GOOD_TEXT}<|return|>"
            ),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Kimi",
            what="ends its thoughts with a tag that it did not open",
            thread="skalesapp/skales/issues/166",
            reply=content(f"{ALOUD}\n</think>\n{GOOD_TEXT}"),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Kimi",
            what="writes its thoughts between `<thought>` tags",
            thread="Chevey339/kelivo/issues/450",
            reply=content(f"<thought>{ALOUD}</thought>{GOOD_TEXT}"),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Kimi",
            what="writes its thoughts between signs of its own",
            thread="sgl-project/sglang/pull/9192",
            reply=content(f"\u25c1think\u25b7{ALOUD}\u25c1/think\u25b7{GOOD_TEXT}"),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="MiniMax",
            what="puts a prefix before the name of the tag",
            thread="getkimchi/kimchi/pull/598",
            reply=content(f"<mm:think>{ALOUD}</mm:think>{GOOD_TEXT}"),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Mistral",
            what="gives the content as parts, with thoughts that are parts themselves",
            thread="agentjido/req_llm/issues/742",
            reply=always(
                said(
                    {
                        "content": [
                            {"type": "thinking", "thinking": [{"type": "text", "text": ALOUD}]},
                            {"type": "text", "text": GOOD_TEXT},
                        ]
                    }
                )
            ),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Mistral",
            what="divides one text into parts around empty thoughts",
            thread="mistralai/client-python/issues/252",
            reply=always(
                said(
                    {
                        "content": [
                            {"type": "text", "text": GOOD_TEXT[:9]},
                            {"type": "thinking", "thinking": []},
                            {"type": "text", "text": GOOD_TEXT[9:]},
                        ]
                    }
                )
            ),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Groq",
            what="refuses an answer that it cannot read, and has it in `failed_generation`",
            thread="thepersonalaicompany/amurex-backend/issues/38",
            reply=once(
                refused(
                    400,
                    message="the JSON could not be generated",
                    code="json_validate_failed",
                    failed_generation=f"Here you are:\n```json\n{GOOD_TEXT}\n```",
                )
            ),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="xAI",
            what="counts thoughts in the total only",
            thread="Wei-Shaw/sub2api/issues/5771",
            reply=always(
                said(
                    {"content": GOOD_TEXT},
                    usage={
                        "prompt_tokens": 11,
                        "completion_tokens": 7,
                        "total_tokens": 58,
                        "completion_tokens_details": {"reasoning_tokens": 40},
                    },
                )
            ),
            ends=Ends.ANSWERED,
        ),
        Quirk(
            server="Gemini",
            what="uses up the limit of the answer for thoughts and gives no text",
            thread="stanford-crfm/helm/pull/3804",
            reply=lambda body: said({}, "length") if limit_of(body) < 4_000 else None,
            ends=Ends.ASKED_AGAIN,
        ),
        Quirk(
            server="Gemini",
            what="puts an error into a list",
            thread="n4ze3m/page-assist/issues/406",
            reply=once(
                error(
                    429,
                    [
                        {
                            "error": {
                                "code": 429,
                                "message": "exhausted",
                                "status": "RESOURCE_EXHAUSTED",
                            }
                        }
                    ],
                )
            ),
            ends=Ends.WAITED,
        ),
        Quirk(
            server="Gemini",
            what="writes an error into the message of an error, as text",
            thread="continuedev/continue/issues/10560",
            reply=once(
                error(
                    200,
                    {
                        "error": {
                            "code": 429,
                            "message": '{"error": {"message": "Please retry in 5ms"}}',
                        }
                    },
                )
            ),
            ends=Ends.WAITED,
        ),
        Quirk(
            server="OpenRouter",
            what="tells the reason in `metadata` only",
            thread="open-webui/computer/issues/293",
            reply=once(
                refused(
                    200,
                    message="Provider returned error",
                    code=429,
                    metadata={"raw": "limited upstream, retry after 5 ms"},
                )
            ),
            ends=Ends.WAITED,
        ),
        Quirk(
            server="OpenRouter",
            what="refuses a parameter by the words of another provider",
            thread="reVrost/go-openrouter/pull/21",
            reply=unless(
                _without("response_format"),
                error(
                    400,
                    {
                        "error": {
                            "message": "Provider returned error",
                            "code": 400,
                            "metadata": {"raw": '{"error": {"param": "text.format"}}'},
                        }
                    },
                ),
            ),
            ends=Ends.CONCEDED,
        ),
        Quirk(
            server="Mistral",
            what="names a parameter that it does not know in a list inside of the message",
            thread="mistralai/platform-docs-public/issues/7",
            reply=unless(
                _without("seed"),
                error(
                    422,
                    {
                        "object": "error",
                        "message": {
                            "detail": [{"type": "extra_forbidden", "loc": ["body", "seed"]}]
                        },
                    },
                ),
            ),
            ends=Ends.CONCEDED,
        ),
        Quirk(
            server="vLLM",
            what="serves models whose roles must alternate, without a system",
            thread="microsoft/autogen/issues/1037",
            reply=unless(
                _starts_with_user,
                error(400, {"message": "Conversation roles must alternate user/assistant/..."}),
            ),
            ends=Ends.CONCEDED,
        ),
        Quirk(
            server="mistral.rs",
            what="answers a system message for Gemma with 500 and no word",
            thread="EricLBuehler/mistral.rs/issues/506",
            reply=unless(_starts_with_user, error(500, "")),
            ends=Ends.CONCEDED,
        ),
        Quirk(
            server="DeepSeek",
            what="wants the thoughts of an answer back when it is corrected",
            thread="JohnnyZ93/oai-compatible-copilot/issues/202",
            reply=unless(
                _has_no_answers,
                refused(400, message="reasoning_content must be passed back"),
            ),
            ends=Ends.CONCEDED,
            answers_before=True,
        ),
        Quirk(
            server="DeepSeek",
            what="refuses a prompt and an answer that are too long together",
            thread="evalstate/fast-agent/issues/621",
            reply=beyond_context(
                400,
                {
                    "error": {
                        "message": "This model's maximum context length is 1000 tokens. "
                        "However, you requested 2248 tokens (200 in the messages, 2048 in the "
                        "completion)."
                    }
                },
            ),
            ends=Ends.CONCEDED,
        ),
        Quirk(
            server="SGLang",
            what="refuses a prompt that is longer than the context",
            thread="QwenLM/Qwen3/issues/1321",
            reply=always(
                error(
                    400,
                    {
                        "object": "error",
                        "message": "The input (61709 tokens) is longer than the model's "
                        "context length (40960 tokens).",
                    },
                )
            ),
            ends=Ends.FELL_BACK,
            told="longer than the model's context length",
        ),
        Quirk(
            server="llama.cpp",
            what="answers such a prompt with 500",
            thread="ggml-org/llama.cpp/pull/15780",
            reply=always(
                refused(
                    500,
                    code=500,
                    type="exceed_context_size_error",
                    n_prompt_tokens=1407,
                    n_ctx=256,
                )
            ),
            ends=Ends.FELL_BACK,
            told="exceed_context_size_error",
        ),
        Quirk(
            server="llama.cpp",
            what="answers such a prompt with an error and status 200",
            thread="oobabooga/textgen/issues/7257",
            reply=always(
                refused(
                    200,
                    code=400,
                    message="the request exceeds the available context size",
                    n_prompt_tokens=14429,
                    n_ctx=8192,
                )
            ),
            ends=Ends.FELL_BACK,
            told="available context size",
        ),
        Quirk(
            server="Azure",
            what="refuses a harmless prompt for its content",
            thread="microsoft/TinyTroupe/issues/85",
            reply=always(
                refused(
                    400,
                    message="The response was filtered",
                    code="content_filter",
                    innererror={"code": "ResponsibleAIPolicyViolation"},
                )
            ),
            ends=Ends.FELL_BACK,
            told="ResponsibleAIPolicyViolation",
        ),
        Quirk(
            server="litellm",
            what="passes such a refusal on with the code 400",
            thread="BerriAI/litellm/pull/16231",
            reply=always(
                refused(
                    400,
                    message="ContentPolicyViolationError: content management policy",
                    code="400",
                )
            ),
            ends=Ends.FELL_BACK,
            told="ContentPolicyViolationError",
        ),
        Quirk(
            server="DeepSeek",
            what="refuses a prompt for its content in `detail`",
            thread="deepseek-ai/DeepSeek-V2/issues/30",
            reply=always(error(400, {"detail": "Content Exists Risk"})),
            ends=Ends.FELL_BACK,
            told="Content Exists Risk",
        ),
        Quirk(
            server="OpenRouter",
            what="has no money for the limit of the answer",
            thread="Taewan-P/gpt_mobile/issues/284",
            reply=always(refused(402, message="requires more credits, or fewer max_tokens")),
            ends=Ends.PAUSED,
            told="put money into the account",
        ),
        Quirk(
            server="LM Studio",
            what="has no model loaded",
            thread="lmstudio-ai/lms/issues/107",
            reply=always(error(404, {"error": "No models loaded. Please load a model"})),
            ends=Ends.PAUSED,
            told="check the names of its models",
        ),
        Quirk(
            server="MiniMax",
            what="has no money left and says so with 500",
            thread="MiniMax-AI/MiniMax-M2/issues/62",
            reply=always(
                error(
                    500, {"type": "error", "error": {"message": "insufficient balance (1008)"}}
                )
            ),
            ends=Ends.PAUSED,
            told="put money into the account",
        ),
    )


def embedding_quirks() -> tuple[Quirk, ...]:
    """Return the quirks of embedding servers."""
    return (
        Quirk(
            server="vLLM",
            what="takes no `dimensions` for most models",
            thread="vllm-project/vllm/issues/15465",
            reply=unless(
                _without("dimensions"),
                error(
                    400, {"object": "error", "message": "dimensions is currently not supported"}
                ),
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="Mistral",
            what="names `dimensions` as an input too many",
            thread="BerriAI/litellm/issues/3725",
            reply=unless(
                _without("dimensions"),
                error(
                    422, {"detail": [{"loc": ["body", "dimensions"], "msg": "Extra inputs"}]}
                ),
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="DashScope",
            what="takes 10 texts at once",
            thread="memodb-io/memobase/issues/142",
            reply=unless(
                lambda body: len(body["input"]) <= 10,
                refused(400, message="batch size is invalid, not larger than 10"),
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="a gateway of text-embeddings-inference",
            what="refuses many texts with an error of its own and status 200",
            thread="apecloud/ApeRAG/issues/716",
            reply=unless(
                lambda body: len(body["input"]) <= 10,
                error(
                    200,
                    {
                        "code": 20042,
                        "message": "input batch size 40 > maximum 10",
                        "data": None,
                    },
                ),
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="FastChat",
            what="takes one text, and no list",
            thread="lm-sys/FastChat/pull/1300",
            reply=lambda body: (
                _vectors(_ones)(body)
                if isinstance(body["input"], str)
                else error(400, {"message": "body -> input: str type expected", "code": 40001})
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="llama-cpp-python",
            what="puts each vector into a list of its own",
            thread="abetlen/llama-cpp-python/issues/1588",
            reply=_vectors(lambda text: [_ones(text)]),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="llama.cpp",
            what="answers a text beyond its batch with 500",
            thread="gpustack/gpustack/issues/472",
            reply=unless(
                _short,
                refused(500, message="input is too large, increase the batch size"),
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="Ollama",
            what="refuses a text that is longer than the context",
            thread="n8n-io/n8n/issues/11144",
            reply=unless(
                _short, error(400, {"error": "input length exceeds maximum context length"})
            ),
            ends=Ends.EMBEDDED,
        ),
        Quirk(
            server="Ollama",
            what="has no numbers for some short texts, and answers with 500",
            thread="hang-in/seCall/issues/5",
            reply=unless(
                lambda body: not any("number 3" in text for text in body["input"]),
                error(
                    500, {"error": "failed to encode response: json: unsupported value: NaN"}
                ),
            ),
            ends=Ends.HASHED,
        ),
        Quirk(
            server="Ollama",
            what="lets such numbers through",
            thread="ollama/ollama/issues/9639",
            reply=_vectors(
                lambda text: [math.nan] * DIMENSIONS if "number 3" in text else _ones(text)
            ),
            ends=Ends.HASHED,
        ),
        Quirk(
            server="Docker Model Runner",
            what="serves a model without pooling",
            thread="docker/for-mac/issues/7670",
            reply=always(
                refused(400, message="Pooling type 'none' is not OAI compatible", code=400)
            ),
            ends=Ends.PAUSED,
            told="Pooling type 'none'",
        ),
    )


def quirks_page() -> str:
    """Return docs/reference/model_quirks.md."""
    lines = [
        "# Quirks of model servers",
        "",
        "Servers that speak the OpenAI protocol differ from its documentation and from their "
        "own. This page lists what users reported in public, and what this service does with "
        "it. "
        "Each row is a test (`tests/contract/llm/test_model_quirks.py`).",
    ]
    for title, quirks in (("Chat", chat_quirks()), ("Embeddings", embedding_quirks())):
        lines += [
            "",
            f"## {title}",
            "",
            "| server | what it does | what comes of it | reported in |",
        ]
        lines.append("|---|---|---|---|")
        lines += [
            f"| {one.server} | {one.what} | {one.ends} "
            f"| [{one.thread}]({GITHUB}/{one.thread}) |"
            for one in quirks
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(quirks_page())
