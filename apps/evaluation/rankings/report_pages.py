"""A report of a ranking as CSV, Markdown and an HTML page."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from apps.evaluation.rankings.reports import RankingReport

CONDITION_COLUMNS = (
    "condition", "mu", "sigma", "mean_rank", "mean_rank_low", "mean_rank_high", "first_share",
    "plackett_luce_mu", "plackett_luce_sigma", "paper_mu", "paper_sigma",
)  # fmt: skip
PAIR_COLUMNS = ("one", "other", "dunn_p", "nemenyi_p", "d", "won", "wins")
FIGURE_FILE = "ratings.svg"
_LEVELS = (0.001, 0.01)
_NONE = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def conditions_csv(report: RankingReport) -> str:
    """Return the figures of the conditions as CSV, the highest rating first."""
    return _csv(CONDITION_COLUMNS, report.to_json()["conditions"])


def pairs_csv(report: RankingReport) -> str:
    """Return the tests and the effect sizes of all pairs of conditions as CSV.

    The p of a test is empty if all ranks are equal.
    """
    return _csv(PAIR_COLUMNS, report.to_json()["pairs"])


def markdown_page(report: RankingReport) -> str:
    """Return the report as a page of Markdown, which shows the figure of FIGURE_FILE."""
    parts = [
        f"# {_title(report)}",
        *_sentences(report),
        f"![Ratings by condition]({FIGURE_FILE})",
    ]
    for table in _tables(report):
        lines = [table.columns, ["---"] * len(table.columns), *table.rows]
        body = "\n".join(f"| {' | '.join(_escaped(line))} |" for line in lines)
        parts += [f"## {table.title}", body]
    return "\n\n".join(parts) + "\n"


def html_page(report: RankingReport, figure: str) -> str:
    """Return the report as one HTML page.

    :param figure: the figure as an SVG element, which is part of the page.
    """
    return format_html(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<title>{title}</title>\n"
        "<style>body{{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;"
        "padding:0 1rem}}table{{border-collapse:collapse}}td,th{{padding:.2rem .6rem;"
        "border-bottom:1px solid #bbb;text-align:left}}svg{{max-width:100%;height:auto}}"
        "</style></head>\n<body>\n"
        "<h1>{title}</h1>\n{sentences}\n{figure}\n{tables}\n</body></html>\n",
        title=_title(report),
        sentences=format_html_join("\n", "<p>{}</p>", ((one,) for one in _sentences(report))),
        figure=mark_safe(figure),  # noqa: S308 (our own drawing, whose texts are escaped)
        tables=format_html_join("\n", "{}", ((_html_table(one),) for one in _tables(report))),
    )


def _csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, columns)
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def _title(report: RankingReport) -> str:
    return f"Ranking of conditions: {report.row.survey.questionnaire['title']}"


def _sentences(report: RankingReport) -> Iterator[str]:
    found = report.statistics
    yield (
        f"Judge: {report.judge}. Questions: {report.tasks:,}; rankings: {found.rankings:,}; "
        f"evaluators: {report.evaluators:,}; invalid rankings: {report.invalid:,}; questions "
        f"without an answer under each condition: {report.row.left_out:,}. Seed: "
        f"{report.row.seed}."
    )
    if found.effect_size is not None:
        best, worst = found.conditions[0].condition, found.conditions[-1].condition
        yield (
            f"Effect size: d = {found.effect_size:.2f} ({best} against {worst}; the paper "
            "prints 8.16 between its best and its worst condition, and the formula used here "
            "gives 8.64 of its ratings)."
        )
    yield (
        f"Kruskal-Wallis: H({found.kruskal_wallis.degrees}) = "
        f"{_number(found.kruskal_wallis.statistic)}, p {_p(found.kruskal_wallis.p)} "
        "(the paper: H(4) = 150.29). "
        f"Friedman: {_number(found.friedman.statistic)}, p {_p(found.friedman.p)}. Ranks of "
        "one ranking depend on each other: Kruskal-Wallis and Dunn find differences too often, "
        "Friedman and Nemenyi do not."
    )


def _tables(report: RankingReport) -> Iterator[_Table]:
    plain = report.to_json()
    yield _Table(
        title="Conditions",
        columns=(
            "condition", "TrueSkill mu", "sigma", "mean rank", "95 % interval", "first",
            "Plackett-Luce", "paper",
        ),
        rows=[
            (
                one["condition"],
                _number(one["mu"]),
                _number(one["sigma"]),
                _number(one["mean_rank"]),
                f"{_number(one['mean_rank_low'])} to {_number(one['mean_rank_high'])}",
                f"{one['first_share']:.0%}",
                _number(one["plackett_luce_mu"]),
                _number(one["paper_mu"]),
            )
            for one in plain["conditions"]
        ],
    )  # fmt: skip
    yield _Table(
        title="Pairs",
        columns=("one", "other", "d", "won by one", "Dunn, Holm: p", "Nemenyi: p"),
        rows=[
            (
                one["one"],
                one["other"],
                _number(one["d"]),
                f"{one['won']:.0%}",
                _p(one["dunn_p"]),
                _p(one["nemenyi_p"]),
            )
            for one in plain["pairs"]
        ],
    )
    names = report.row.conditions
    yield _Table(
        title="Mean rank by category of questions",
        columns=("category", *names),
        rows=[
            (category, *(_number(ranks[name]) for name in names))
            for category, ranks in report.statistics.by_category.items()
        ],
    )


def _html_table(table: _Table) -> SafeString:
    def cells(tag: str, texts: Iterable[str]) -> SafeString:
        return format_html_join(
            "",
            "<{}>{}</{}>",
            ((mark_safe(tag), text, mark_safe(tag)) for text in texts),  # noqa: S308
        )

    rows: list[tuple[Any]] = [(cells("td", row),) for row in table.rows]
    return format_html(
        "<h2>{}</h2>\n<table>\n<tr>{}</tr>\n{}\n</table>",
        table.title,
        cells("th", table.columns),
        format_html_join("\n", "<tr>{}</tr>", rows),
    )


def _escaped(cells: Sequence[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in cells]


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _p(value: float | None) -> str:
    if value is None:
        return _NONE
    below = next((level for level in _LEVELS if value < level), None)
    return f"= {value:.3f}" if below is None else f"< {below}"
