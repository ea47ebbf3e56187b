"""The plot of the relationships of the agents as a graph."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps import history
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.evaluation.plots.svg_figure import LINE, SERIES, FigureDrawing
from apps.evaluation.plots.time_axis import PlotRequest
from apps.evaluation.social.social_measures import Network, Pair, network_of
from apps.history import count_conversations

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH_MIN, _WIDTH_MAX = 1.4, 6.0
_LIMIT = 1.62
_BEND_OF_RELATED = 0.45
_RELATED = "#b3ab9a"
_LABEL_RADIUS = 1.09


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipGraph:
    """The names of agents by slug, and the pairs (one, other) with one < other.

    `talked` has the number of conversations of each pair that has talked, `related` the pairs
    that a lasting fact relates in one direction or both. `network` is that of those who talked.
    """

    names: Mapping[str, str]
    network: Network
    talked: Mapping[Pair, int]
    related: frozenset[Pair]

    @property
    def related_without_talk(self) -> frozenset[Pair]:
        """The related pairs that have not talked."""
        return self.related - self.talked.keys()


def relationship_graph(request: PlotRequest) -> RelationshipGraph:
    """Return the graph as of the moment."""
    key, tick = request.simulation_id, request.as_of_tick
    rows = history.list_agents(key, as_of_tick=tick)
    names = {row.agent: row.name for row in rows}
    kinds = history.acquaintances(key, names, as_of_tick=tick)
    counted = count_conversations(key, as_of_tick=tick)
    return RelationshipGraph(
        names=names,
        network=network_of("talked", names, kinds["talked"]),
        talked={
            pair: max(
                counted[both].conversations for both in (pair, pair[::-1]) if both in counted
            )
            for pair in sorted({_ordered(*pair) for pair in kinds["talked"]})
        },
        related=frozenset(_ordered(*pair) for pair in kinds["related"]),
    )


@PLOTS.register(
    "relationships",
    title="Relationships",
    description="The conversations between the agents up to the moment, and their ties.",
)
def draw_relationships(request: PlotRequest) -> FigureDrawing:
    """Return the drawing: agents on a circle, community by community."""
    graph = relationship_graph(request)
    network = graph.network

    def draw(figure: "Figure") -> None:
        axes = figure.add_subplot()
        axes.set_aspect("equal")
        axes.set_axis_off()
        axes.set_xlim(-_LIMIT, _LIMIT)
        axes.set_ylim(-_LIMIT, _LIMIT)
        axes.set_title("Conversations between the agents")
        angles = _angles(network)
        _draw_ties(axes, graph, angles)
        _draw_agents(axes, graph, angles)
        _add_key(axes)

    return FigureDrawing(
        title=f"Relationships of {len(graph.names)} agents up to {request.moment_in_words}",
        description=_description(graph),
        width=8,
        height=8.2,
        draw=draw,
    )


def _description(graph: RelationshipGraph) -> str:
    network = graph.network
    communities = sum(len(community) > 1 for community in network.communities)
    isolated = ", ".join(graph.names[agent] for agent in network.isolated)
    return (
        f"A graph with {network.ties} pairs of agents that have talked with each other; a "
        f"wider line is more conversations. Thin lines join {len(graph.related_without_talk)} "
        "pairs that a lasting fact relates, and that have not talked. The colours are the "
        f"{communities} communities of those who talk. "
        f"Isolated: {isolated or 'nobody'}."
    )


def _ordered(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _angles(network: Network) -> dict[str, float]:
    """Return the angle of each agent; neighbours on the circle are of one community."""
    agents = [agent for community in network.communities for agent in community]
    return {
        agent: math.pi / 2 - index / max(len(agents), 1) * math.tau
        for index, agent in enumerate(agents)
    }


def _draw_ties(axes: "Axes", graph: RelationshipGraph, angles: Mapping[str, float]) -> None:
    from matplotlib.patches import PathPatch  # noqa: PLC0415 (optional)
    from matplotlib.path import Path  # noqa: PLC0415 (optional)

    most = max(graph.talked.values(), default=1)
    wider = (_WIDTH_MAX - _WIDTH_MIN) / max(most - 1, 1)

    def join(pair: Pair, bend: float, **style: object) -> None:
        (x, y), (to_x, to_y) = (_point(angles[agent]) for agent in pair)
        middle = ((x + to_x) / 2 * bend, (y + to_y) / 2 * bend)
        curve = Path([(x, y), middle, (to_x, to_y)], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
        axes.add_patch(PathPatch(curve, fill=False, **style))

    for pair in sorted(graph.related_without_talk):
        join(pair, _BEND_OF_RELATED, edgecolor=_RELATED, linewidth=0.7)
    for pair, count in graph.talked.items():
        width = _WIDTH_MIN + wider * (count - 1)
        join(pair, 0, edgecolor=SERIES[0], linewidth=width, alpha=0.6)


def _draw_agents(axes: "Axes", graph: RelationshipGraph, angles: Mapping[str, float]) -> None:
    for index, community in enumerate(graph.network.communities):
        colour = SERIES[index % len(SERIES)] if len(community) > 1 else LINE
        points = [_point(angles[agent]) for agent in community]
        sizes = [40 + 22 * graph.network.degrees[agent] for agent in community]
        axes.scatter(
            [x for x, _ in points], [y for _, y in points], s=sizes, color=colour,
            edgecolors="white", linewidths=1.2, zorder=3,
        )  # fmt: skip
    for agent, angle in angles.items():
        x, y = _point(angle)
        is_left = math.cos(angle) < -1e-9
        axes.text(
            x * _LABEL_RADIUS, y * _LABEL_RADIUS, graph.names[agent],
            rotation=math.degrees(angle) + (180 if is_left else 0),
            rotation_mode="anchor", ha="right" if is_left else "left", va="center",
        )  # fmt: skip


def _add_key(axes: "Axes") -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415 (optional)

    axes.figure.legend(
        handles=[
            Line2D([], [], color=SERIES[0], linewidth=4, label="talked, wider: more often"),
            Line2D([], [], color=_RELATED, linewidth=1, label="related, have not talked"),
            Line2D(
                [], [], color=SERIES[0], marker="o", linestyle="",
                label="larger: with more agents; colour: community",
            ),
        ],
        loc="outside lower left",
        ncols=3,
    )  # fmt: skip


def _point(angle: float) -> tuple[float, float]:
    # Rounded, so that the last bit of a sine does not depend on the machine.
    return round(math.cos(angle), 9), round(math.sin(angle), 9)
