"""The figure of a ranking: ratings by condition with their deviations (paper, figure 8)."""

import io
from importlib.util import find_spec

from apps.evaluation.plots.svg_figure import QUIET, SERIES, FigureDrawing, render_svg
from apps.evaluation.rankings.paper_conditions import RATINGS_OF_PAPER
from apps.evaluation.rankings.reports import RankingReport

_SALT = "smallville"  # the ids in the file are the same at each drawing
_WIDTH, _ROW, _MARGIN = 8.0, 0.5, 1.2  # inches


def ratings_svg(report: RankingReport) -> str:
    """Return the figure as SVG: the same bytes for the same report, with text as text.

    :raises StatisticsUnavailable: if the package matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise StatisticsUnavailable(
            "figures need matplotlib; install requirements-evaluation.txt"
        )
    from matplotlib import rc_context  # noqa: PLC0415 (optional)
    from matplotlib.figure import Figure  # noqa: PLC0415 (optional)

    shown = report.statistics.conditions[::-1]
    drawn = io.StringIO()
    with rc_context({"svg.hashsalt": _SALT, "svg.fonttype": "none"}):
        figure = Figure(figsize=(_WIDTH, _MARGIN + _ROW * len(shown)), layout="constrained")
        axes = figure.subplots()
        places = range(len(shown))
        axes.errorbar(
            [one.rating.mu for one in shown],
            places,
            xerr=[one.rating.sigma for one in shown],
            fmt="o",
            capsize=4,
            color="#1f5fa8",
            label="this ranking",
        )
        paper = [
            (place, *RATINGS_OF_PAPER[one.condition])
            for place, one in enumerate(shown)
            if one.condition in RATINGS_OF_PAPER
        ]
        if paper:
            axes.errorbar(
                [mu for _, mu, _ in paper],
                [place for place, *_ in paper],
                xerr=[sigma for *_, sigma in paper],
                fmt="x",
                capsize=4,
                color="#8a8a8a",
                label="the paper, people",
            )
        axes.set_yticks(places, [one.condition for one in shown])
        axes.set_ylim(-0.6, len(shown) - 0.4)
        axes.set_xlabel("TrueSkill rating, mean and standard deviation")
        axes.set_title(f"Judge: {report.judge}, {report.statistics.rankings:,} rankings")
        axes.legend(loc="lower right")
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()


def svg_element(file: str) -> str:
    """Return the element of an SVG file, to stand in an HTML page."""
    return file[file.index("<svg") :]
