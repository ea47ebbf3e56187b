"""The comparison of two histories up to the end of a tick."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps import history
from apps.comparisons.agent_states import AgentStates, states_of
from apps.comparisons.chains import Link, chain_of, read_turns
from apps.comparisons.measures import Measures, acquaintances_of, measures_of
from apps.history import COMMANDS_STREAM, SIMULATION_STREAM, EventDifference

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
    common_until: int | None
    first_difference: EventDifference | None
    agents: tuple[AgentDifference, ...]
    measures_of_one: Measures
    measures_of_other: Measures
    relationships: tuple[PairDifference, ...]
    knowing: Knowing | None


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
