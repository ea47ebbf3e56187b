"""Estimates of the cost of a run, from the simulation's own past or from figures (L5).

The figures were measured with the rule-based model, by `python -m benchmarks.agent_day`, and
count four characters as a token. The number of calls hardly depends on the model; the length
of answers does, so a simulation's own calls of a task precede the figures.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from apps.llm.calls.call_log import EMBEDDING
from apps.llm.prices import FREE, Price, Prices, billed_equivalent_tokens, cached_price_ratio
from apps.llm.usage import Usage, UsageLine

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
    """A number of calls, and the tokens of all of them; both may be means.

    Figures have no cached tokens: only a server's own past shows what it keeps in its cache.
    """

    calls: float
    prompt_tokens: float
    completion_tokens: float
    cached_prompt_tokens: float = 0.0

    def __mul__(self, share: float) -> "Figure":
        return Figure(**{name: value * share for name, value in asdict(self).items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What the simulation has used so far, by LLM task, and in how many agent-days.

    `agents` are the slugs of the agents whose calls are expected; see `Prices.shares_of`.
    """

    used: Mapping[str, Usage]
    agent_days: float = 0.0
    agents: Sequence[str] = ()

    @property
    def is_a_day(self) -> bool:
        """Whether each agent has lived a day: then the past tells the number of calls, too."""
        return bool(self.agents) and self.agent_days / len(self.agents) >= AGENT_DAYS_MIN


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateLine(UsageLine):
    """The expected use of one LLM task, named by `key`."""

    rests_on: RestsOn


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The expected use of LLM tasks. `unmeasured` are those without figures.

    `is_priced` says whether all their prices are known; an unknown one costs nothing here.
    """

    lines: tuple[EstimateLine, ...] = ()
    unmeasured: tuple[str, ...] = ()
    is_priced: bool = True

    @property
    def total(self) -> Usage:
        """The expected use of all tasks."""
        return sum(self.lines, Usage())


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """How the figures were measured: the command, its date, and the simulation."""

    measured_by: str
    """The command, with its agents and days."""
    measured_on: str
    world: str
    agents: int


def measurement() -> Measurement:
    """Return how the latest figures were measured."""
    stored = _stored_figures()
    return Measurement(**{field.name: stored[field.name] for field in fields(Measurement)})


@cache
def measured() -> Mapping[str, Figure]:
    """Return the latest figures by LLM task."""
    return {task: Figure(**figure) for task, figure in _stored_figures()["tasks"].items()}


@cache
def _stored_figures() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(FIGURES_FILE.read_text(encoding="utf-8"))
    return stored


def estimate(tasks: Iterable[str], agent_days: float, past: Past, prices: Prices) -> Estimate:
    """Return what the LLM tasks use in so many agent-days; a night counts like other hours."""
    tasks = sorted([*tasks, *([EMBEDDING] if prices.embeds_remotely else [])])
    expected: dict[str, Figure] = {}
    for task in tasks:
        if past.is_a_day:
            expected[task] = _figure_of(past.used.get(task, Usage())) * (1 / past.agent_days)
        elif task in measured():
            expected[task] = measured()[task]
    of_days = {task: figure * agent_days for task, figure in expected.items()}
    found = estimate_calls(of_days, past, prices)
    return replace(
        found,
        unmeasured=tuple(task for task in tasks if task not in expected),
        is_priced=prices.are_known,
    )


def estimate_calls(expected: Mapping[str, Figure], past: Past, prices: Prices) -> Estimate:
    """Return what calls of LLM tasks use, in the order of the tasks' names.

    The tokens of a call are the mean of own calls of the task, once there are CALLS_MIN of
    them, else those of the figure. An invalid answer is asked for again; figures leave it out.

    :param expected: by task the number of calls, and their tokens by recorded figures.
    """
    lines, prices_used = [], set[Price | None]()
    for task, by_figure in sorted(expected.items()):
        used, figure = past.used.get(task, Usage()), by_figure
        rests_on = RestsOn.FIGURES
        if past.is_a_day:
            rests_on = RestsOn.OWN_PAST
        elif used.calls >= CALLS_MIN:
            figure = _figure_of(used) * (by_figure.calls / used.calls)
            rests_on = RestsOn.OWN_TOKENS
        shares: Mapping[Price | None, float] = (
            {prices.embedding: 1.0}
            if task == EMBEDDING
            else prices.shares_of(task, past.agents)
        )
        prices_used |= shares.keys()
        of_prices = [(price, _tokens(figure * share)) for price, share in shares.items()]
        line = EstimateLine(
            key=task,
            calls=round(figure.calls),
            **_tokens(figure),
            billed_equivalent_tokens=sum(
                billed_equivalent_tokens(**tokens, ratio=cached_price_ratio(price))
                for price, tokens in of_prices
            ),
            cost=sum(
                ((price or FREE).cost(**tokens) for price, tokens in of_prices), Decimal(0)
            ),
            rests_on=rests_on,
        )
        lines.append(line)
    return Estimate(lines=tuple(lines), is_priced=None not in prices_used)


def _tokens(figure: Figure) -> dict[str, int]:
    names = ("prompt_tokens", "cached_prompt_tokens", "completion_tokens")
    return {name: round(getattr(figure, name)) for name in names}


def _figure_of(used: Usage) -> Figure:
    return Figure(**{field.name: getattr(used, field.name) for field in fields(Figure)})
