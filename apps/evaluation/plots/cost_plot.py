"""The plot of the tokens and the calls of each LLM task."""

from typing import TYPE_CHECKING

from apps import history
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.evaluation.plots.svg_figure import INK, QUIET, SERIES, FigureDrawing
from apps.evaluation.plots.time_axis import PlotRequest
from apps.history import CostGroup, UsageLine

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW_INCHES = 0.28
_ROOM_FOR_LABELS = 1.32
_MILLION, _THOUSAND = 1_000_000, 1_000


def tasks_by_tokens(request: PlotRequest) -> list[UsageLine]:
    """Return the costs of the tasks as of the moment, the most tokens first."""
    lines = history.costs(
        request.simulation_id, by=CostGroup.TASK, as_of_tick=request.as_of_tick
    )
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
        axes.set_yticks(rows, [line.key for line in lines], color=INK)
        axes.set_ylim(max(len(lines), 1) - 0.4, -0.6)
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
