"""Copies the rows that a branch inherits into the branch, before it changes them."""

from collections.abc import Collection, Sequence
from functools import cache
from uuid import UUID

from django.apps import apps
from django.db import models

from apps.django_support.statements import carry_out
from apps.kernel.game_time import FOREVER_TICK
from apps.lineage.inheritance import Inheritance
from apps.lineage.view_names import view_of

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
    for model in apps.get_models():
        inheritance = getattr(model, "inheritance", None)
        if inheritance is not None and inheritance.is_current_copied:
            values = {"branch": branch, "parent": parent, "tick": tick, "forever": FOREVER_TICK}
            carry_out(_copying_current(model), values)


@cache
def _copying_current(model: type[models.Model]) -> str:
    inheritance: Inheritance = model.inheritance  # type: ignore[attr-defined]
    table = model._meta.db_table
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
