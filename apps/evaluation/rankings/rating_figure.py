"""The figure of a ranking: ratings by condition with their deviations (paper, figure 8)."""

from typing import TYPE_CHECKING

from apps.evaluation.plots.svg_figure import QUIET, SERIES, FigureDrawing, render_svg
from apps.evaluation.rankings.paper_conditions import RATINGS_OF_PAPER
from apps.evaluation.rankings.reports import RankingReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _ROW, _MARGIN = 8.0, 0.5, 1.4  # inches


def ratings_svg(report: RankingReport) -> bytes:
    """Return the figure as SVG: the same bytes for the same report.

    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    shown = report.conditions
    drawing = FigureDrawing(
        title=f"Ratings by condition. Judge: {report.judge}",
        description="; ".join(
            f"{one.condition}: {one.mu:.2f} ({one.sigma:.2f})" for one in shown
        ),
        width=_WIDTH,
        height=_MARGIN + _ROW * len(shown),
        draw=lambda figure: _draw(figure, report),
    )
    return render_svg(drawing)


def _draw(figure: "Figure", report: RankingReport) -> None:
    shown = report.conditions[::-1]
    axes = figure.subplots()
    own = [(place, one.mu, one.sigma) for place, one in enumerate(shown)]
    paper = [
        (place, *RATINGS_OF_PAPER[one.condition])
        for place, one in enumerate(shown)
        if report.is_of_paper and one.condition in RATINGS_OF_PAPER
    ]
    for label, points, form, colour in (
        ("this ranking", own, "o", SERIES[0]),
        ("the paper, ranked by people", paper, "x", QUIET),
    )[: 1 + report.is_of_paper]:
        axes.errorbar(
            [mu for _, mu, _ in points],
            [place for place, *_ in points],
            xerr=[sigma for *_, sigma in points],
            fmt=form,
            capsize=4,
            color=colour,
            label=label,
        )
    axes.set_yticks(range(len(shown)), [one.condition for one in shown])
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.set_xlabel("TrueSkill rating: mean and standard deviation")
    axes.set_ylabel("condition of the answers")
    axes.set_title(f"Judge: {report.judge}, {report.rankings:,} rankings")
    figure.legend(loc="outside lower left", ncols=2)
