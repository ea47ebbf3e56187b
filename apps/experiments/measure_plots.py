"""Figures of an experiment: each measure by condition, over the moments or at the only one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, count, islice
from textwrap import fill
from typing import TYPE_CHECKING

from apps.evaluation.plots.svg_figure import PAPER, QUIET, SERIES, FigureDrawing, render_svg
from apps.experiments.design import ExperimentalCondition, ExperimentDesign
from apps.experiments.results import ResultSummary, ResultValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLOTS_MAX = 40
FIGURE_NAME_CHARACTERS_MAX = 200
TITLE_LINE_MAX = 80
_NO_PLAIN_SIGN = re.compile(r"[^A-Za-z0-9_.-]")
_BESIDE = 0.12
"""How far the conditions stand beside each other, in units of the x axis."""
ByCondition = Mapping[ExperimentalCondition, list[ResultSummary]]


def figure_names(design: ExperimentDesign) -> dict[str, str]:
    """Return the names of the figures by measure, without the end of a file's name.

    The options of a questionnaire are part of names of measures. Signs with a meaning in an
    address, in a path or in Markdown are replaced by hyphens, and a number keeps names apart
    that are equal then.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for measure in design.measured_names:
        plain = _NO_PLAIN_SIGN.sub("-", measure)[:FIGURE_NAME_CHARACTERS_MAX]
        numbered = (f"{plain}-{number}" for number in count(2))
        found[measure] = next(name for name in chain([plain], numbered) if name not in taken)
        taken.add(found[measure])
    return found


def draw_plots(
    design: ExperimentDesign, values: Sequence[ResultValue], summaries: Sequence[ResultSummary]
) -> list[tuple[str, str, bytes]]:
    """Return the name, the caption and the SVG of a figure for each measure that varies.

    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    drawn = (
        (name, *draw_figure(design, measure, values, summaries))
        for measure, name in figure_names(design).items()
        if not why_not_drawn(measure, values)
    )
    return list(islice(drawn, PLOTS_MAX))


def why_not_drawn(measure: str, values: Iterable[ResultValue]) -> str:
    """Return why a figure of the measure would show nothing, "" for one that is drawn."""
    own = [one.value for one in values if one.measure == measure and one.value is not None]
    if not own:
        return "no value yet"
    is_constant = min(own) == max(own) and (len(own) > 1 or not own[0])
    return f"always {own[0]:.4g}" if is_constant else ""


def draw_figure(
    design: ExperimentDesign,
    name: str,
    values: Sequence[ResultValue],
    summaries: Sequence[ResultSummary],
) -> tuple[str, bytes]:
    """Return the caption and the SVG of the figure of a measure that has values.

    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    by_condition: dict[ExperimentalCondition, list[ResultSummary]] = {}
    for one in summaries:
        if one.measure == name and one.mean is not None:
            by_condition.setdefault(one.condition, []).append(one)
    own = [one for one in values if one.measure == name and one.value is not None]
    label = design.measure_labels[name]
    title = f"{label.title[:1].upper()}{label.title[1:]}"
    caption = _caption(design, f"{title} ({name})", by_condition)
    drawing = FigureDrawing(
        title=title,
        description=caption,
        width=7.0,
        height=3.6,
        draw=partial(_draw, design, title, label.unit, by_condition, own),
    )
    return caption, render_svg(drawing)


def _caption(design: ExperimentDesign, described: str, by_condition: ByCondition) -> str:
    last = "; ".join(
        f"{design.label_of(condition)} {rows[-1].mean:.4g}"
        for condition, rows in by_condition.items()
    )
    return (
        f"{described}: means with 95 % bootstrap intervals as diamonds, and each run as a "
        f"circle; at the last moment {last}"
    )


def _draw(
    design: ExperimentDesign,
    title: str,
    unit: str,
    by_condition: ByCondition,
    values: Sequence[ResultValue],
    figure: "Figure",
) -> None:
    axes = figure.add_subplot()
    moments = sorted({row.moment for rows in by_condition.values() for row in rows})
    for place, (condition, rows) in enumerate(by_condition.items()):
        shift = _BESIDE * (place - (len(by_condition) - 1) / 2)
        colour = SERIES[place % len(SERIES)]
        xs = [moments.index(row.moment) + shift for row in rows]
        own = [one for one in values if one.condition == condition]
        means = [_number(row.mean) for row in rows]
        lows = [max(0.0, _number(row.mean) - _number(row.low, row.mean)) for row in rows]
        highs = [max(0.0, _number(row.high, row.mean) - _number(row.mean)) for row in rows]
        axes.errorbar(
            xs,
            means,
            yerr=[lows, highs],
            color=colour,
            marker="D",
            markersize=7,
            markeredgecolor=PAPER,
            capsize=3,
            label=f"{design.label_of(condition)}: mean, 95 % interval",
        )
        axes.scatter(
            [moments.index(one.moment) + shift for one in own],
            [_number(one.value) for one in own],
            s=14,
            facecolors="none",
            edgecolors=colour,
            zorder=3,
            label=f"{design.label_of(condition)}: a run",
        )
    _add_references(axes, by_condition, moments)
    axes.set_xticks(range(len(moments)), [f"{one:%d %b\n%H:%M}" for one in moments])
    axes.set_xlim(-0.5, len(moments) - 0.5)
    axes.set_xlabel("game time")
    axes.set_ylabel(unit)
    axes.set_title(fill(title, TITLE_LINE_MAX))
    axes.legend(loc="best")


def _add_references(
    axes: "Axes", by_condition: ByCondition, moments: Sequence[datetime]
) -> None:
    """Mark published values by a dashed line at their moments."""
    references = {row.moment: row.reference for rows in by_condition.values() for row in rows}
    label = "reference"
    for moment, value in references.items():
        if value is not None:
            place = moments.index(moment)
            ends = [place - 0.4, place + 0.4]
            axes.plot(ends, [value, value], "--", color=QUIET, label=label)
            label = "_again"


def _number(value: float | None, other: float | None = None) -> float:
    """Return the first value that is given."""
    return next((one for one in (value, other) if one is not None), 0.0)
