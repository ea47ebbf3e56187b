"""The tables of the report of a ranking, and its parts for Markdown and HTML."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from apps.evaluation.models import RankingRow
from apps.evaluation.plots.svg_figure import QUIET, SERIES, FigureDrawing, render_svg
from apps.evaluation.rankings.condition_statistics import ConditionPair, RatedCondition
from apps.evaluation.rankings.queries import RATINGS_OF_PAPER, judgements_of
from apps.evaluation.rankings.reports import RankingReport, report_of
from apps.reports.blocks import (
    Block,
    FigureOfReport,
    Heading,
    Paragraph,
    TableOfTexts,
    as_html,
    as_markdown,
)
from apps.reports.tables import Table, csv_text, table_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURE = "ratings"
_LEVELS = (0.001, 0.01)
_NONE = "-"


def conditions_table(report: RankingReport) -> Table:
    """Return the figures of the conditions, the highest rating first."""
    return table_of("conditions", RatedCondition, report.conditions)


def pairs_table(report: RankingReport) -> Table:
    """Return the tests and the effect sizes of all pairs of conditions.

    The p of a test is empty if all ranks are equal.
    """
    return table_of("pairs", ConditionPair, report.pairs)


def report_blocks(report: RankingReport, figure: bytes) -> list[Block]:
    """Return the parts of the report; `figure` is that of the ratings."""
    return [
        Heading(1, title_of(report)),
        *map(Paragraph, _sentences(report)),
        FigureOfReport(FIGURE, "Ratings by condition", figure),
        *_tables(report),
    ]


def title_of(report: RankingReport) -> str:
    """Return the title of the report."""
    return f"Ranking of conditions: {report.row.survey.questionnaire['title']}"


def _sentences(report: RankingReport) -> Iterator[str]:
    survey = report.row.survey
    yield (
        f"Judge: {report.judge}. Questions: {report.tasks:,}; rankings: {report.rankings:,}; "
        f"evaluators: {report.evaluators:,}; invalid rankings: {report.invalid:,}; questions "
        f"without an answer under each condition: {report.row.left_out:,}. Seed: "
        f"{report.row.seed}."
    )
    yield (
        f"The answers are those of {report.answered_by}, of {len(survey.agents)} agents of the "
        f"simulation {survey.simulation_id} at {len(survey.ticks)} moments."
    )
    if report.without_value:
        reasons = ", ".join(f"{reason} {n:,}" for reason, n in report.without_value.items())
        yield f"Answers of the survey to typed questions without a value: {reasons}."
    compared = " (the paper: H(4) = 150.29)" if report.is_of_paper else ""
    if report.effect_size is not None:
        best, worst = report.conditions[0].condition, report.conditions[-1].condition
        yield f"Effect size: d = {report.effect_size:.2f} ({best} against {worst})."
        if report.is_of_paper:
            yield (
                "The paper prints d = 8.16 between its best and its worst condition, and the "
                "formula used here gives 8.64 of its ratings."
            )
    yield (
        f"Kruskal-Wallis: H({report.kruskal_wallis.degrees}) = "
        f"{_number(report.kruskal_wallis.statistic)}, p {_p(report.kruskal_wallis.p)}"
        f"{compared}. "
        f"Friedman: {_number(report.friedman.statistic)}, p {_p(report.friedman.p)}. Ranks of "
        "one ranking depend on each other: Kruskal-Wallis and Dunn find differences too often, "
        "Friedman and Nemenyi do not."
    )


def _tables(report: RankingReport) -> Iterator[Block]:
    columns = [
        "condition", "TrueSkill mu", "sigma", "mean rank", "95 % interval", "first",
        "Plackett-Luce", *(["paper"] if report.is_of_paper else []),
    ]  # fmt: skip
    yield Heading(2, "Conditions")
    yield TableOfTexts(
        columns,
        [
            [
                one.condition,
                _number(one.mu),
                _number(one.sigma),
                _number(one.mean_rank),
                f"{_number(one.mean_rank_low)} to {_number(one.mean_rank_high)}",
                f"{one.first_share:.0%}",
                _number(one.plackett_luce_mu),
                _number(one.paper_mu),
            ][: len(columns)]
            for one in report.conditions
        ],
    )
    yield Heading(2, "Pairs")
    yield TableOfTexts(
        ["one", "other", "d", "won by one", "Dunn, Holm: p", "Nemenyi: p"],
        [
            [
                one.one,
                one.other,
                _number(one.d),
                f"{one.won:.0%}",
                _p(one.dunn_p),
                _p(one.nemenyi_p),
            ]
            for one in report.pairs
        ],
    )
    names = report.row.conditions
    by_category: dict[str, dict[str, float]] = defaultdict(dict)
    for one in report.by_category:
        by_category[one.category][one.condition] = one.mean_rank
    yield Heading(2, "Mean rank by category of questions")
    yield TableOfTexts(
        ["category", *names],
        [
            [category, *(_number(ranks[name]) for name in names)]
            for category, ranks in by_category.items()
        ],
    )


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _p(value: float | None) -> str:
    if value is None:
        return _NONE
    below = next((level for level in _LEVELS if value < level), None)
    return f"= {value:.3f}" if below is None else f"< {below}"


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


def write_report(row: RankingRow, folder: Path) -> RankingReport:
    """Write the report and the judgements into the folder, which is made if it is missing.

    :raises StatisticsUnavailable: if an optional package is not installed.
    """
    report = report_of(row)
    figure = ratings_svg(report)
    blocks = report_blocks(report, figure)
    judgements = [
        {
            "agent": one.task.agent,
            "tick": one.task.as_of_tick,
            "question": one.task.question,
            "category": one.task.category,
            "evaluator": one.evaluator,
            "ranks": one.ranks,
            "parse_error": one.parse_error,
            "answers": one.task.answers,
        }
        for one in judgements_of(row).order_by("task__number", "evaluator")
    ]
    files = {
        "report.json": json.dumps(report.to_json(), indent=1) + "\n",
        "conditions.csv": csv_text(conditions_table(report)),
        "pairs.csv": csv_text(pairs_table(report)),
        f"{FIGURE}.svg": figure.decode(),
        "report.md": as_markdown(blocks),
        "report.html": as_html(blocks, title=title_of(report)),
        "judgements.jsonl": "".join(
            f"{json.dumps(one, ensure_ascii=False)}\n" for one in judgements
        ),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="")
    return report
