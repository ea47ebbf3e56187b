"""What a model server can do wrong to a town, and what the town then does: one table.

`python -m benchmarks.model_faults` prints it as it comes out, `tests/simulation` holds it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from apps.llm.servers.openai_client import REPLY_BYTES_MAX
from tests.model_server.faults import (
    BEYOND_CONTEXT,
    FILTERED,
    HALF_A_BODY,
    NO_CHOICES,
    NONSENSE,
    UNPARSED,
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
from tests.model_server.server import ModelServer

CHAT, EMBEDDINGS = "chat", "embeddings"
SECONDS_PER_TRY = 30.0
SHORT_SECONDS = 3.0  # where waiting is what it is about
NO_MONEY = "insufficient_quota"


class Ends(StrEnum):
    """What becomes of the call that it happens to."""

    VALID = "answered"
    RETRIED = "retried"
    REPAIRED = "asked again"
    FELL_BACK = "fallback"
    PAUSED = "paused"


def nothing(_server: ModelServer) -> None:
    """Change no switch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What goes wrong: some faults one after the other, or one for good until it is mended.

    `told` is what the reason says when the town pauses; `switch` sets what the server does
    not know at all.
    """

    name: str
    ends: Ends
    faults: tuple[Fault, ...] = ()
    for_good: Fault | None = None
    switch: Callable[[ModelServer], None] = nothing
    kind: str = CHAT
    seconds_per_try: float = SECONDS_PER_TRY
    deadline_seconds: float = 180.0
    told: str = ""


def no_schema(server: ModelServer) -> None:
    server.takes_schema = False


def no_strict_schema(server: ModelServer) -> None:
    server.takes_strict_schema = False


def no_max_tokens(server: ModelServer) -> None:
    server.refused_parameters = {"max_tokens"}


def mended(server: ModelServer) -> None:
    """Let all be well from now on."""
    server.plan.clear()
    server.for_good = None


def _retried(name: str, fault: Fault, kind: str = CHAT) -> Case:
    return Case(name=name, ends=Ends.RETRIED, faults=(fault,), kind=kind)


def _late(name: str, fault: Fault) -> Case:
    return replace(_retried(name, fault), seconds_per_try=SHORT_SECONDS)


def _repaired(name: str, fault: Fault) -> Case:
    return Case(name=name, ends=Ends.REPAIRED, faults=(fault,))


def _paused(name: str, fault: Fault, told: str, kind: str = CHAT) -> Case:
    return Case(name=name, ends=Ends.PAUSED, for_good=fault, told=told, kind=kind)


CASES = (
    _retried("429, once", busy()),
    _retried("500, once", broken()),
    _retried("503 without Retry-After, once", Status(503)),
    _late("no answer in time, once", Delay(4 * SHORT_SECONDS)),
    _retried("connection dropped, once", Drop()),
    _retried("cut off in mid-answer, once", Drop(after_bytes=40)),
    _retried("half a JSON body, once", HALF_A_BODY),
    _retried("no choices, once", NO_CHOICES),
    _retried("a page of HTML instead, once", Body("<html>hello</html>", "text/html")),
    _late("a byte now and then, without end", Trickle(0.05)),
    _retried("far too much", Flood(2 * REPLY_BYTES_MAX)),
    _repaired("words, no JSON", NONSENSE),
    _repaired("JSON of another form", Says('{"answer": 42}')),
    _repaired("nothing at all", Says("")),
    _repaired("cut off by the limit of tokens", Says('{"importances": [1', cut=True)),
    _repaired("an answer that the server cannot parse (500)", UNPARSED),
    _repaired("letters that no database keeps", Says("\x00\ud800 {")),
    Case(name="words, no JSON, for good", ends=Ends.FELL_BACK, for_good=NONSENSE),
    Case(name="a prompt that a filter refuses", ends=Ends.FELL_BACK, faults=(FILTERED,)),
    Case(name="a prompt beyond the context", ends=Ends.FELL_BACK, faults=(BEYOND_CONTEXT,)),
    Case(name="takes no strict schema (400)", ends=Ends.VALID, switch=no_strict_schema),
    Case(name="takes no schema at all (400)", ends=Ends.VALID, switch=no_schema),
    Case(name="does not know max_tokens (400)", ends=Ends.VALID, switch=no_max_tokens),
    replace(
        _paused("429 for good", busy(), f"slow down; tried for {SHORT_SECONDS:g} seconds"),
        deadline_seconds=SHORT_SECONDS,
    ),
    _paused("500 for good", broken(), "oh dear; tried 3 times"),
    _paused("nobody answers for good", Drop(), "the connection failed"),
    _paused(
        "busy, come back in ten minutes",
        Status(503, headers={"retry-after": "600"}),
        "it requests a wait of 600 seconds",
    ),
    _paused("no money (429)", Status(429, "pay", code_word=NO_MONEY), "put money into"),
    _paused("wrong key (401)", Status(401, "no"), "check the api_key"),
    _paused("unknown model (404)", Status(404, "no such model"), "names of its models"),
    _paused("prompt too long (400)", Status(400, "too long"), "check what its models take"),
    _retried("embeddings: 500, once", broken(), EMBEDDINGS),
    _retried("embeddings: half a body, once", HALF_A_BODY, EMBEDDINGS),
    _paused("embeddings: 500 for good", broken(), "tried 3 times", kind=EMBEDDINGS),
    _paused("embeddings: wrong key (401)", Status(401), "check the api_key", kind=EMBEDDINGS),
)
