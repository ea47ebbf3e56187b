"""The social measures of a history as of a tick, counted without a model (E4)."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from statistics import mean
from uuid import UUID

import networkx

from apps import history
from apps.agents.events import ActionKind
from apps.evaluation.quality.counts import RepetitionCount, nameless, repeated
from apps.history import ActKind, World
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The measures of an undirected network of agents, which are given by slug.

    Two agents are joined if each has the kind of acquaintance with the other. `density` is the
    share of the joined pairs of all pairs. `clustering` is the mean of the agents' local
    clustering coefficients. `communities` are those of greatest modularity, found greedily, the
    largest first; `modularity` is None in a network without a joined pair.
    """

    kind: str
    """`remembered` by any memory, also of a sight, `sighted`, `met`, `talked`, or `related`.
    The paper asks agents in interviews which others they know; these densities do not.
    """
    agents: int
    ties: int
    """Pairs in which each has the acquaintance with the other."""
    density: float
    mean_degree: float
    degrees: dict[str, int]
    clustering: float
    isolated: tuple[str, ...]
    communities: tuple[tuple[str, ...], ...]
    modularity: float | None


def network_of(kind: str, agents: Iterable[str], pairs: Collection[Pair]) -> Network:
    """Return the measures of the network of the pairs (agent, other) that are mutual."""
    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(sorted(agents))
    known = set(pairs)
    graph.add_edges_from(
        sorted(
            (one, other)
            for one, other in known
            if one < other and (other, one) in known and {one, other} <= set(graph)
        )
    )
    degrees = {agent: int(degree) for agent, degree in graph.degree()}
    communities = _communities(graph)
    return Network(
        kind=kind,
        agents=len(graph),
        ties=graph.number_of_edges(),
        density=float(networkx.density(graph)) if len(graph) > 1 else 0.0,
        mean_degree=sum(degrees.values()) / len(graph) if len(graph) else 0.0,
        degrees=degrees,
        clustering=float(networkx.average_clustering(graph)) if len(graph) else 0.0,
        isolated=tuple(agent for agent, degree in degrees.items() if not degree),
        communities=communities,
        modularity=float(networkx.community.modularity(graph, map(set, communities)))
        if graph.number_of_edges()
        else None,
    )


def _communities(graph: "networkx.Graph[str]") -> tuple[tuple[str, ...], ...]:
    """Return the communities, each in the order of slugs; each agent alone without ties."""
    if not graph.number_of_edges():
        return tuple((agent,) for agent in graph)
    found = networkx.community.greedy_modularity_communities(graph)
    ordered = (tuple(sorted(community)) for community in found)
    return tuple(sorted(ordered, key=lambda community: (-len(community), community)))


SHORT_MINUTES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanKeeping:
    """The planned actions whose time is over, and those that were begun, or hardly begun.

    An action that is still done is begun. Acts with other agents and sleep are left out, and so
    is what a revision took away. `short` are actions of less than SHORT_MINUTES minutes.
    """

    planned: int
    begun: int
    short: int

    @property
    def begun_share(self) -> float | None:
        """The share of the begun actions, 0 to 1; None without planned ones."""
        return self.begun / self.planned if self.planned else None


def plan_keeping(simulation_id: UUID, *, as_of_tick: int) -> PlanKeeping:
    """Return how the plans up to the end of the tick were kept."""
    done: Counter[tuple[str, int]] = Counter()
    tracks = history.tracks(simulation_id, from_tick=0, to_tick=as_of_tick)
    for agent, track in tracks.items():
        # Nothing has ended the last action yet; it is done at the end of the tick.
        ended = [*(action.from_tick for action in track.actions[1:]), as_of_tick + 1]
        for action, end in zip(track.actions, ended, strict=True):
            if action.kind is ActionKind.PLANNED:
                done[agent, action.plan_item] += end - action.from_tick
    planned = begun = short = 0
    short_ticks = history.calendar_of(simulation_id).ticks_of(minutes=SHORT_MINUTES)
    plans = history.planned_items(simulation_id, levels=["action"], as_of_tick=as_of_tick)
    for agent, items in plans.items():
        for item in items:
            if item.asleep or item.act is not ActKind.NONE or item.to_tick > as_of_tick:
                continue
            spent = done[agent, item.number]
            planned += 1
            begun += spent > 0
            short += 0 < spent < short_ticks
    return PlanKeeping(planned=planned, begun=begun, short=short)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFigures:
    """How much is said; a conversation counts if at least two agents speak in it.

    `openings` are utterances that nobody answered. A repeated utterance is one in the words of
    an earlier one but for names.
    """

    conversations: int
    openings: int
    pairs: int
    utterances: RepetitionCount
    utterances_per_conversation: float | None
    words_per_utterance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialMeasures:
    """The social measures as of the end of a tick; `commitments` are counts by outcome."""

    as_of_tick: int
    agents: int
    networks: tuple[Network, ...]
    conversations: ConversationFigures
    commitments: Mapping[str, int]
    plans: PlanKeeping


