"""Executes SQL statements on histories: reads views for branches, and copies on write.

Statements name tables. Those of an ordinary simulation are executed as they are.
"""

from typing import Any
from uuid import UUID

from django.db import models

from apps.django_support import statements
from apps.django_support.statements import Values
from apps.lineage.branches import is_branch
from apps.lineage.copies import copy_rows
from apps.lineage.view_names import reading_views, view_of


def history_rows(
    statement: str, values: Values, *simulation_ids: UUID
) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that reads the histories of the simulations only."""
    return statements.rows_of(statement_on(statement, *simulation_ids), values)


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
