"""Statements in SQL read the past that a branch shares (V4)."""

import re
from pathlib import Path

import pytest

from apps.lineage.views import history_models, view_of

APPS = Path("apps")
TABLES = sorted(model._meta.db_table for model in history_models())
READS = re.compile(rf"\b(?:FROM|JOIN)\s+(?:{'|'.join(TABLES)})\b")
# Constants for other modules, and statements on rows of simulations themselves.
NO_READERS = {
    "agents/statements.py": "constants",
    "dialogue/statements.py": "constants",
    "memory/statements.py": "constants",
    "planning/statements.py": "constants",
    "reaction/models.py": "constants",
    "memory/projections.py": "changes own rows, which were copied before",
    "llm/calls/prompt_storage.py": "parts of prompts belong to the calls of all simulations",
    "llm/calls/queries.py": "a branch uses the tokens of its own calls only",
}


def _reading_modules() -> dict[str, str]:
    sources = {
        str(path.relative_to(APPS)): path.read_text() for path in sorted(APPS.rglob("*.py"))
    }
    return {name: text for name, text in sources.items() if READS.search(text)}


@pytest.mark.parametrize("module", sorted(_reading_modules().keys() - NO_READERS.keys()))
def test_a_module_that_reads_tables_of_a_history_names_the_simulation(module: str) -> None:
    """See that a statement is executed by what chooses between tables and views."""
    text = _reading_modules()[module]
    assert "history_rows(" in text or "statement_on(" in text


def test_exceptions_are_still_needed() -> None:
    assert NO_READERS.keys() <= _reading_modules().keys()


def test_no_statement_names_a_view() -> None:
    named = [
        str(path)
        for path in APPS.rglob("*.py")
        if any(view_of(table) in path.read_text() for table in TABLES)
    ]
    assert named == [str(APPS / "agents" / "models.py")]  # the tick at which an agent left
