"""Reads a long list page by page, so that no cursor or connection is held between pages.

Each page begins after the last row of the page before, by the fields that the list is ordered
by ("keyset pagination"). Rows that are read as of one tick do not change, so the pages together
are the list at that tick.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)


def pages_of(rows: QuerySet[Row], size: int) -> Iterator[list[Row]]:
    """Yield the rows in their order, `size` at a time; one query for each page.

    :raises ValueError: if the order is not made of fields, or a row has no value in one.
    """
    order = [_field_of(term) for term in rows.query.order_by]
    if not order:
        raise ValueError("rows without an order have no pages")
    page = list(rows[:size])
    while page:
        yield page
        if len(page) < size:
            return
        page = list(rows.filter(_after(page[-1], order))[:size])


def _after(row: Model, order: list[tuple[str, bool]]) -> Q:
    """Return the condition of standing behind a row; `order` must tell any two rows apart."""
    first, is_descending = order[0]
    # It follows from the rest, and an index on the first field can use it.
    bound = Q(**{f"{first}__{'lte' if is_descending else 'gte'}": _value(row, first)})
    behind, equal = Q(), Q()
    for name, is_descending in order:
        side = "lt" if is_descending else "gt"
        behind |= equal & Q(**{f"{name}__{side}": _value(row, name)})
        equal &= Q(**{name: _value(row, name)})
    return bound & behind


def _field_of(term: Any) -> tuple[str, bool]:
    if not isinstance(term, str) or term == "?":
        raise ValueError(f"{term!r} is not the name of a field")
    return term.removeprefix("-"), term.startswith("-")


def _value(row: Model, name: str) -> Any:
    value = getattr(row, name)
    if value is None:
        raise ValueError(f"{name} is null: a list with pages is ordered by other fields")
    return value
