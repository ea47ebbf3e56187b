"""The comparison of two histories up to the end of a tick."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apps import history
from apps.comparisons.agent_states import AgentStates, states_of
from apps.comparisons.chains import Link, chain_of, read_turns
from apps.history import COMMANDS_STREAM, SIMULATION_STREAM, EventDifference, Usage

Acquaintances = Mapping[str, Collection[tuple[str, str]]]
"""The pairs (agent, other) of agents by kind of acquaintance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a history amounts to by the end of a tick.

    Densities are shares of all pairs; `known_places` is the sum over all agents. The calls of
    a branch are those that it has made itself, `reused_calls` those of them that cost nothing.
    """

    agents: int
    events: int
    conversations: int
    utterances: int
    memories: int
    planned_hours: int
    known_places: int
    remembered_density: float
    sighted_density: float
    met_density: float
    talked_density: float
    related_density: float
    model_calls: int
    """Of a branch, its own calls after the fork."""
    reused_calls: int
    tokens: int
    cost: Decimal
    """In the currency of the price list; 0 without a price."""


def acquaintances_of(simulation_id: UUID, *, as_of_tick: int) -> Acquaintances:
    """Return the pairs of acquainted agents at the end of the tick."""
    agents = history.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = {row.agent: row.name for row in agents}
    return history.acquaintances(simulation_id, names, as_of_tick=as_of_tick)


def measures_of(simulation_id: UUID, pairs: Acquaintances, *, as_of_tick: int) -> Measures:
    """Return the measures of the history as of the end of the tick."""
    tick = as_of_tick
    agents = len(history.list_agents(simulation_id, as_of_tick=tick))
    used = sum(history.costs(simulation_id, as_of_tick=tick), Usage())
    return Measures(
        agents=agents,
        events=history.events_of(simulation_id, until_tick=tick).count(),
        conversations=history.list_conversations(simulation_id, as_of_tick=tick).count(),
        utterances=history.list_utterances(simulation_id, as_of_tick=tick).count(),
        memories=history.list_all_memories(simulation_id, as_of_tick=tick).count(),
        planned_hours=history.hour_counts(simulation_id, as_of_tick=tick).planned,
        known_places=sum(history.count_known_places(simulation_id, as_of_tick=tick).values()),
        **{f"{kind}_density": history.density(found, agents) for kind, found in pairs.items()},
        model_calls=used.calls,
        reused_calls=history.reused_calls([simulation_id], as_of_tick=tick).get(
            simulation_id, 0
        ),
        tokens=used.tokens,
        cost=used.cost,
    )


Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifference:
    """The pairs of one kind of acquaintance that one history has and the other has not.

    A pair (agent, other) is directed: the agent knows, has seen, or is related to the other.
    """

    kind: str
    only_one: tuple[Pair, ...]
    only_other: tuple[Pair, ...]


def pair_differences(
    one: Mapping[str, Collection[Pair]], other: Mapping[str, Collection[Pair]]
) -> tuple[PairDifference, ...]:
    """Return the differences by kind, in the order of the kinds; equal kinds are left out."""
    found = (
        PairDifference(
            kind=kind,
            only_one=tuple(sorted(set(pairs) - set(other[kind]))),
            only_other=tuple(sorted(set(other[kind]) - set(pairs))),
        )
        for kind, pairs in one.items()
    )
    return tuple(one for one in found if one.only_one or one.only_other)


_OF_NO_AGENT = {COMMANDS_STREAM, SIMULATION_STREAM}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDifference:
    """An agent whose history differs, with the chain from its first difference back."""

    agent: str
    """A slug."""
    chain: tuple[Link, ...]
    states: AgentStates


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowing:
    """The agents of each history that have a memory whose words contain a text."""

    about: str
    one: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryComparison:
    """Where two histories diverge, which agents differ and why, and both side by side.

    Histories that differ at tick 0 have no common past: they have measures only.
    `common_until` is the last tick at which both are the same, None without one. `agents` are
    in the order of their first differences.
    """

    one: UUID
    other: UUID
    until_tick: int
    has_common_past: bool
    """Whether both begin alike; if not, only their measures are compared."""
    common_until: int | None
    first_difference: EventDifference | None
    agents: tuple[AgentDifference, ...]
    measures_of_one: Measures
    measures_of_other: Measures
    relationships: tuple[PairDifference, ...]
    """By kind; kinds that are equal in both are left out."""
    knowing: Knowing | None
    """Null without the parameter `about`."""


def compare(one: UUID, other: UUID, *, until_tick: int, about: str = "") -> HistoryComparison:
    """Compare two histories, which have both come to the tick.

    :param about: the words of which it is compared who knows them, "" for none.
    """
    differences = history.first_differences(one, other, until_tick=until_tick)
    first = next(iter(differences.values()), None)
    has_common_past = first is None or first.event.tick > 0
    shown = differences if has_common_past else {}
    turns = read_turns(shown.values(), (one, other))
    agents = [stream for stream in shown if stream not in _OF_NO_AGENT]
    common_until = _common_until(first, until_tick)
    states = {}
    if agents and common_until is not None:
        states = states_of(
            agents, one, other, since_tick=common_until + 1, until_tick=until_tick
        )
    pairs, pairs_of_other = (
        acquaintances_of(simulation, as_of_tick=until_tick) for simulation in (one, other)
    )
    return HistoryComparison(
        one=one,
        other=other,
        until_tick=until_tick,
        has_common_past=has_common_past,
        common_until=common_until,
        first_difference=first if has_common_past else None,
        agents=tuple(
            AgentDifference(
                agent=agent,
                chain=tuple(chain_of(agent, shown, turns)),
                states=states[agent],
            )
            for agent in agents
        ),
        measures_of_one=measures_of(one, pairs, as_of_tick=until_tick),
        measures_of_other=measures_of(other, pairs_of_other, as_of_tick=until_tick),
        relationships=pair_differences(pairs, pairs_of_other),
        knowing=_knowing(about, one, other, until_tick) if about else None,
    )


def _knowing(about: str, one: UUID, other: UUID, until_tick: int) -> Knowing:
    first, second = (
        tuple(sorted({*memories.order_by().values_list("agent", flat=True)}))
        for memories in (
            history.list_all_memories(simulation, as_of_tick=until_tick, search=about)
            for simulation in (one, other)
        )
    )
    return Knowing(about=about, one=first, other=second)


def _common_until(first: EventDifference | None, until_tick: int) -> int | None:
    if first is None:
        return until_tick
    return first.event.tick - 1 if first.event.tick else None
