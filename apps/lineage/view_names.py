"""The names of the views of tables, and statements that read views in place of tables."""

import re
from functools import cache, lru_cache

from django.apps import apps

_PREFIX = "visible_"


def view_of(table: str) -> str:
    """Return the name of the view of a table of histories."""
    return f"{_PREFIX}{table}"


def is_view(name: str) -> bool:
    """Return whether the name is that of such a view."""
    return name.startswith(_PREFIX)


@lru_cache(maxsize=256)
def reading_views(statement: str) -> str:
    """Return the statement with the views in place of the tables of histories."""
    return _tables().sub(lambda found: view_of(found.group()), statement)


@cache
def _tables() -> re.Pattern[str]:
    tables = (
        model._meta.db_table for model in apps.get_models() if hasattr(model, "inheritance")
    )
    return re.compile(rf"\b(?:{'|'.join(sorted(tables))})\b")
