"""Typed input of the LLM task of lasting facts."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsInput:
    """The phrases of an agent's description, in order, and the full names of other agents."""

    agent_name: str
    today: date
    statements: tuple[str, ...]
    others: tuple[str, ...]
