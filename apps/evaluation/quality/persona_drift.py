"""How far agents have moved from their descriptions, day by day, counted without a model."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from statistics import mean
from uuid import UUID

from apps import history
from apps.evaluation.quality.days import Days, dates_of, days_over
from apps.evaluation.statistics.bootstrap import jensen_shannon_divergence
from apps.history import Action
from apps.memory.events import FactKind, FactSource

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
# Shorter words, such as articles, tell nothing of what a sentence is about.
_WORD = re.compile(r"\w{4,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftOfDay:
    """An agent at the end of a day, compared with its description; shares are 0 to 1.

    - `seeds_in_summary`: the share of the phrases of the description that its summary has;
    - `occupation_in_summary`: whether the summary has its occupation;
    - `facts_kept`, `occupation_kept`, `pursuits_kept`: the shares of the lasting facts of its
      description that hold with the same statements; facts with an end are left out after it;
    - `facts_added`: the number of lasting facts from elsewhere;
    - `action_divergence`: the Jensen-Shannon divergence, in bits, of the shares of the day's
      time by used object or area from those of its first day.

    None where there is nothing to compare.
    """

    date: str
    seeds_in_summary: float | None
    occupation_in_summary: bool | None
    facts_kept: float | None
    occupation_kept: float | None
    pursuits_kept: float | None
    facts_added: int
    action_divergence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDrift:
    """The drift of an agent on the days that are over."""

    agent: str
    days: tuple[DriftOfDay, ...]


@dataclass(frozen=True, slots=True)
class _Fact:
    """A version of a lasting fact, which holds in [from_tick, to_tick)."""

    number: int
    kind: str
    statements: Sequence[str]
    source: str
    until: str
    from_tick: int
    to_tick: int | None


_FACT_FIELDS = [field.name for field in fields(_Fact)]


def persona_drift(simulation_id: UUID, *, as_of_tick: int) -> tuple[AgentDrift, ...]:
    """Return the drift of each agent that is there, as of the end of the tick, by slug."""
    days = days_over(simulation_id, as_of_tick=as_of_tick)
    agents = history.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = frozenset(word for row in agents for word in _WORD.findall(row.name.casefold()))
    facts: dict[str, list[_Fact]] = defaultdict(list)
    versions = history.fact_versions(simulation_id, as_of_tick=days.ends - 1)
    for agent, *values in versions.order_by("from_tick", "number").values_list(
        "agent", *_FACT_FIELDS
    ):
        facts[agent].append(_Fact(*values))
    summaries: dict[str, list[tuple[int, str]]] = defaultdict(list)
    texts = history.summary_versions(simulation_id, as_of_tick=days.ends - 1)
    for agent, from_tick, text in texts.order_by("from_tick").values_list(
        "agent", "from_tick", "text"
    ):
        summaries[agent].append((from_tick, text))
    tracks = history.tracks(simulation_id, from_tick=0, to_tick=as_of_tick)
    return tuple(
        AgentDrift(
            agent=row.agent,
            days=_drift_of(
                row.seeds,
                days,
                names,
                facts=facts[row.agent],
                summaries=summaries[row.agent],
                actions=tracks[row.agent].actions if row.agent in tracks else (),
            ),
        )
        for row in agents
    )


def mean_drift(drifts: Iterable[AgentDrift], name: str) -> float | None:
    """Return the mean of a value of DriftOfDay over the agents, at the end of the latest day.

    Agents without a value are left out; None if no agent has one, as before the first day ends.
    """
    values = [getattr(drift.days[-1], name) for drift in drifts if drift.days]
    counted = [value for value in values if value is not None]
    return mean(counted) if counted else None


def _drift_of(
    seeds: Sequence[str],
    days: Days,
    names: frozenset[str],
    *,
    facts: Sequence[_Fact],
    summaries: Sequence[tuple[int, str]],
    actions: Sequence[Action],
) -> tuple[DriftOfDay, ...]:
    seeded = _seeded(facts)
    occupation = [text for one in seeded if one.kind == FactKind.OCCUPATION
                  for text in one.statements]  # fmt: skip
    shares = [
        action_shares(actions, days.begins(day) if day else 0, days.begins(day + 1))
        for day in range(days.count)
    ]
    first = next((one for one in shares if one), None)
    found = []
    for day, date in enumerate(dates_of(days)):
        last_tick = days.begins(day + 1) - 1
        text = next(
            (text for from_tick, text in reversed(summaries) if from_tick <= last_tick), None
        )
        held = [one for one in facts if _holds_at(one, last_tick)]
        due = [one for one in seeded if not one.until or one.until >= date]
        found.append(
            DriftOfDay(
                date=date,
                seeds_in_summary=_share_in(seeds, text, names),
                occupation_in_summary=_is_any_in(occupation, text, names),
                facts_kept=_share_kept(due, held),
                occupation_kept=_share_kept(_of_kind(due, FactKind.OCCUPATION), held),
                pursuits_kept=_share_kept(_of_kind(due, FactKind.PURSUIT), held),
                facts_added=len({one.number for one in held} - {one.number for one in seeded}),
                action_divergence=(
                    jensen_shannon_divergence(first, shares[day])
                    if first and shares[day]
                    else None
                ),
            )
        )
    return tuple(found)


def action_shares(
    actions: Sequence[Action], from_tick: int, to_tick: int
) -> Mapping[str, float]:
    """Return the shares of the time in [from_tick, to_tick) by used object, or area without.

    Sleep and walks are left out; the last action lasts until the end.
    """
    ticks: dict[str, int] = defaultdict(int)
    starts = [*(action.from_tick for action in actions), to_tick]
    for action, (begins, ends) in zip(actions, pairwise(starts), strict=True):
        spent = min(ends, to_tick) - max(begins, from_tick)
        if spent > 0 and not (action.asleep or action.towards):
            ticks[action.object or action.area] += spent
    whole = sum(ticks.values())
    return {key: count / whole for key, count in sorted(ticks.items())}


def has_statement(text: str, statement: str, names: frozenset[str]) -> bool:
    """Return whether a sentence of the text has at least half of the words of the statement.

    Counted are words of four letters or more that are no part of the name of an agent.
    """
    wanted = _words(statement, names)
    sentences = (_words(sentence, names) for sentence in _SENTENCE.split(text))
    return any(2 * len(wanted & sentence) >= len(wanted) > 0 for sentence in sentences)


def _words(text: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - names


def _share_in(
    statements: Sequence[str], text: str | None, names: frozenset[str]
) -> float | None:
    if text is None or not statements:
        return None
    return sum(has_statement(text, one, names) for one in statements) / len(statements)


def _is_any_in(
    statements: Sequence[str], text: str | None, names: frozenset[str]
) -> bool | None:
    if text is None or not statements:
        return None
    return any(has_statement(text, one, names) for one in statements)


def _seeded(facts: Iterable[_Fact]) -> list[_Fact]:
    """Return the first versions of the facts from the description."""
    first: dict[int, _Fact] = {}
    for fact in facts:
        first.setdefault(fact.number, fact)
    return [one for one in first.values() if one.source == FactSource.DESCRIPTION]


def _of_kind(facts: Iterable[_Fact], kind: FactKind) -> list[_Fact]:
    return [one for one in facts if one.kind == kind]


def _holds_at(fact: _Fact, tick: int) -> bool:
    return fact.from_tick <= tick and (fact.to_tick is None or fact.to_tick > tick)


def _share_kept(seeded: Sequence[_Fact], held: Iterable[_Fact]) -> float | None:
    if not seeded:
        return None
    now = {one.number: set(one.statements) for one in held}
    kept = [set(one.statements) <= now.get(one.number, set()) for one in seeded]
    return sum(kept) / len(kept)
