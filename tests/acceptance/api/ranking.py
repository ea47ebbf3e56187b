"""A survey whose answers are ranked, and what workers do with it."""

import csv
import io
import json
from contextlib import suppress
from typing import Any

from apps import wiring
from apps.kernel.errors import DomainError
from apps.reports.tables import cell
from tests.acceptance.api.calling import Caller, accepted

QUESTIONS = {
    "name": "self",
    "title": "Two <script>questions</script>",
    "questions": [
        {"name": "who", "category": "self", "text": "Give an introduction of yourself."},
        {"name": "work", "category": "self", "text": "What is your occupation?"},
        {"name": "day", "category": "plans", "text": "What will you be doing at 6pm today?"},
    ],
}
CONDITIONS = ["full", "no-reflection", "no-observation-no-reflection-no-planning"]


def work() -> None:
    """Do what workers do with the work that waits."""
    for kind in wiring.WORK_KINDS.values():
        for work_id in kind.ids():
            with suppress(DomainError):
                kind.carry_out(wiring.ports(), work_id)


def requested(caller: Caller, survey: str, **body: Any) -> dict[str, Any]:
    """Request a ranking; return it as it was accepted."""
    return accepted(caller.post(f"{survey}/rankings", body))


def downloaded(caller: Caller, path: str, **filters: Any) -> list[dict[str, Any]]:
    """Return the items of a downloaded list, which its CSV has in the same order."""
    lines = caller.get(path, **filters, format="jsonl").getvalue().splitlines()
    items: list[dict[str, Any]] = [json.loads(line) for line in lines]
    table = caller.get(path, **filters, format="csv")
    assert table["Content-Disposition"].endswith(f'{path.rpartition("/")[2]}.csv"')
    text = table.getvalue().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert rows == [{name: cell(value) for name, value in item.items()} for item in items]
    return items
