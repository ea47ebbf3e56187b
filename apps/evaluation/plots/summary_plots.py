"""The plots of what has come about: relationships as a graph, costs by LLM task."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps import history
from apps.evaluation.plots.plot_catalogue import PLOTS, PlotRequest, set_rows
from apps.evaluation.plots.svg_figure import LINE, QUIET, SERIES, FigureDrawing
from apps.evaluation.social.social_measures import Network, Pair, network_of
from apps.history import UsageLine, count_conversations

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


_ROW_INCHES = 0.28
_ROOM_FOR_LABELS = 1.32
_MILLION, _THOUSAND = 1_000_000, 1_000


def tasks_by_tokens(request: PlotRequest) -> list[UsageLine]:
    """Return the costs of the tasks as of the moment, the most tokens first."""
    lines = history.costs(request.simulation_id, as_of_tick=request.as_of_tick)
    return sorted(lines, key=lambda line: (-line.tokens, line.key))


@PLOTS.register(
    "costs",
    title="Cost by task",
    description="The tokens and the calls of each LLM task up to the moment.",
)
def draw_costs(request: PlotRequest) -> FigureDrawing:
    """Return the drawing: a bar for each task."""
    lines = tasks_by_tokens(request)
    calls = sum(line.calls for line in lines)
    tokens = sum(line.tokens for line in lines)
    cost = sum(line.cost for line in lines)

    def draw(figure: "Figure") -> None:
        from matplotlib.ticker import FuncFormatter  # noqa: PLC0415 (optional)

        axes = figure.add_subplot()
        rows = range(len(lines))
        prompts = [line.prompt_tokens for line in lines]
        axes.barh(rows, prompts, color=SERIES[0], height=0.7, label="tokens of prompts")
        axes.barh(
            rows, [line.completion_tokens for line in lines], left=prompts,
            color=SERIES[1], height=0.7, label="tokens of answers",
        )  # fmt: skip
        most = max((line.tokens for line in lines), default=1)
        for row, line in zip(rows, lines, strict=True):
            axes.annotate(
                _words(line), (line.tokens, row), (4, 0),
                textcoords="offset points", va="center", color=QUIET, fontsize=8,
            )  # fmt: skip
        set_rows(axes, [line.key for line in lines])
        axes.set_xlim(0, max(most, 1) * _ROOM_FOR_LABELS)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _short(value)))
        axes.tick_params(axis="both", length=0)
        axes.set_xlabel("tokens")
        axes.set_title(f"Cost by task: {calls:,} calls, {_short(tokens)} tokens{_money(cost)}")
        figure.legend(loc="outside lower left", ncols=2)

    return FigureDrawing(
        title=f"Cost by task up to {request.moment_in_words}",
        description=f"A bar for each of {len(lines)} tasks with its tokens: in all {calls:,} "
        f"calls and {tokens:,} tokens{_money(cost)}. "
        + " ".join(f"{line.key}: {_words(line)}." for line in lines),
        width=9,
        height=1.4 + _ROW_INCHES * max(len(lines), 1),
        draw=draw,
    )


def _words(line: UsageLine) -> str:
    return f"{_short(line.tokens)} in {line.calls:,} calls{_money(line.cost)}"


def _money(cost: object) -> str:
    return f", cost {cost:,.2f}" if cost else ""


def _short(count: float) -> str:
    """Return a number of tokens in few letters: "1.2 M", "340 k", "12"."""
    if count >= _MILLION:
        return f"{count / _MILLION:.1f} M"
    return f"{count / _THOUSAND:.0f} k" if count >= _THOUSAND else f"{count:.0f}"
