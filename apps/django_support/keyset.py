"""Keyset pagination: a total order of rows, and the rows behind one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyset:
    """A total order by `fields`, all in one direction; together they identify a row."""

    fields: tuple[str, ...]
    descending: bool = False

    def sort(self, rows: QuerySet[_Row]) -> QuerySet[_Row]:
        """Return the rows in the order."""
        sign = "-" if self.descending else ""
        return rows.order_by(*(f"{sign}{field}" for field in self.fields))

    def behind(self, rows: QuerySet[_Row], last: Sequence[Any] | None) -> QuerySet[_Row]:
        """Return the rows that follow the one with these values of `fields`; all for None.

        The first comparison stands on its own as well, since PostgreSQL does not search an
        index by a disjunction.
        """
        if last is None:
            return rows
        side = "lt" if self.descending else "gt"
        condition, same = Q(), Q()
        for field, value in zip(self.fields, last, strict=True):
            condition |= same & Q(**{f"{field}__{side}": value})
            same &= Q(**{field: value})
        return rows.filter(condition, **{f"{self.fields[0]}__{side}e": last[0]})
