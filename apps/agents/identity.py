"""Who a person is: the few fixed facts that are not memory (S1); plain Python."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """When a person wakes, sleeps and dines, in minutes after midnight.

    `sleep` may lie past midnight: 1,440 is midnight, 1,500 is 1:00 of the next day.
    """

    wake: int
    sleep: int
    dinner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Name, age, traits, hours, home and workplace; everything else is memory (S1).

    `home`, `bed` and `workplace` are node paths in words.
    """

    slug: str
    name: str
    age: int
    traits: tuple[str, ...]
    hours: Hours
    home: str
    bed: str
    workplace: str | None

    @property
    def first_name(self) -> str:
        """The name that friends use."""
        return self.name.split()[0]
