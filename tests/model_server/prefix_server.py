"""A test server that reports which tokens of a prompt it has in its cache, and adds them up."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from apps.llm.tokens import count_tokens
from tests.model_server.prefix_cache import (
    OPENAI,
    CacheRules,
    PrefixCache,
    prompt_tokens_of,
    schema_text,
)
from tests.model_server.server import AnswerFunction, ModelServer

NO_TASK = "without a schema"


@dataclass(slots=True)
class TaskUse:
    """The requests of one LLM task.

    Input and cached tokens are by the name of the cache's rules: the schema counts as input
    only where it is a part of the prompt. Section tokens are by the source of quoted sections,
    and those of the rules of the common section and of the task.
    """

    calls: int = 0
    schema_tokens: int = 0
    output_tokens: int = 0
    input_tokens: Counter[str] = field(default_factory=Counter)
    cached_tokens: Counter[str] = field(default_factory=Counter)
    section_tokens: Counter[str] = field(default_factory=Counter)

    def share(self, rules: CacheRules) -> float:
        """Return the share of the input that was cached, from 0 to 1."""
        return self.cached_tokens[rules.name] / max(1, self.input_tokens[rules.name])


class PrefixServer(ModelServer):
    """A model server with prefix caches of several rules; `usage` tells of the first.

    `uses` are the requests by LLM task, with the names of the schemas: "planning_day_outline".
    """

    def __init__(
        self, answer: AnswerFunction, rules: tuple[CacheRules, ...] = (OPENAI,)
    ) -> None:
        super().__init__(answer)
        self.uses: dict[str, TaskUse] = {}
        self._caches = [PrefixCache(one) for one in rules]
        self._uses_lock = threading.Lock()

    def usage_of(self, body: dict[str, Any], content: str) -> dict[str, Any]:
        """Return the usage of a request, which is added to those of its task."""
        found = []
        for cache in self._caches:
            tokens = prompt_tokens_of(body, cache.rules)
            found.append((cache.rules, len(tokens), cache.look_up(tokens)))
        output = count_tokens(content)
        with self._uses_lock:
            use = self.uses.setdefault(task_of(body), TaskUse())
            use.calls += 1
            use.schema_tokens += count_tokens(schema_text(body))
            use.output_tokens += output
            for rules, read, cached in found:
                use.input_tokens[rules.name] += read
                use.cached_tokens[rules.name] += cached
        _rules, read, cached = found[0]
        return {
            "prompt_tokens": read,
            "completion_tokens": output,
            "total_tokens": read + output,
            "prompt_tokens_details": {"cached_tokens": cached},
        }


def task_of(body: dict[str, Any]) -> str:
    """Return the name of the schema of a request, which is that of its LLM task."""
    name = body.get("response_format", {}).get("json_schema", {}).get("name", NO_TASK)
    return str(name)