def social_measures(simulation_id: UUID, *, as_of_tick: int) -> SocialMeasures:
    """Return the social measures of the agents that are present at the tick."""
    rows = history.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = {row.agent: row.name for row in rows}
    kinds = history.acquaintances(simulation_id, names, as_of_tick=as_of_tick)
    return SocialMeasures(
        as_of_tick=as_of_tick,
        agents=len(names),
        networks=tuple(network_of(kind, names, pairs) for kind, pairs in kinds.items()),
        conversations=conversation_figures(simulation_id, names, as_of_tick=as_of_tick),
        commitments=commitment_counts(simulation_id, as_of_tick=as_of_tick),
        plans=plan_keeping(simulation_id, as_of_tick=as_of_tick),
    )


def commitment_counts(simulation_id: UUID, *, as_of_tick: int) -> dict[str, int]:
    """Count the commitments as of the end of the tick, by outcome.

    They are "declined", "cancelled", "changed", an outcome of an agreement ("kept", "alone",
    "missed", "dropped"), or "open". Each side of an agreement counts.
    """
    counts = dict.fromkeys(("open", "kept", "alone", "missed", "dropped"), 0)
    counts |= dict.fromkeys(("declined", "cancelled", "changed"), 0)
    for row in history.list_commitments(simulation_id, as_of_tick=as_of_tick):
        counts[row.outcome_at(as_of_tick)] += 1
    return counts


def conversation_figures(
    simulation_id: UUID, names: Mapping[str, str], *, as_of_tick: int
) -> ConversationFigures:
    """Return the figures of the conversations up to the end of the tick."""
    said = history.list_utterances(simulation_id, as_of_tick=as_of_tick)
    speakers: dict[str, set[str]] = {}
    texts: dict[str, list[str]] = {}
    for talk, agent, text in said.order_by("tick", "agent").values_list(
        "conversation", "agent", "text"
    ):
        speakers.setdefault(talk, set()).add(agent)
        texts.setdefault(talk, []).append(text)
    answered = [talk for talk, agents in speakers.items() if len(agents) > 1]
    spoken = [text for talk in answered for text in texts[talk]]
    pairs = {
        frozenset((one, other))
        for talk in answered
        for one in speakers[talk]
        for other in speakers[talk] - {one}
    }
    return ConversationFigures(
        conversations=len(answered),
        openings=len(speakers) - len(answered),
        pairs=len(pairs),
        utterances=RepetitionCount(
            count=len(spoken), repeated=repeated(nameless(spoken, [*names.values()]))
        ),
        utterances_per_conversation=mean(len(texts[talk]) for talk in answered)
        if answered
        else None,
        words_per_utterance=mean(len(text.split()) for text in spoken) if spoken else None,
    )


LOOK_MINUTES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """The places of an agent in a stretch of time."""

    agent: str
    shares: Mapping[str, float]
    """The share of the time by place; "" is outdoors."""
    places_per_day: float
    """The mean number of different places in a day."""
    radius: float
    """Of gyration, in tiles: the root of the mean squared distance from the mean position."""


def routines(
    simulation_id: UUID, *, world: World, calendar: GameCalendar, ticks: range
) -> dict[str, Routine]:
    """Return the routines of the agents in the ticks, by slug, from a look each 5 minutes.

    Agents that are not there at any look are left out.
    """
    tracks = history.tracks(simulation_id, from_tick=ticks.start, to_tick=ticks.stop - 1)
    looks = ticks[:: calendar.ticks_of(minutes=LOOK_MINUTES)]
    found = {}
    for agent, track in sorted(tracks.items()):
        seen = [(tick, tile) for tick in looks if (tile := track.tile_at(tick)) is not None]
        if not seen:
            continue
        places: Counter[str] = Counter()
        by_day: dict[int, set[str]] = {}
        for tick, tile in seen:
            area = world.map.area_at(tile)
            place = world.tree.place_of(area) if area else ""
            places[place] += 1
            day = (tick - ticks.start) // calendar.ticks_of(minutes=MINUTES_PER_DAY)
            by_day.setdefault(day, set()).add(place)
        found[agent] = Routine(
            agent=agent,
            shares={place: count / len(seen) for place, count in sorted(places.items())},
            places_per_day=sum(len(day - {""}) for day in by_day.values()) / len(by_day),
            radius=radius_of_gyration([tile for _, tile in seen]),
        )
    return found


def radius_of_gyration(tiles: list[tuple[int, int]]) -> float:
    """Return the root of the mean squared distance of tiles from their mean.

    :raises ZeroDivisionError: without tiles.
    """
    count = len(tiles)
    x, y = sum(tile[0] for tile in tiles) / count, sum(tile[1] for tile in tiles) / count
    return math.sqrt(sum((one - x) ** 2 + (two - y) ** 2 for one, two in tiles) / count)


def days_until(calendar: GameCalendar, tick: int, days: int) -> range:
    """Return the ticks of the given number of days before the end of a tick."""
    begins = calendar.time_at(tick) - timedelta(days=days)
    return range(max(0, calendar.tick_at(begins)), tick + 1)
