"""The call log: what is recorded of a model call, and the ports to its storage (L3)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from apps.llm.port import NOTHING_SAID, CallPurpose, Messages, Served
from apps.llm.prices import FREE, Price
from apps.llm.usage import Usage

JsonObject = dict[str, object]
EMBEDDING = "embedding"  # in the place of the LLM task in records of embedding calls


@dataclass(frozen=True, slots=True, order=True)
class CallKey:
    """The identity of a call: its place in the history, and the fingerprint of its request."""

    call_id: str
    request_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """The place of a call in the history of its simulation; `task` is the LLM task's name."""

    simulation_id: UUID
    tick: int
    stream: str
    task: str
    ordinal: int
    purpose: CallPurpose = CallPurpose.TURN

    @property
    def call_id(self) -> str:
        """The call's id: "2490/isabella-rodriguez/planning.day_outline/0"."""
        return f"{self.tick}/{self.stream}/{self.task}/{self.ordinal}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletedCall:
    """A call with its answer.

    `attempts` have the form of `call_record.attempt_json`, `differences` that of
    `Difference.to_json`: from the last answer of the model to `answer`, which is done.
    """

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
    spent: Usage
    served: Served = NOTHING_SAID
    differences: tuple[dict[str, str], ...] = ()

    @property
    def key(self) -> CallKey:
        """The identity of the call."""
        return CallKey(self.place.call_id, self.request_sha256)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCall:
    """A call that ended without an answer. It is no part of the simulation's history."""

    place: CallPlace
    server: str
    model: str
    code: str
    detail: str
    attempts: tuple[JsonObject, ...]
    spent: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingContext:
    """The place and purpose of an embedding, and the price; None if it is not known."""

    simulation_id: UUID
    tick: int
    stream: str
    price: Price | None = FREE
    purpose: CallPurpose = CallPurpose.TURN


class CallLog(Protocol):
    """Stores the calls of one simulation."""

    def completed(self, *, tick: int, stream: str) -> Mapping[CallKey, JsonObject]:
        """Return the answers of a turn's completed calls."""
        ...

    def reuse(self, *, tick: int, stream: str, keys: Collection[CallKey]) -> int:
        """Store the calls of the turn that other simulations of the family have answered.

        Return how many those are.

        Of the same family are the ancestors and branches of a simulation, and their branches,
        that have its seed. A stored call with the same key had the same request, to the same
        model; used again, it costs nothing.
        """
        ...

    def record(self, call: CompletedCall) -> JsonObject:
        """Store the call; return the answer that counts: an earlier one, if there is one.

        In that case the call is recorded as a failure, because it was paid for, too.
        """
        ...

    def record_all(self, calls: Sequence[CompletedCall]) -> None:
        """Store the calls; those that are stored already stay as they are."""
        ...

    def record_failure(self, failure: FailedCall) -> None:
        """Store a failed call."""
        ...

    def fell_back_only(self, *, server: str, model: str) -> bool:
        """Return whether the fallback of every one of the last calls of turns was used.

        The calls are those to the model, and several: a few may fail.
        """
        ...

    def ensure_within_budget(self, unrecorded: Sequence[Usage], *, is_priced: bool) -> None:
        """Check the simulation's budget before a call (L5).

        :param unrecorded: what completed calls used that are not recorded yet.
        :param is_priced: whether the price of the model is known.
        :raises BudgetSpent: if the budget is spent.
        :raises PriceUnknown: if the budget is of money and the price is not known.
        """
        ...

    def release_connection(self) -> None:
        """Release the database connection for the time of a remote call.

        :raises AssertionError: inside a transaction, which would hold a connection.
        """
        ...


class Vectors(Protocol):
    """Stores the vectors of one embedding model by content."""

    def ensure(self, texts: Sequence[str], *, along: Sequence[str] = ()) -> None:
        """Ensure that the vectors of the texts are stored.

        The texts `along` are embedded too if that takes a request.
        """
        ...

    def vectors(
        self, texts: Sequence[str], *, along: Sequence[str] = ()
    ) -> dict[str, list[float]]:
        """Return the vectors by text, as they are stored; `along` as for `ensure`."""
        ...
