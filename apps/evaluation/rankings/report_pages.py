"""The tables of the report of a ranking, and its parts for Markdown and HTML."""

from collections import defaultdict
from collections.abc import Iterator

from apps.evaluation.rankings.reports import ConditionPair, RankingReport, RatedCondition
from apps.reports.blocks import (
    Block,
    FigureOfReport,
    Heading,
    Paragraph,
    TableOfTexts,
)
from apps.reports.tables import Table, table_of

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
