"""Keyset pagination: a total order of rows, the rows behind one of them, and all pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from django.db.models import Model, Q, QuerySet

from apps.kernel.followed_items import followed

_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyset:
    """A total order by `fields`, all in one direction; together they identify a row."""

    fields: tuple[str, ...]
    descending: bool = False

    @classmethod
    def of(cls, rows: QuerySet[Any]) -> Self:
        """Return the keyset of the rows' order.

        :raises ValueError: if there is none, or it is not by fields in one direction.
        """
        terms = [_field_of(term) for term in rows.query.order_by]
        if not terms:
            raise ValueError("rows without an order have no pages")
        if len({descending for _, descending in terms}) > 1:
            raise ValueError("the fields of the order differ in their direction")
        return cls(fields=tuple(name for name, _ in terms), descending=terms[0][1])

    def sort(self, rows: QuerySet[_Row]) -> QuerySet[_Row]:
        """Return the rows in the order."""
        sign = "-" if self.descending else ""
        return rows.order_by(*(f"{sign}{field}" for field in self.fields))

    def behind(self, rows: QuerySet[_Row], last: Sequence[Any] | None) -> QuerySet[_Row]:
        """Return the rows that follow the one with these values of `fields`; all for None.

        The first comparison is repeated on its own, since PostgreSQL does not search an index
        by a disjunction.
        """
        if last is None:
            return rows
        side = "lt" if self.descending else "gt"
        condition, same = Q(), Q()
        for field, value in zip(self.fields, last, strict=True):
            condition |= same & Q(**{f"{field}__{side}": value})
            same &= Q(**{field: value})
        return rows.filter(condition, **{f"{self.fields[0]}__{side}e": last[0]})

    def values_of(self, row: Model) -> tuple[Any, ...]:
        """Return the row's values of `fields`.

        :raises ValueError: if one is null, which cannot be compared.
        """
        values = tuple(getattr(row, field) for field in self.fields)
        if None in values:
            raise ValueError(f"a list with pages is ordered by a null: {self.fields}, {values}")
        return values


def pages_of(rows: QuerySet[_Row], size: int) -> Iterator[list[_Row]]:
    """Yield the rows in their order, `size` at a time, with one query for each page.

    No cursor or connection is held between pages. Rows as of one tick do not change, so the
    pages together are the list at that tick.

    :raises ValueError: see `Keyset.of` and `Keyset.values_of`.
    """
    yield from followed(_pages_of(rows, size), "page")


def _pages_of(rows: QuerySet[_Row], size: int) -> Iterator[list[_Row]]:
    keyset = Keyset.of(rows)
    page = list(rows[:size])
    while page:
        yield page
        if len(page) < size:
            return
        page = list(keyset.behind(rows, keyset.values_of(page[-1]))[:size])


def _field_of(term: Any) -> tuple[str, bool]:
    if not isinstance(term, str) or term == "?":
        raise ValueError(f"{term!r} is not the name of a field")
    return term.removeprefix("-"), term.startswith("-")
