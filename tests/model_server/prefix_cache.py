"""The prefix cache of a model server: which tokens of a prompt it has seen before.

Servers cache the beginning of a prompt in blocks. A block is found if it and all blocks before
it were sent before. Nothing is evicted here, so what is counted is the most that a server with
the same rules can save.
"""

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from apps.llm.tokens import CHARACTERS_PER_TOKEN

_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheRules:
    """What a server caches: whole blocks, from a smallest number of tokens on.

    `has_schema`: the JSON schema of the answer is a part of the prompt, before all messages.
    """

    name: str
    block_tokens: int
    tokens_min: int
    has_schema: bool


# https://developers.openai.com/api/docs/guides/prompt-caching: from 1,024 tokens on, in steps
# of 128; "the structured output schema serves as a prefix to the system message".
OPENAI = CacheRules(name="openai", block_tokens=128, tokens_min=1_024, has_schema=True)
# https://docs.vllm.ai/en/latest/design/prefix_caching: full blocks, of 16 tokens by default. A
# schema guides the choice of tokens and is not in the prompt.
VLLM = CacheRules(name="vllm", block_tokens=16, tokens_min=0, has_schema=False)


class PrefixCache:
    """The blocks that a server has seen, since it was started."""

    def __init__(self, rules: CacheRules) -> None:
        self.rules = rules
        self._blocks: set[bytes] = set()
        self._lock = threading.Lock()

    def look_up(self, tokens: Sequence[str]) -> int:
        """Return how many of the first tokens are cached; from now on all are.

        The last token is never taken from the cache: a server has to compute one to answer.
        """
        size = self.rules.block_tokens
        blocks = _chained(tokens[: (len(tokens) - 1) // size * size], size)
        with self._lock:
            known = next(
                (number for number, block in enumerate(blocks) if block not in self._blocks),
                len(blocks),
            )
            self._blocks.update(_chained(tokens, size))
        cached = known * size
        return cached if cached >= self.rules.tokens_min else 0


def prompt_tokens_of(body: dict[str, Any], rules: CacheRules) -> list[str]:
    """Return the tokens of a chat request, in the order in which a server reads them.

    They are as many as `count_tokens` says of each text.
    """
    texts = [(message["role"], message["content"]) for message in body["messages"]]
    if rules.has_schema:
        texts.insert(0, ("schema", schema_text(body)))
    return [token for role, text in texts for token in _tokens(role, text)]


def schema_text(body: dict[str, Any]) -> str:
    """Return the JSON schema of a chat request, "" if it has none."""
    requested = body.get("response_format", {}).get("json_schema")
    return "" if requested is None else json.dumps(requested["schema"], ensure_ascii=False)


def _tokens(role: str, text: str) -> Iterable[str]:
    """Yield four characters at a time; the first ones with the role, which servers read too."""
    for start in range(0, len(text), CHARACTERS_PER_TOKEN):
        token = text[start : start + CHARACTERS_PER_TOKEN]
        yield token if start else f"<{role}>{token}"


def _chained(tokens: Sequence[str], size: int) -> list[bytes]:
    """Return a digest of each full block and all blocks before it."""
    digests, digest = [], b""
    for start in range(0, len(tokens) - size + 1, size):
        text = "\0".join(tokens[start : start + size]).encode("utf-8", "surrogatepass")
        digest = blake2b(digest + text, digest_size=_DIGEST_BYTES).digest()
        digests.append(digest)
    return digests
