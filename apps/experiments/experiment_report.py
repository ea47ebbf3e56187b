"""The report of an experiment: its design, results, comparisons, figures and costs."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from uuid import UUID

import yaml

from apps.evaluation.plots.svg_figure import ensure_plots_available
from apps.evaluation.statistics.rank_tests import PAIRS_MIN, is_scipy_installed
from apps.experiments.design import ExperimentDesign
from apps.experiments.design_checks import calendars_of_conditions
from apps.experiments.event_table import progress_of
from apps.experiments.measure_plots import (
    PLOTS_MAX,
    draw_figure,
    draw_plots,
    figure_names,
    why_not_drawn,
)
from apps.experiments.progress import ExperimentProgress
from apps.experiments.queries import RunLine, list_events, run_lines
from apps.experiments.results import (
    ResultSummary,
    ResultValue,
    result_summaries,
    result_values,
)
from apps.kernel.errors import NotFound
from apps.kernel.names import names_there_are
from apps.llm.catalogue import parse_model
from apps.llm.model_spec import OFFLINE
from apps.reports.blocks import (
    Block,
    FigureOfReport,
    Heading,
    Paragraph,
    TableOfTexts,
    as_html,
    as_markdown,
)
from apps.reports.tables import csv_text, table_of, write_parquet
from apps.simulation.ports import Ports
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
    row = [one.measure, design.label_of(one.condition), str(one.runs)]
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
        name = "/".join(run.condition.levels)
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


PLOTS = "plots"


class FigureUnknown(NotFound):
    """The report of the experiment has no figure of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFigure:
    """A figure of the report; `problem` says why it is not drawn, "" for one that is."""

    number: int
    name: str
    """Of the address `…/plots/{name}.svg`."""
    measure: str
    title: str
    """What the measure counts."""
    unit: str
    problem: str


def report_of(ports: Ports, progress: ExperimentProgress) -> list[Block]:
    """Return the report, with figures and tests as far as their packages are installed."""
    return _report(ports, progress)[0]


def figure_of(ports: Ports, progress: ExperimentProgress, name: str) -> bytes:
    """Return the figure of a report as SVG, by the name that links to it.

    :raises FigureUnknown: if no measure has the name, or a figure would show nothing.
    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    ensure_plots_available()
    named = {figure: measure for measure, figure in figure_names(progress.design).items()}
    if name not in named:
        raise FigureUnknown(
            f"there is no figure {name[:80]!r}; of figures of measures "
            f"{names_there_are(named, name)}"
        )
    calendars = calendars_of_conditions(ports, progress.design)
    values = result_values(progress, calendars)
    problem = why_not_drawn(named[name], values)
    if problem:
        raise FigureUnknown(f"the measure {named[name]} is not drawn: {problem}")
    summaries = result_summaries(progress, calendars, with_tests=False)
    _, svg = draw_figure(progress.design, named[name], values, summaries)
    return svg


def figures_of(ports: Ports, progress: ExperimentProgress) -> list[ListedFigure]:
    """Return the figures of all measures, in order, also those that show nothing yet."""
    calendars = calendars_of_conditions(ports, progress.design)
    values = result_values(progress, calendars)
    labels = progress.design.measure_labels
    return [
        ListedFigure(
            number=number,
            name=name,
            measure=measure,
            title=labels[measure].title,
            unit=labels[measure].unit,
            problem=why_not_drawn(measure, values),
        )
        for number, (measure, name) in enumerate(figure_names(progress.design).items(), start=1)
    ]


def write_report_folder(ports: Ports, experiment_id: UUID, folder: Path) -> list[Path]:
    """Write the results so far into a folder, and return the files.

    `results.csv` and `summary.csv` have no ids and no times of the machine: the same design
    gives the same bytes. Parquet needs the package duckdb, tests scipy, and figures matplotlib;
    without one of them its part is left out.
    """
    progress = progress_of(experiment_id)
    blocks, values, summaries, runs = _report(ports, progress)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, kind, rows in (
        ("results", ResultValue, values),
        ("summary", ResultSummary, summaries),
        ("runs", RunLine, runs),
    ):
        written.append(folder / f"{name}.csv")
        text = csv_text(table_of(name, kind, rows))
        written[-1].write_text(text, encoding="utf-8", newline="")
        if find_spec("duckdb") is not None:
            written.append(folder / f"{name}.parquet")
            write_parquet(table_of(name, kind, rows), written[-1])
    figures = [block for block in blocks if isinstance(block, FigureOfReport)]
    if figures:
        (folder / PLOTS).mkdir(exist_ok=True)
    for figure in figures:
        path = folder / PLOTS / f"{figure.name}.svg"
        path.write_bytes(figure.svg)
        written.append(path)
    design = progress.design.to_json()
    texts = {
        "report.md": as_markdown(blocks, folder=PLOTS),
        "report.html": as_html(blocks, title=progress.design.title),
        "experiment.yaml": yaml.safe_dump(design, sort_keys=False, allow_unicode=True),
        "events.jsonl": _events(experiment_id),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
        written.append(folder / name)
    return written


def _report(
    ports: Ports, progress: ExperimentProgress
) -> tuple[list[Block], list[ResultValue], list[ResultSummary], list[RunLine]]:
    calendars = calendars_of_conditions(ports, progress.design)
    values = result_values(progress, calendars)
    summaries = result_summaries(progress, calendars, with_tests=is_scipy_installed())
    runs = run_lines(progress)
    with_plots = find_spec("matplotlib") is not None
    blocks = report_blocks(progress, values, summaries, runs, with_plots=with_plots)
    return blocks, values, summaries, runs


def _events(experiment_id: UUID) -> str:
    """Return the events as JSON Lines."""
    lines = (
        {
            "number": row.number,
            "type": row.type,
            "by": row.by,
            "recorded_at": row.recorded_at.isoformat(),
            "data": row.data,
        }
        for row in list_events(experiment_id).order_by("number")
    )
    return "".join(f"{json.dumps(line)}\n" for line in lines)
