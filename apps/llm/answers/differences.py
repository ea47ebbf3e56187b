"""How the answer of a model differs from what is done: a part of the call's record."""

from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One value that was answered, and the value that is used in its place.

    `field` is the path of the field with positions from 1 ("chunks.3.starts"); the values are
    texts, "" for a part that was not answered or is left out; `reason` is a phrase.
    """

    field: str
    answered: str
    used: str
    reason: str

    def to_json(self) -> dict[str, str]:
        """Return the difference as it is recorded."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Adjusted(Generic[Answer]):
    """An answer that can be done as it stands, and how it differs from the one given."""

    answer: Answer
    differences: tuple[Difference, ...] = ()
