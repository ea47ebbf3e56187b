"""The report of a ranking as a folder of files: JSON, CSV, SVG, Markdown, HTML."""

import json
from pathlib import Path

from apps.evaluation.models import RankingRow
from apps.evaluation.rankings.queries import judgements_of
from apps.evaluation.rankings.rating_figure import ratings_svg
from apps.evaluation.rankings.report_pages import (
    FIGURE,
    conditions_table,
    pairs_table,
    report_blocks,
    title_of,
)
from apps.evaluation.rankings.reports import RankingReport, report_of
from apps.reports.blocks import as_html, as_markdown
from apps.reports.tables import csv_text


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
