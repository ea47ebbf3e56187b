"""The results of an experiment as a folder: tables, report, figures, events."""

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from uuid import UUID

import yaml

from apps.evaluation.plots.svg_figure import ensure_plots_available
from apps.evaluation.statistics.availability import is_scipy_installed
from apps.experiments.design_checks import calendars_of_conditions
from apps.experiments.event_table import progress_of
from apps.experiments.experiment_report import report_blocks
from apps.experiments.measure_plots import draw_figure, figure_names, why_not_drawn
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
from apps.reports.blocks import Block, FigureOfReport, as_html, as_markdown
from apps.reports.tables import csv_text, table_of, write_parquet
from apps.simulation.ports import Ports

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
    design = dict(progress.requested.design)
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
