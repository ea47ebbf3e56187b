"""The identity of an agent: its fixed facts besides memories (S1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """The hours of waking, sleep and dinner, in minutes after midnight.

    `sleep` may exceed 1,440: 1,500 is 1:00 of the next day.
    """

    wake: int
    sleep: int
    dinner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The identity of an agent; `home`, `bed` and `workplace` are node paths in words."""

    slug: str
    name: str
    age: int
    traits: tuple[str, ...]
    hours: Hours
    home: str
    bed: str
    workplace: str | None
