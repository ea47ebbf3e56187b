"""The comparison of two histories up to the end of a tick: what differs, and why."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from apps import history
from apps.comparisons.agent_states import AgentStates, states_of
from apps.history import STREAMS_OF_USERS, EventDifference, EventId, Usage

LINKS_MAX = 50

Turns = Mapping[EventId, Sequence[tuple[str, Any]]]
"""Causes and data of the events of turns, by the id of the first difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The first difference of a stream, and the text by which its turn names the next stream.

    `named` is "" at the end of the chain: at the first difference of all, or where the turn
    names no stream that differs.
    """

    difference: EventDifference
    named: str = ""


def read_turns(differences: Iterable[EventDifference], simulations: Sequence[UUID]) -> Turns:
    """Return the events of the turns of differences in both histories.

    Of a turn they are those from the differing one on.
    """
    places = {(one.event.tick, one.event.stream): one.event for one in differences}
    ticks, streams = {tick for tick, _ in places}, sorted({stream for _, stream in places})
    turns: dict[EventId, list[tuple[str, Any]]] = defaultdict(list)
    for simulation in simulations:
        rows = history.events_of(simulation, streams=streams).filter(tick__in=ticks)
        for row in rows:
            place = places.get((row.tick, row.stream))
            if place is not None and row.ordinal >= place.ordinal:
                turns[place].append((row.cause, row.data))
    return turns


def chain_of(
    stream: str, differences: Mapping[str, EventDifference], turns: Turns
) -> list[Link]:
    """Return the links from a stream's first difference back to the first of all.

    The first difference of an agent comes from outside: its own past was the same. Its turn
    names what it perceived: causes in other streams, agents and objects in view, words,
    visitors. The chain goes to the first difference of the stream that is named and differs,
    and on from there.
    """
    links: list[Link] = []
    at: str | None = stream
    while at is not None and len(links) < LINKS_MAX:
        difference = differences[at]
        source = _source(difference, differences, turns)
        named = "" if source is None else source[1]
        links.append(Link(difference=difference, named=named))
        at = None if source is None else source[0]
    return links


def _source(
    difference: EventDifference,
    differences: Mapping[str, EventDifference],
    turns: Turns,
) -> tuple[str, str] | None:
    """Return the stream that the turn of a difference rests on, and how the turn names it.

    Of several streams it is the one that differs first. The events of users have no source.
    """
    place = difference.event
    if place.stream in STREAMS_OF_USERS:
        return None
    earlier = {
        stream: one.event
        for stream, one in differences.items()
        if stream != place.stream and _can_cause(one.event, place)
    }
    things = {thing: stream for stream in earlier for thing in _things(differences[stream])}
    found: dict[str, str] = {}
    for cause, data in turns.get(place, ()):
        for text in (cause, *texts_in(data)):
            stream = _stream_named(text, earlier) or things.get(text)
            if stream is not None:
                found.setdefault(stream, text)
    if not found:
        return None
    stream = min(found, key=lambda one: earlier[one])
    return stream, found[stream]


def _can_cause(event: EventId, place: EventId) -> bool:
    """Return whether a turn can rest on an event of another stream.

    A turn reads agents as of the end of the tick before, and commands of its own tick.
    """
    is_read_at_once = event.stream in STREAMS_OF_USERS
    return event.tick < place.tick or (is_read_at_once and event.tick == place.tick)


def _stream_named(text: str, earlier: Mapping[str, EventId]) -> str | None:
    """Return the stream that a slug or the id of an event names, if it differs earlier."""
    parts = event_parts(text)
    stream = text if parts is None else parts[1]
    return stream if stream in earlier else None


def _things(difference: EventDifference) -> Iterator[str]:
    """Yield the objects that the versions of a difference use, or whose state they set."""
    for version in (difference.one, difference.other):
        thing = "" if version is None else version.data.get("object", "")
        if thing:
            yield thing


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in the data of an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from texts_in(one)


def event_parts(text: str) -> tuple[int, str] | None:
    """Return tick and stream of the id of an event, None for another text."""
    parts = text.split("/")
    if len(parts) != 3 or not parts[0].isdecimal() or not parts[2].isdecimal():
        return None
    return int(parts[0]), parts[1]


Pair = tuple[str, str]
Acquaintances = Mapping[str, Collection[Pair]]
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


def measures_of(simulation_id: UUID, *, as_of_tick: int) -> tuple[Measures, Acquaintances]:
    """Return the measures of the history as of the end of the tick, and who knows whom."""
    tick = as_of_tick
    rows = history.list_agents(simulation_id, as_of_tick=tick)
    names, agents = {row.agent: row.name for row in rows}, len(rows)
    pairs = history.acquaintances(simulation_id, names, as_of_tick=tick)
    used = sum(history.costs(simulation_id, as_of_tick=tick), Usage())
    measures = Measures(
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
    return measures, pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifference:
    """The pairs of one kind of acquaintance that one history has and the other has not.

    A pair (agent, other) is directed: the agent knows, has seen, or is related to the other.
    """

    kind: str
    only_one: tuple[Pair, ...]
    only_other: tuple[Pair, ...]


def pair_differences(one: Acquaintances, other: Acquaintances) -> tuple[PairDifference, ...]:
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
    agents = [stream for stream in shown if stream not in STREAMS_OF_USERS]
    common_until = _common_until(first, until_tick)
    states = {}
    if agents and common_until is not None:
        states = states_of(
            agents, one, other, since_tick=common_until + 1, until_tick=until_tick
        )
    (measures, pairs), (measures_of_other, pairs_of_other) = (
        measures_of(simulation, as_of_tick=until_tick) for simulation in (one, other)
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
        measures_of_one=measures,
        measures_of_other=measures_of_other,
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
