"""Estimates of the cost of a run, from the simulation's own past or from figures (L5).

The figures were measured with the rule-based model, by `python -m benchmarks.agent_day`, and
count four characters as a token. The number of calls hardly depends on the model; the length
of answers does, so a chain's own calls are used before the figures.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from apps.llm.call_log import EMBEDDING
from apps.llm.prices import FREE, Price
from apps.llm.queries import CostLine

FIGURES_FILE = Path(__file__).parent / "figures" / "agent_day.json"
AGENT_DAYS_MIN = 1.0  # of the own past: a night alone tells nothing of a day
CALLS_MIN = 10  # of a chain, for its own tokens a call to be validated_answer


class RestsOn(StrEnum):
    """What a chain's line rests on."""

    OWN_PAST = "own past"
    OWN_TOKENS = "figures, with own tokens a call"
    FIGURES = "figures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one person asks of one chain in a day: calls, and tokens of all of them."""

    calls: float
    prompt_tokens: float
    completion_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What the simulation has used by chain, in how many days of people's lives."""

    used: Mapping[str, CostLine]
    agent_days: float
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateLine:
    """What one chain is going to use, about."""

    chain: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal
    rests_on: RestsOn


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run is going to use. `unmeasured` are chains that nothing is known of."""

    lines: tuple[EstimateLine, ...]
    unmeasured: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices of the chat and of the embedding model, None where they are not known."""

    chat: Price | None
    embedding: Price | None
    embeds_remotely: bool

    @property
    def are_known(self) -> bool:
        """Whether money can be counted at all."""
        return self.chat is not None and self.embedding is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """How the figures were measured: the command, its date, and the simulation."""

    measured_by: str
    measured_on: str
    world: str
    people: int


def measurement() -> Measurement:
    """Return how the figures were measured last."""
    kept = _kept_figures()
    return Measurement(
        measured_by=kept["measured_by"],
        measured_on=kept["measured_on"],
        world=kept["world"],
        people=kept["people"],
    )


@cache
def measured() -> Mapping[str, Figure]:
    """Return the figures by chain, as they were measured last."""
    return {chain: Figure(**figure) for chain, figure in _kept_figures()["chains"].items()}


@cache
def _kept_figures() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(FIGURES_FILE.read_text(encoding="utf-8"))
    return kept


def estimate(chains: Iterable[str], agent_days: float, past: Past, prices: Prices) -> Estimate:
    """Return what so many days of people's lives use; a night counts like any hours."""
    asked = [*chains, *([EMBEDDING] if prices.embeds_remotely else [])]
    lines, unmeasured = [], []
    for chain in sorted(asked):
        known = _a_day_of(chain, past)
        if known is None:
            unmeasured.append(chain)
            continue
        figure, rests_on = known
        price = prices.embedding if chain == EMBEDDING else prices.chat
        lines.append(_line(chain, figure, agent_days, price or FREE, rests_on))
    return Estimate(lines=tuple(lines), unmeasured=tuple(unmeasured))


def _a_day_of(chain: str, past: Past) -> tuple[Figure, RestsOn] | None:
    """Return what one person asks of the chain in a day, and how that is known."""
    used, figure = past.used.get(chain), measured().get(chain)
    if past.people and past.agent_days / past.people >= AGENT_DAYS_MIN:
        return _shared(used, past.agent_days), RestsOn.OWN_PAST
    if figure is None:
        return None
    if used is None or used.calls < CALLS_MIN:
        return figure, RestsOn.FIGURES
    share = figure.calls / used.calls
    own = Figure(
        calls=figure.calls,
        prompt_tokens=used.prompt_tokens * share,
        completion_tokens=used.completion_tokens * share,
    )
    return own, RestsOn.OWN_TOKENS


def _shared(used: CostLine | None, days: float) -> Figure:
    if used is None:
        return Figure(calls=0, prompt_tokens=0, completion_tokens=0)
    return Figure(
        calls=used.calls / days,
        prompt_tokens=used.prompt_tokens / days,
        completion_tokens=used.completion_tokens / days,
    )


def _line(
    chain: str, figure: Figure, agent_days: float, price: Price, rests_on: RestsOn
) -> EstimateLine:
    prompt = round(figure.prompt_tokens * agent_days)
    completion = round(figure.completion_tokens * agent_days)
    return EstimateLine(
        chain=chain,
        calls=round(figure.calls * agent_days),
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=price.cost(prompt_tokens=prompt, completion_tokens=completion),
        rests_on=rests_on,
    )
