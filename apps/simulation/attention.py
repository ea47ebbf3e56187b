"""How much an agent perceives at once, as the settings of a simulation say (W6, X3)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """How far a person sees (tiles), how much is noticed at once, how long it stays known."""

    vision: int
    bandwidth: int
    retention_ticks: int
