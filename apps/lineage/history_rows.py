"""The bases of all rows of histories, which branches share with their ancestors.

A query that names a branch reads the view of the table (`views`): the branch's own rows and
those that it inherits. All other queries read the table itself. Rows are written to the table
only; rows of ancestors are first copied into the branch (`copies`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar
from uuid import UUID

from django.db import models
from django.db.models.expressions import BaseExpression
from django.db.models.sql import Query
from django.db.models.sql.datastructures import BaseTable

from apps.django_support.keyed_rows import KeyedRow
from apps.lineage.branches import is_branch
from apps.lineage.statements import copy_rows
from apps.lineage.views import Inheritance, view_of

_Row = TypeVar("_Row", bound=models.Model)


class HistoryQuerySet(models.QuerySet[_Row]):
    """Rows of a history; of a branch, with those that it inherits.

    `branch` is the branch that a condition names; `is_own` leaves out what it inherits.
    `is_named` is set once a condition names simulations.
    """

    is_own = False
    branch: UUID | None = None
    is_named = False

    def own(self) -> Self:
        """Return the rows that belong to the simulation itself, also of a branch."""
        rows = self.all()
        rows.is_own = True
        return rows

    def filter(self, *args: Any, **kwargs: Any) -> Self:
        """Return the rows that meet the conditions; a condition names the simulation."""
        rows = super().filter(*args, **kwargs)
        named = set(_simulations(args, kwargs))
        rows.is_named |= bool(named)
        if not rows.is_own and any(map(is_branch, named)):
            [rows.branch] = named if len(named) == 1 else [None]
            _read_view(rows.query)
        return rows

    def update(self, **values: Any) -> int:
        """Change the rows; a branch first copies those that it inherits.

        :raises TypeError: if no condition names the simulation: rows of an ancestor could be
            among them.
        """
        if not (self.is_named or self.is_own):
            raise TypeError("name the simulation whose rows are to be changed")
        self.copy_inherited()
        return super().update(**values)

    update.alters_data = True  # type: ignore[attr-defined]

    def copy_inherited(self) -> None:
        """Copy the rows that a branch inherits into it, before they are changed."""
        if self.branch is not None:
            keys = list(self.order_by().values_list("pk", flat=True))
            copy_rows(self.model, self.branch, keys)

    def _clone(self) -> Self:
        clone: Self = super()._clone()  # type: ignore[misc]
        clone.is_own, clone.branch, clone.is_named = self.is_own, self.branch, self.is_named
        return clone


class HistoryManager(models.Manager[_Row]):
    """Manages rows of histories."""

    def get_queryset(self) -> HistoryQuerySet[_Row]:
        """Return the rows."""
        return HistoryQuerySet(self.model, using=self._db)

    def own(self) -> HistoryQuerySet[_Row]:
        """Return the rows that belong to a simulation itself, also of a branch."""
        return self.get_queryset().own()


class HistoryRow(KeyedRow):
    """A row of a history that never changes, or is `CopiedOnWrite`."""

    inheritance: ClassVar[Inheritance] = Inheritance(begins="tick")

    objects: ClassVar[HistoryManager[Self]] = HistoryManager()

    class Meta:
        """A base without a table."""

        abstract = True


class CopiedOnWrite(models.Model):
    """A row that later events change.

    Before a branch changes a row that it inherits, it copies it; `copied_from` is the key of
    the original, also in a copy of a copy. The branch, and branches of it, see the copy only.
    """

    copied_from = models.BigIntegerField(null=True, editable=False)

    class Meta:
        """A base without a table."""

        abstract = True


def unique(name: str, *fields: str) -> models.UniqueConstraint:
    """Return the constraint that the fields are unique in a simulation."""
    return models.UniqueConstraint(fields=["simulation_id", *fields], name=name)


def index(name: str, *fields: str) -> models.Index:
    """Return the index by the fields in a simulation."""
    return models.Index(fields=["simulation_id", *fields], name=name)


def index_of_copies(name: str) -> models.Index:
    """Return the index by which the copies of a simulation are found."""
    return models.Index(
        fields=["simulation_id", "copied_from"],
        condition=models.Q(copied_from__isnull=False),
        name=name,
    )


def valid_at(tick: int) -> models.Q:
    """Return the condition that a row of `ValidRowOfAgent` is valid at the end of the tick."""
    return models.Q(models.Q(to_tick=None) | models.Q(to_tick__gt=tick), from_tick__lte=tick)


def own_rows(model: type[models.Model], simulation_id: UUID) -> models.QuerySet[Any]:
    """Return the rows of the simulation itself, also of a model that is no history."""
    manager = model._default_manager
    rows = manager.own() if isinstance(manager, HistoryManager) else manager.all()
    return rows.filter(simulation_id=simulation_id)


def _read_view(query: Query) -> None:
    """Let a query read the view of its table, under the name of the table."""
    alias = query.get_initial_alias()
    view = view_of(query.get_meta().db_table)
    query.alias_map = {**query.alias_map, alias: BaseTable(view, alias)}
    query.table_map = {**query.table_map, view: [alias]}


def _simulations(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[UUID]:
    """Yield the simulations that the conditions name."""
    for name, value in [*kwargs.items(), *_children(args)]:
        if name == "simulation_id" and not isinstance(value, BaseExpression | models.F):
            yield value
        elif name == "simulation_id__in":
            yield from value


def _children(conditions: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names and values in the conditions."""
    for condition in conditions:
        if isinstance(condition, tuple):
            yield condition
        elif isinstance(condition, models.Q):
            yield from _children(condition.children)


class RowOfAgent(HistoryRow):
    """A row of one agent of one simulation."""

    simulation_id = models.UUIDField()
    agent = models.CharField(max_length=120, db_collation="C")

    class Meta:
        """A base without a table."""

        abstract = True


class ValidRowOfAgent(CopiedOnWrite, RowOfAgent):
    """A row that is valid in [from_tick, to_tick), without an end while it is current."""

    inheritance: ClassVar = Inheritance(
        begins="from_tick", set_later={"to_tick": {}}, ends="to_tick"
    )

    from_tick = models.IntegerField()
    to_tick = models.IntegerField(null=True)

    class Meta:
        """A base without a table."""

        abstract = True
