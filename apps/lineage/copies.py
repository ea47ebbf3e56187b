"""Copies the rows that a branch inherits into the branch, before it changes them."""

from collections.abc import Sequence
from functools import cache
from uuid import UUID

from django.db import models

from apps.django_support.statements import carry_out
from apps.lineage.view_names import view_of

_COPY = """
INSERT INTO {table} (simulation_id, copied_from, {columns})
SELECT simulation_id, coalesce(copied_from, id), {columns}
FROM {view}
WHERE simulation_id = %(branch)s AND is_inherited AND id = ANY(%(keys)s)
"""
_NOT_COPIED = {"id", "simulation_id", "copied_from"}


def copy_rows(model: type[models.Model], branch: UUID, keys: Sequence[int]) -> None:
    """Copy those of the rows that the branch inherits; its own rows stay."""
    if keys:
        carry_out(_copying(model), {"branch": branch, "keys": list(keys)})


@cache
def _copying(model: type[models.Model]) -> str:
    columns = [
        f'"{field.column}"'
        for field in model._meta.concrete_fields
        if field.column not in _NOT_COPIED
    ]
    table = model._meta.db_table
    return _COPY.format(table=table, view=view_of(table), columns=", ".join(columns))
