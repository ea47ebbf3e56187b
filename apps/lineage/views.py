"""The views by which branches are read: own rows, and what a branch inherits of each table.

They are derived from the models, so that no migration names them: migrations drop them before
the first and create them after the last change of a schema.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

from apps.django_support.statements import rows_of

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
    tables = (model._meta.db_table for model in history_models())
    return re.compile(rf"\b(?:{'|'.join(sorted(tables))})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inheritance:
    """Which rows of a table a branch inherits, and which of their values.

    A branch inherits the rows whose column `begins` is a tick of the shared past. `set_later`
    has, by the column of the tick at which they are set, the other columns that are set with
    it, each with the SQL of its value before; a tick itself is NULL before. Values that were
    set after the shared past read as not set. `computed` has the SQL of columns that cannot be
    clipped so, where `l` is the lineage and `r` the row. `condition` excludes further rows.

    `ends` is the column of `set_later` after which a row does not change any more. With
    `is_current_copied` only the rows that have ended are inherited, and the fork copies the
    others. This is for the few rows that every turn reads.
    """

    begins: str
    set_later: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    computed: Mapping[str, str] = field(default_factory=dict)
    condition: str = "true"
    ends: str = ""
    is_current_copied: bool = False


_VIEW = """
CREATE VIEW {view} AS
SELECT false AS is_inherited, {own} FROM {table} AS r
UNION ALL
SELECT true, {inherited}
FROM lineage_lineagerow AS l
JOIN {table} AS r ON r.simulation_id = l.ancestor AND r.{begins} <= l.until_tick
WHERE {condition}{unless_copied}
"""
# A copy of the branch, or of an ancestor that is nearer, hides the row.
_HAS_NO_COPY = """NOT EXISTS (
        SELECT FROM {table} AS copy
        WHERE copy.copied_from = coalesce(r.copied_from, r.id)
            AND copy.simulation_id = ANY(l.nearer)
    )"""
_COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema()
"""
_COMMENTS = """
SELECT relname, coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class
WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace
"""


def drop_views(*, plan: list[Any], **_signal: Any) -> None:
    """Drop the views before a migration, since PostgreSQL keeps columns that a view reads."""
    if plan:
        with transaction.atomic(), connection.cursor() as cursor:
            for view in _views_present():
                cursor.execute(f"DROP VIEW IF EXISTS {view} CASCADE")


def create_views(**_signal: Any) -> None:
    """Create the views that are missing or that the models declare otherwise now."""
    present = _views_present()
    wanted = {name: _digest(sql) for name, sql in _definitions().items()}
    if present == wanted:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for view in present:
            cursor.execute(f"DROP VIEW IF EXISTS {view} CASCADE")
        for view, definition in _definitions().items():
            cursor.execute(definition)
            cursor.execute(f"COMMENT ON VIEW {view} IS '{_digest(definition)}'")


def history_models() -> Iterator[type[models.Model]]:
    """Yield the models of histories; computed columns read the views of the others."""
    found = [model for model in apps.get_models() if hasattr(model, "inheritance")]
    yield from sorted(found, key=lambda model: bool(inheritance_of(model).computed))


def definition_of(model: type[models.Model]) -> str:
    """Return the statement that creates the view of a model."""
    table, inheritance = model._meta.db_table, inheritance_of(model)
    columns = [str(field.column) for field in model._meta.concrete_fields]
    ends, condition, unless_copied = inheritance.ends, inheritance.condition, ""
    if inheritance.is_current_copied:
        condition = f"r.{ends} <= l.until_tick"
    elif "copied_from" in columns:
        has_no_copy = _HAS_NO_COPY.format(table=table)
        # Below an OR, PostgreSQL looks for the copies of each row, and cannot join them once.
        unless_copied = (
            f" AND (r.{ends} <= l.until_tick OR {has_no_copy})"
            if ends
            else f" AND {has_no_copy}"
        )
    return _VIEW.format(
        view=view_of(table),
        table=table,
        begins=inheritance.begins,
        condition=condition,
        own=", ".join(f'r."{column}"' for column in columns),
        inherited=", ".join(_inherited(column, inheritance) for column in columns),
        unless_copied=unless_copied,
    )


def _inherited(column: str, inheritance: Inheritance) -> str:
    """Return the SQL of a column of an inherited row."""
    if column == "simulation_id":
        return "l.branch"
    if column in inheritance.computed:
        return inheritance.computed[column]
    before = {
        name: (tick, value)
        for tick, values in inheritance.set_later.items()
        for name, value in {tick: "NULL", **values}.items()
    }
    if column not in before:
        return f'r."{column}"'
    tick, value = before[column]
    if inheritance.is_current_copied:
        return f'r."{column}"'  # set in the shared past
    return f'CASE WHEN r.{tick} > l.until_tick THEN {value} ELSE r."{column}" END'


def inheritance_of(model: type[models.Model]) -> Inheritance:
    """Return what a branch inherits of the rows of a model of histories."""
    inheritance: Inheritance = model.inheritance  # type: ignore[attr-defined]
    return inheritance


def _definitions() -> dict[str, str]:
    """Return the definitions by name, of those tables that have all columns of the model."""
    columns: dict[str, set[str]] = {}
    for table, column in rows_of(_COLUMNS, {}):
        columns.setdefault(table, set()).add(column)
    return {
        view_of(model._meta.db_table): definition_of(model)
        for model in history_models()
        if {field.column for field in model._meta.concrete_fields}
        <= columns.get(model._meta.db_table, set())
    }


def _views_present() -> dict[str, str]:
    return {view: comment for view, comment in rows_of(_COMMENTS, {}) if is_view(view)}


def _digest(definition: str) -> str:
    return sha256(definition.encode()).hexdigest()
