"""Executes SQL statements on histories: reads views for branches, and copies on write.

Statements name tables. Those of an ordinary simulation are executed as they are.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from django.db import models

from apps.django_support import statements
from apps.django_support.statements import Values, carry_out
from apps.kernel.game_time import FOREVER_TICK
from apps.lineage.branches import is_branch
from apps.lineage.views import history_models, inheritance_of, reading_views, view_of

_COPY = """
INSERT INTO {table} (simulation_id, copied_from, {columns})
SELECT simulation_id, coalesce(copied_from, id), {columns}
FROM {view}
WHERE simulation_id = %(branch)s AND is_inherited AND id = ANY(%(keys)s)
"""
_COPY_CURRENT = """
INSERT INTO {table} (simulation_id, {ends}, {columns})
SELECT %(branch)s, NULL, {columns}
FROM {view}
WHERE simulation_id = %(parent)s AND {begins} <= %(tick)s
    AND coalesce({ends}, %(forever)s) > %(tick)s
"""
_NOT_COPIED = {"id", "simulation_id", "copied_from"}


def copy_rows(model: type[models.Model], branch: UUID, keys: Sequence[int]) -> None:
    """Copy those of the rows that the branch inherits; its own rows stay."""
    if keys:
        carry_out(_copying(model), {"branch": branch, "keys": list(keys)})


def copy_current_rows(branch: UUID, parent: UUID, tick: int) -> None:
    """Copy the rows that are current at the end of the last shared tick, where declared so."""
    for model in history_models():
        if inheritance_of(model).is_current_copied:
            values = {"branch": branch, "parent": parent, "tick": tick, "forever": FOREVER_TICK}
            carry_out(_copying_current(model), values)


@cache
def _copying_current(model: type[models.Model]) -> str:
    table, inheritance = model._meta.db_table, inheritance_of(model)
    return _COPY_CURRENT.format(
        table=table,
        view=view_of(table),
        begins=inheritance.begins,
        ends=inheritance.ends,
        columns=", ".join(_columns(model, {*_NOT_COPIED, inheritance.ends})),
    )


@cache
def _copying(model: type[models.Model]) -> str:
    table = model._meta.db_table
    return _COPY.format(
        table=table, view=view_of(table), columns=", ".join(_columns(model, _NOT_COPIED))
    )


def _columns(model: type[models.Model], without: Collection[str]) -> list[str]:
    return [
        f'"{field.column}"'
        for field in model._meta.concrete_fields
        if field.column not in without
    ]


def history_rows(
    statement: str, values: Values, *simulation_ids: UUID
) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that reads the histories of the simulations only."""
    return statements.rows_of(statement_on(statement, *simulation_ids), values)


def values_between(
    simulation_id: UUID, from_tick: int, to_tick: int | None, agents: Iterable[str] | None
) -> dict[str, object]:
    """Return the values of a statement on [from_tick, to_tick], of all agents if None."""
    return {
        "simulation": simulation_id,
        "from_tick": from_tick,
        "to_tick": FOREVER_TICK if to_tick is None else to_tick,
        "agents": None if agents is None else list(agents),
    }


def statement_on(statement: str, *simulation_ids: UUID) -> str:
    """Return the statement as it reads the histories of the simulations."""
    return reading_views(statement) if any(map(is_branch, simulation_ids)) else statement


def copy_inherited(
    model: type[models.Model], simulation_id: UUID, condition: str, values: Values
) -> None:
    """Copy the rows that a branch inherits and that meet the condition, before a change."""
    if is_branch(simulation_id):
        of_branch = "simulation_id = %(lineage_branch)s AND is_inherited"
        statement = (
            f"SELECT id FROM {view_of(model._meta.db_table)} "  # noqa: S608 (names of the code)
            f"WHERE {of_branch} AND ({condition})"
        )
        found = statements.rows_of(statement, {**values, "lineage_branch": simulation_id})
        copy_rows(model, simulation_id, [key for (key,) in found])
