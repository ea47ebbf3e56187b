"""The report of an experiment: its design, results, comparisons, figures and costs."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import groupby

from apps.evaluation.statistics.availability import is_scipy_installed
from apps.evaluation.statistics.paired import PAIRS_MIN
from apps.experiments.design import ExperimentalCondition, ExperimentDesign
from apps.experiments.measure_plots import PLOTS_MAX, draw_plots, why_not_drawn
from apps.experiments.progress import ExperimentProgress
from apps.experiments.queries import RunLine
from apps.experiments.results import ResultSummary, ResultValue
from apps.llm.catalogue import parse_model
from apps.llm.model_spec import OFFLINE
from apps.reports.blocks import (
    Block,
    FigureOfReport,
    Heading,
    Paragraph,
    TableOfTexts,
)
from apps.work.rows import WorkState


def report_blocks(
    progress: ExperimentProgress,
    values: Sequence[ResultValue],
    summaries: Sequence[ResultSummary],
    runs: Sequence[RunLine],
    *,
    with_plots: bool,
) -> list[Block]:
    """Return the parts of the report as of the latest event.

    :raises PlotsUnavailable: with plots, if the package matplotlib is not installed.
    """
    return [
        *_head(progress, runs),
        *_results(progress.design, summaries),
        *(_figures(progress.design, values, summaries) if with_plots else ()),
        *_costs(runs),
        *_problems(progress),
    ]


def _head(progress: ExperimentProgress, runs: Sequence[RunLine]) -> Iterable[Block]:
    design = progress.design
    yield Heading(1, design.title)
    over = sum(run.state == WorkState.DONE for run in runs)
    yield Paragraph(
        f"Experiment {design.name}: {progress.state}, {over} of {len(runs)} runs finished. "
        f"{len(design.conditions)} conditions with {len(design.seeds)} seeds "
        f"({', '.join(map(str, design.seeds))})."
    )
    if progress.problem:
        yield Paragraph(f"It is paused: {progress.problem}.")
    if any(parse_model(model).server == OFFLINE for model in design.models.values()):
        yield Paragraph(
            "Answers of agents with the offline model are given by rules and not by a language "
            "model."
        )
    if any(run.parent for run in runs):
        shared = sum(run.fork_tick or 0 for run in runs)
        yield Paragraph(f"Forks share {shared:,} ticks of their past, which ran once.")


def _results(design: ExperimentDesign, summaries: Sequence[ResultSummary]) -> Iterable[Block]:
    yield Heading(2, "Results")
    compares = len(design.conditions) > 1
    yield Paragraph("Means over the seeds with 95 % bootstrap intervals in parentheses.")
    if compares:
        tests = sum(one.t_p is not None for one in summaries)
        yield Paragraph(
            f"Differences are from the condition {design.label_of(design.baseline_condition)}, "
            "paired by seed. The p-values are two-sided and not corrected for the number of "
            f"tests, which is {tests} of each kind."
        )
    has_references = any(one.reference is not None for one in summaries)
    head = ["measure", "condition", "runs", "mean"]
    head += ["difference", "t-test p", "Wilcoxon p"] if compares else []
    head += ["reference"] if has_references else []
    for moment in dict.fromkeys(one.moment for one in summaries):
        yield Heading(3, f"As of {moment:%A %d %B %Y, %H:%M}")
        own = [one for one in summaries if one.moment == moment]
        constant = {measure: rows for measure, rows in _by_measure(own) if _is_constant(rows)}
        rows = [
            _result_row(design, one, compares=compares, has_references=has_references)
            for one in own
            if one.measure not in constant
        ]
        if rows:
            yield TableOfTexts(head, rows, frozenset(range(2, len(head))))
        if constant:
            same = (f"{name} {_number(rows[0].mean)}" for name, rows in constant.items())
            yield Paragraph(f"The same in all runs: {', '.join(same)}.")
    yield Heading(3, "The measures")
    labels = design.measure_labels.items()
    yield TableOfTexts(
        ["measure", "what it counts", "unit"],
        [[name, label.title, label.unit] for name, label in labels],
    )


def _by_measure(
    summaries: Iterable[ResultSummary],
) -> Iterable[tuple[str, list[ResultSummary]]]:
    """Yield each measure with its rows of a moment."""
    return ((name, [*rows]) for name, rows in groupby(summaries, lambda one: one.measure))


def _is_constant(rows: Sequence[ResultSummary]) -> bool:
    """Return whether all runs have one value, and no published one stands beside it."""
    ends = {end for one in rows for end in (one.mean, one.low, one.high)}
    has_runs = sum(one.runs for one in rows) > 1
    return (
        has_runs
        and len(ends) == 1
        and not any(one.standard_deviation or one.reference is not None for one in rows)
    )


def _result_row(
    design: ExperimentDesign, one: ResultSummary, *, compares: bool, has_references: bool
) -> list[str]:
    row = [one.measure, design.label_of(_condition(one)), str(one.runs)]
    row.append(_with_interval(one.mean, one.low, one.high))
    if compares:
        row.append(
            "baseline"
            if one.is_baseline
            else _with_interval(one.difference, one.difference_low, one.difference_high)
        )
        row += [
            _p_value(one, one.t_p, "the differences do not vary"),
            _p_value(one, one.wilcoxon_p, "no difference"),
        ]
    if has_references:
        row.append(_number(one.reference))
    return row


def _condition(one: ResultSummary) -> ExperimentalCondition:
    return ExperimentalCondition(one.world, one.settings, one.model, one.intervention)


def _figures(
    design: ExperimentDesign,
    values: Sequence[ResultValue],
    summaries: Sequence[ResultSummary],
) -> Iterable[Block]:
    yield Heading(2, "Figures")
    drawn = draw_plots(design, values, summaries)
    for name, caption, svg in drawn:
        yield FigureOfReport(name, caption, svg)
    empty = ((one, why_not_drawn(one, values)) for one in design.measured_names)
    problems = [f"{name} ({problem})" for name, problem in empty if problem]
    if problems:
        yield Paragraph(f"Not drawn: {', '.join(problems)}.")
    if len(drawn) == PLOTS_MAX:
        yield Paragraph(f"The first {PLOTS_MAX} measures are drawn.")


def _costs(runs: Sequence[RunLine]) -> Iterable[Block]:
    yield Heading(2, "Costs")
    yield Paragraph(
        "The estimate was made before the start, by the recorded figures of an agent's day; a "
        "branch counts from its fork."
    )
    groups: dict[str, list[RunLine]] = {}
    for run in runs:
        name = "/".join((run.world, run.settings, run.model, run.intervention))
        groups.setdefault(name, []).append(run)
    groups["all"] = list(runs)
    head = ["condition", "runs", "calls estimated", "calls", "tokens estimated", "tokens"]
    rows = [
        [
            name,
            str(len(group)),
            f"{sum(one.estimated_calls for one in group):,}",
            f"{sum(one.calls for one in group):,}",
            f"{sum(one.estimated_tokens for one in group):,}",
            f"{sum(one.tokens for one in group):,}",
            f"{sum((one.estimated_cost for one in group), Decimal(0)):.4f}",
            f"{sum((one.cost for one in group), Decimal(0)):.4f}",
        ]
        for name, group in groups.items()
    ]
    head += ["cost estimated", "cost"]
    yield TableOfTexts(head, rows, frozenset(range(1, len(head))))


def _problems(progress: ExperimentProgress) -> Iterable[Block]:
    failed = [
        run
        for run in progress.runs.values()
        if run.state in {WorkState.FAILED, WorkState.PAUSED}
    ]
    if not failed:
        return
    yield Heading(2, "Runs without results")
    rows = [[run.key, str(run.state), run.problem] for run in failed]
    yield TableOfTexts(["run", "state", "reason"], rows)


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return ""
    if low is None or high is None:
        return _number(value)
    return f"{_number(value)} ({_number(low)} to {_number(high)})"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"


def _p_value(one: ResultSummary, value: float | None, reason: str) -> str:
    """Return the p-value, or the reason that there is none."""
    if value is not None:
        return "< 0.001" if value < 0.001 else f"{value:.3g}"
    if one.is_baseline:
        return ""
    if one.pairs < PAIRS_MIN:
        return f"{one.pairs} pairs"
    return reason if is_scipy_installed() else "scipy is not installed"
