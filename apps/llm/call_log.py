"""What the gateway keeps of every call, and the ports that it keeps it through (L3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from apps.llm.port import Messages
from apps.llm.prices import FREE, Price

JsonObject = dict[str, object]
EMBEDDING = "embedding"  # stands where a chain's name would


@dataclass(frozen=True, slots=True, order=True)
class CallKey:
    """Which call: its place in the history, and the fingerprint of what was asked."""

    call_id: str
    request_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """Where in the history of its simulation a call belongs."""

    simulation_id: UUID
    tick: int
    stream: str
    chain: str
    ordinal: int

    @property
    def call_id(self) -> str:
        """The call's identity: "2490/isabella-rodriguez/planning.day_outline/0"."""
        return f"{self.tick}/{self.stream}/{self.chain}/{self.ordinal}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a call used. `latency_ms` is the model's own time, all attempts together."""

    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: Decimal


NOTHING_SPENT = Spent(prompt_tokens=0, completion_tokens=0, latency_ms=0, cost=Decimal(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletedCall:
    """A call with its answer; `attempts` are as `call_record.attempt_json` makes them."""

    place: CallPlace
    request_sha256: str
    wording_version: str
    server: str
    model: str
    messages: Messages
    answer: JsonObject
    outcome: str
    fallback: str
    attempts: tuple[JsonObject, ...]
    spent: Spent

    @property
    def key(self) -> CallKey:
        """Which call this is."""
        return CallKey(self.place.call_id, self.request_sha256)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCall:
    """A call that ended without an answer: a record of the machinery, not of the town."""

    place: CallPlace
    server: str
    model: str
    code: str
    detail: str
    attempts: tuple[JsonObject, ...]
    spent: Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """On whose behalf texts are embedded, and at what price; None if it is not known."""

    simulation_id: UUID
    tick: int
    stream: str
    price: Price | None = FREE


class CallLog(Protocol):
    """Keeps the calls of one simulation."""

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:
        """Return the answers that a turn already has."""
        ...

    def record(self, call: CompletedCall) -> JsonObject:
        """Keep the call and return the answer that stands: an earlier one, if there is one.

        A call that was overtaken is on record as a failure: it was paid, too.
        """
        ...

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Keep the calls; those already kept stay as they are."""
        ...

    def record_failure(self, failure: FailedCall) -> None:
        """Keep that the call failed."""
        ...

    def refuse_spent(self, besides: Sequence[Spent] = (), *, is_priced: bool = True) -> None:
        """Refuse to go on when the simulation's budget is spent (L5).

        `besides` is what was used and is not recorded yet; `is_priced` says that the price of
        the model is known.

        :raises BudgetSpent: if it is.
        :raises PriceUnknown: if the budget is of money and the price is not known.
        """
        ...

    def let_go(self) -> None:
        """Hold nothing while a remote model thinks (design section 5).

        :raises AssertionError: inside a transaction, which would hold a connection.
        """
        ...


class Vectors(Protocol):
    """Keeps the vectors of one embedding model by content."""

    def ensure(self, texts: Sequence[str]) -> None:
        """Make sure that the texts' vectors are kept."""
        ...

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text, as they are kept."""
        ...
