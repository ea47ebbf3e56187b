"""The limits of an agent's perception, from the settings of a simulation (W6, X3)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """The vision (tiles), the number of things noticed at once, how long they stay known."""

    vision: int
    bandwidth: int
    retention_ticks: int
