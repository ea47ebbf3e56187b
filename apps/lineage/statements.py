"""Executes SQL statements on histories: reads views for branches, and copies on write.

Statements name tables. Those of an ordinary simulation are executed as they are.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import models

from apps.django_support import statements
from apps.django_support.statements import Values
from apps.kernel.game_time import FOREVER_TICK
from apps.lineage.branches import is_branch
from apps.lineage.copies import copy_rows
from apps.lineage.view_names import reading_views, view_of


def history_rows(
    statement: str, values: Values, *simulation_ids: UUID
) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that reads the histories of the simulations only."""
    return statements.rows_of(statement_on(statement, *simulation_ids), values)


def prepared_history_rows(
    statement: str, values: Values, *simulation_ids: UUID
) -> list[tuple[Any, ...]]:
    """Return the rows as `history_rows` does, of a statement that is planned once."""
    found = statement_on(statement, *simulation_ids)
    return statements.prepared_rows_of(found, values)


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
