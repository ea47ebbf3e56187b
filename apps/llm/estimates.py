"""Estimates of the cost of a run, from the simulation's own past or from figures (L5).

The figures were measured with the rule-based model, by `python -m benchmarks.agent_day`, and
count four characters as a token. The number of calls hardly depends on the model; the length
of answers does, so a simulation's own calls of a task precede the figures.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from apps.llm.calls.call_log import EMBEDDING
from apps.llm.calls.queries import CostLine
from apps.llm.prices import FREE, Prices, billed_equivalent_tokens, cached_price_ratio

FIGURES_FILE = Path(__file__).parent / "figures" / "agent_day.json"
AGENT_DAYS_MIN = 1.0  # of the own past: a night is no sample of a day
CALLS_MIN = 10  # of a task, before the tokens of its own calls are used


class RestsOn(StrEnum):
    """The basis of an estimate's line."""

    OWN_PAST = "own past"
    OWN_TOKENS = "figures, with own tokens a call"
    FIGURES = "figures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The calls of one LLM task by one agent in a day, and the tokens of all of them.

    Figures have no cached tokens: only a server's own past shows what it keeps in its cache.
    """

    calls: float
    prompt_tokens: float
    completion_tokens: float
    cached_prompt_tokens: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What the simulation has used so far, by LLM task, and in how many agent-days."""

    used: Mapping[str, CostLine]
    agent_days: float
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateLine:
    """The expected use of one LLM task."""

    chain: str
    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: Decimal
    rests_on: RestsOn

    @property
    def tokens(self) -> int:
        """The tokens of prompts and answers together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The expected use of a run. `unmeasured` are LLM tasks without figures."""

    lines: tuple[EstimateLine, ...]
    unmeasured: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """How the figures were measured: the command, its date, and the simulation."""

    measured_by: str
    measured_on: str
    world: str
    people: int


def measurement() -> Measurement:
    """Return how the latest figures were measured."""
    stored = _stored_figures()
    return Measurement(**{field.name: stored[field.name] for field in fields(Measurement)})


@cache
def measured() -> Mapping[str, Figure]:
    """Return the latest figures by LLM task."""
    return {chain: Figure(**figure) for chain, figure in _stored_figures()["chains"].items()}


@cache
def _stored_figures() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(FIGURES_FILE.read_text(encoding="utf-8"))
    return stored


def estimate(chains: Iterable[str], agent_days: float, past: Past, prices: Prices) -> Estimate:
    """Return what the LLM tasks use in so many agent-days; a night counts like other hours."""
    tasks = [*chains, *([EMBEDDING] if prices.embeds_remotely else [])]
    lines, unmeasured = [], []
    for task in sorted(tasks):
        known = _daily_use(task, past)
        if known is None:
            unmeasured.append(task)
            continue
        figure, rests_on = known
        tokens = {
            "prompt_tokens": round(figure.prompt_tokens * agent_days),
            "cached_prompt_tokens": round(figure.cached_prompt_tokens * agent_days),
            "completion_tokens": round(figure.completion_tokens * agent_days),
        }
        price = prices.embedding if task == EMBEDDING else prices.chat
        line = EstimateLine(
            chain=task,
            calls=round(figure.calls * agent_days),
            **tokens,
            billed_equivalent_tokens=billed_equivalent_tokens(
                **tokens, ratio=cached_price_ratio(price)
            ),
            cost=(price or FREE).cost(**tokens),
            rests_on=rests_on,
        )
        lines.append(line)
    return Estimate(lines=tuple(lines), unmeasured=tuple(unmeasured))


def _daily_use(task: str, past: Past) -> tuple[Figure, RestsOn] | None:
    """Return what one agent uses of the task in a day, and the basis of that."""
    used, figure = past.used.get(task), measured().get(task)
    if past.people and past.agent_days / past.people >= AGENT_DAYS_MIN:
        return _share_of(used, 1 / past.agent_days), RestsOn.OWN_PAST
    if figure is None:
        return None
    if used is None or used.calls < CALLS_MIN:
        return figure, RestsOn.FIGURES
    return _share_of(used, figure.calls / used.calls), RestsOn.OWN_TOKENS


def _share_of(used: CostLine | None, share: float) -> Figure:
    if used is None:
        return Figure(calls=0, prompt_tokens=0, completion_tokens=0)
    return Figure(
        calls=used.calls * share,
        prompt_tokens=used.prompt_tokens * share,
        cached_prompt_tokens=used.cached_prompt_tokens * share,
        completion_tokens=used.completion_tokens * share,
    )
