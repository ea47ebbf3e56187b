"""The network of relationships as of a tick: density, degrees, clustering, communities (E4)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import networkx

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
