"""Numbers of a simulation that name model calls outside of turns: each is given once."""

from collections.abc import Iterator
from typing import Literal

from apps.simulation.models import SimulationRow

NumberedKind = Literal["interviews", "ranking-tasks", "news-findings"]


def take_numbers(row: SimulationRow, kind: NumberedKind, many: int) -> Iterator[int]:
    """Yield the next numbers of a kind, from 1, of a simulation whose row is locked.

    What has a number can be deleted, but its calls stay on the call log: no other request may
    have their ids.
    """
    first = row.numbers_taken.get(kind, 0) + 1
    row.numbers_taken |= {kind: first + many - 1}
    row.save(update_fields=["numbers_taken"])
    return iter(range(first, first + many))
