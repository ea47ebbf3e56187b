"""A model server that answers at random: a null experiment, in which no condition can win.

Every answer has the form that is asked for, and words or numbers that do not depend on the
prompt. The seed of the request decides them, so that a run can be repeated.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

from apps import wiring
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.llm.servers.openai_chat import OpenAIChatModel
from apps.simulation.ports import Ports
from tests.model_server.server import MODEL, ModelServer

_WORDS = (
    "river", "stone", "seven", "under", "lamp", "green", "walk", "paper", "never", "cloud",
)  # fmt: skip
_WORDS_MAX = 12
_ITEMS = 3  # of a list without a length


def random_answer(body: dict[str, Any]) -> str:
    """Return a random answer of the requested form."""
    schema = body["response_format"]["json_schema"]["schema"]
    return json.dumps(_drawn(schema, schema.get("$defs", {}), Random(body["seed"])))


@contextmanager
def random_model_ports() -> Iterator[Ports]:
    """Yield ports whose chat model is a server that answers at random; embeddings stay."""
    with ModelServer(random_answer) as server:
        ports = wiring.ports()
        chat = OpenAIChatModel(server.as_server(), MODEL)

        def models(spec: ModelSpec, seed: int) -> Models:
            return replace(ports.open_models(spec, seed), chat=chat)

        yield replace(ports, open_models=models)


def _drawn(schema: dict[str, Any], named: dict[str, Any], chance: Random) -> Any:
    """Return a value of a schema as those of interviews, summaries and rankings are."""
    if "$ref" in schema:
        return _drawn(named[schema["$ref"].rpartition("/")[2]], named, chance)
    if schema["type"] == "object":
        properties = schema["properties"].items()
        return {name: _drawn(one, named, chance) for name, one in properties}
    if schema["type"] == "array":
        count = schema.get("minItems") or _ITEMS
        if schema["items"]["type"] == "integer":
            return chance.sample(range(1, count + 1), count)
        return [_drawn(schema["items"], named, chance) for _ in range(count)]
    return " ".join(chance.choices(_WORDS, k=chance.randint(2, _WORDS_MAX)))
