"""The text of an SQL statement names the tables of its own app only."""

import re
from pathlib import Path

from django.apps import apps

ROOT = Path(__file__).parents[2]
OWNERS = {
    model._meta.db_table: model.__module__.split(".")[1]
    for model in apps.get_models()
    if model.__module__.startswith("apps.")
}
NAMED = re.compile(rf"\b(?:visible_)?({'|'.join(sorted(OWNERS, key=len, reverse=True))})\b")


def test_each_table_is_named_by_the_app_that_owns_it() -> None:
    """See that other apps take the part of a statement from the owner's module."""
    foreign = {
        (str(path.relative_to(ROOT)), table)
        for path in (ROOT / "apps").rglob("*.py")
        for table in NAMED.findall(path.read_text("utf-8"))
        if OWNERS[table] != path.relative_to(ROOT).parts[1]
    }
    assert not foreign
    assert {"agents_actionrow", "memory_memoryrow", "eventlog_eventrow"} <= OWNERS.keys()
