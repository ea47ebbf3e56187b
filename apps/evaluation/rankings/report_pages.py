"""The tables of the report of a ranking, and its parts for Markdown and HTML."""

from collections.abc import Iterator

from apps.evaluation.rankings.reports import RankingReport
from apps.reports.blocks import (
    Block,
    FigureOfReport,
    Heading,
    Paragraph,
    TableOfTexts,
)
from apps.reports.tables import FRACTION, TEXT, Table

CONDITION_COLUMNS = {"condition": TEXT} | dict.fromkeys(
    (
        "mu", "sigma", "mean_rank", "mean_rank_low", "mean_rank_high", "first_share",
        "plackett_luce_mu", "plackett_luce_sigma", "paper_mu", "paper_sigma",
    ),
    FRACTION,
)  # fmt: skip
PAIR_COLUMNS = {"one": TEXT, "other": TEXT} | dict.fromkeys(
    ("dunn_p", "nemenyi_p", "d", "won", "wins"), FRACTION
)
FIGURE = "ratings"
_LEVELS = (0.001, 0.01)
_NONE = "-"


def conditions_table(report: RankingReport) -> Table:
    """Return the figures of the conditions, the highest rating first."""
    rows = report.to_json()["conditions"]
    return Table(name="conditions", columns=CONDITION_COLUMNS, rows=rows)


def pairs_table(report: RankingReport) -> Table:
    """Return the tests and the effect sizes of all pairs of conditions.

    The p of a test is empty if all ranks are equal.
    """
    return Table(name="pairs", columns=PAIR_COLUMNS, rows=report.to_json()["pairs"])


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
    found, survey = report.statistics, report.row.survey
    yield (
        f"Judge: {report.judge}. Questions: {report.tasks:,}; rankings: {found.rankings:,}; "
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
    if found.effect_size is not None:
        best, worst = found.conditions[0].condition, found.conditions[-1].condition
        yield f"Effect size: d = {found.effect_size:.2f} ({best} against {worst})."
        if report.is_of_paper:
            yield (
                "The paper prints d = 8.16 between its best and its worst condition, and the "
                "formula used here gives 8.64 of its ratings."
            )
    yield (
        f"Kruskal-Wallis: H({found.kruskal_wallis.degrees}) = "
        f"{_number(found.kruskal_wallis.statistic)}, p {_p(found.kruskal_wallis.p)}"
        f"{compared}. "
        f"Friedman: {_number(found.friedman.statistic)}, p {_p(found.friedman.p)}. Ranks of "
        "one ranking depend on each other: Kruskal-Wallis and Dunn find differences too often, "
        "Friedman and Nemenyi do not."
    )


def _tables(report: RankingReport) -> Iterator[Block]:
    plain = report.to_json()
    columns = [
        "condition", "TrueSkill mu", "sigma", "mean rank", "95 % interval", "first",
        "Plackett-Luce", *(["paper"] if report.is_of_paper else []),
    ]  # fmt: skip
    yield Heading(2, "Conditions")
    yield TableOfTexts(
        columns,
        [
            [
                one["condition"],
                _number(one["mu"]),
                _number(one["sigma"]),
                _number(one["mean_rank"]),
                f"{_number(one['mean_rank_low'])} to {_number(one['mean_rank_high'])}",
                f"{one['first_share']:.0%}",
                _number(one["plackett_luce_mu"]),
                _number(one["paper_mu"]),
            ][: len(columns)]
            for one in plain["conditions"]
        ],
    )
    yield Heading(2, "Pairs")
    yield TableOfTexts(
        ["one", "other", "d", "won by one", "Dunn, Holm: p", "Nemenyi: p"],
        [
            [
                one["one"],
                one["other"],
                _number(one["d"]),
                f"{one['won']:.0%}",
                _p(one["dunn_p"]),
                _p(one["nemenyi_p"]),
            ]
            for one in plain["pairs"]
        ],
    )
    names = report.row.conditions
    yield Heading(2, "Mean rank by category of questions")
    yield TableOfTexts(
        ["category", *names],
        [
            [category, *(_number(ranks[name]) for name in names)]
            for category, ranks in report.statistics.by_category.items()
        ],
    )


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _p(value: float | None) -> str:
    if value is None:
        return _NONE
    below = next((level for level in _LEVELS if value < level), None)
    return f"= {value:.3f}" if below is None else f"< {below}"
