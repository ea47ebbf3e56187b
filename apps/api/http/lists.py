"""Lists: pages with cursors, an order, and a text filter."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from hashlib import sha256
from typing import Any, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Model, QuerySet
from django.http.response import HttpResponseBase
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.http.fields import Choice, MomentParameter, Strict
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.views import ApiView
from apps.django_support.keyset import Keyset
from apps.django_support.text_search import contains

UNUSABLE_CURSOR = "no page ends here; follow the address in `next` as it stands"


def encode_cursor(*keys: object) -> str:
    """Return a cursor that holds the keys; those that JSON does not know become texts."""
    plain = json.dumps(keys, separators=(",", ":"), ensure_ascii=False, default=str)
    return urlsafe_base64_encode(_signer().sign(plain).encode())


def decode_cursor(cursor: str) -> list[Any]:
    """Return the keys in a cursor.

    :raises InvalidRequest: if the service has not made it.
    """
    try:
        keys = json.loads(_signer().unsign(urlsafe_base64_decode(cursor).decode()))
    except (ValueError, BadSignature):
        raise cursor_error("unusable-cursor", UNUSABLE_CURSOR) from None
    return list(keys)


def cursor_error(code: str, detail: str) -> InvalidRequest:
    """Return an error of the parameter `cursor`."""
    return InvalidRequest([FieldError(parameter="cursor", code=code, detail=detail)])


def _signer() -> Signer:
    return Signer(salt="smallville.cursor")


LIMIT_DEFAULT = 50
LIMIT_MAX = 500
CURSOR_CHARACTERS_MAX = 2_000
"""Enough for the longest path in a world, three names of 80 letters of any script."""
SEARCH_CHARACTERS_MAX = 100
_FINGERPRINT_CHARACTERS = 12
# These select a part of a list and its format; the list is the same.
_OF_PAGES = frozenset({"limit", "cursor", "after", "format", "full"})
_ARGUMENTS = {"from": "from_tick", "to": "to_tick"}
Rows = QuerySet[Any] | Sequence[Any]
_Row = TypeVar("_Row", bound=Model)


class Paged(Strict):
    """The parameters of a page."""

    limit = serializers.IntegerField(
        required=False,
        default=LIMIT_DEFAULT,
        min_value=1,
        max_value=LIMIT_MAX,
        help_text="The greatest number of items in a page.",
    )
    cursor = serializers.RegexField(
        r"^[A-Za-z0-9_-]+$",
        required=False,
        error_messages={"invalid": UNUSABLE_CURSOR},
        max_length=CURSOR_CHARACTERS_MAX,
        help_text="As it stands in `next` of the page before; its form may change.",
    )


class TimeRange(Strict):
    """A range of game time, [from, to)."""

    from_ = MomentParameter(
        required=False,
        help_text="Only items of this moment or later: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick.",
    )
    to = MomentParameter(
        required=False, help_text="Only items before this moment: a game time, or a tick."
    )


def order_parameter(*fields: str, default: str = "") -> Choice:
    """Return the parameter `order`; the default is the first field, ascending."""
    default = default or fields[0]
    return Choice(
        choices=[order for field in fields for order in (field, f"-{field}")],
        default=default,
        help_text=f"The field to sort by, with a minus for descending; {default} by default.",
    )


def search_parameter(fields: str) -> serializers.CharField:
    """Return the parameter `search`; `fields` names what is searched."""
    return serializers.CharField(
        required=False,
        max_length=SEARCH_CHARACTERS_MAX,
        help_text=f"Only items that contain this text, in upper or lower case, in: {fields}.",
    )


def list_parameters(
    search: str, *order: str, default: str = "", more: type[Strict] = Strict
) -> type[Strict]:
    """Return the parameters of a list that has a text filter and an order, and `more`."""
    fields = {
        "search": search_parameter(search),
        "order": order_parameter(*order, default=default),
    }
    return type("ListParameters", (Paged, more), fields)


@cache
def page_of_items(
    item: type[serializers.BaseSerializer[Any]],
) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a page of such items."""
    members = {
        "__doc__": "A page of results; `next` is the address of the next one.",
        "results": item(many=True),
        "next": serializers.URLField(allow_null=True),
    }
    return type(f"{item.__name__}List", (serializers.Serializer,), members)


class ListView(ApiView):
    """A view of a list."""

    _first_tick: int | None = None

    def page(
        self,
        rows: Rows,
        item: type[serializers.BaseSerializer[Any]],
        *,
        prepare: Callable[[list[Any]], Iterable[Any]] = list,
        **orders: tuple[str, ...],
    ) -> HttpResponseBase:
        """Return the requested page of rows, in the requested order.

        :param rows: a query set, or objects in memory.
        :param item: the serializer of an item.
        :param prepare: maps the rows of a page to what the serializer takes.
        :param orders: the attributes to sort by, for each field of `order`; together they
            identify a row.
        """
        order: str = self.parameters["order"]
        keyset = Keyset(fields=orders[order.removeprefix("-")], descending=order[0] == "-")
        return self.respond(
            _rows_behind(rows, keyset, self.last_keys), item, keyset.fields, prepare
        )

    def page_of(
        self,
        rows: Iterable[Any],
        item: type[serializers.BaseSerializer[Any]],
        *searched: str,
        prepare: Callable[[list[Any]], Iterable[Any]] = list,
        **orders: tuple[str, ...],
    ) -> HttpResponseBase:
        """Return the requested page of the objects of which a text contains `search`.

        :param searched: the attributes that are searched.
        """
        found = [
            row
            for row in rows
            if self.contains_search(*(getattr(row, one) for one in searched))
        ]
        return self.page(found, item, prepare=prepare, **orders)

    def respond(
        self,
        rows: Rows,
        item: type[serializers.BaseSerializer[Any]],
        key: tuple[str, ...],
        prepare: Callable[[list[Any]], Iterable[Any]] = list,
    ) -> HttpResponseBase:
        """Return the first of the rows, which are those of this page and the following."""
        limit = self.parameters["limit"]
        found = list(rows[: limit + 1])
        page, address = found[:limit], None
        results = self.represent(item, prepare(page), many=True)
        if len(found) > limit:
            query = self.request.query_params.copy()
            for name, value in self.next_parameters(page[-1], key).items():
                query[name] = value
            address = self.request.build_absolute_uri(f"?{query.urlencode()}")
        return Response({"results": results, "next": address})

    def next_parameters(self, last: Any, key: tuple[str, ...]) -> dict[str, str]:
        """Return the parameters of the page behind a row."""
        keys = (getattr(last, name) for name in key)
        return {"cursor": encode_cursor(self._fingerprint(), self._first_tick, *keys)}

    def pin_tick(self, tick: int) -> int:
        """Return the tick as of which the first page was read, for all pages to be alike."""
        self._first_tick = tick if self._cursor is None else min(tick, self._cursor[0])
        return self._first_tick

    def filters(self, *names: str) -> dict[str, Any]:
        """Return filters of the request as arguments of a query; None for those left out."""
        return {_ARGUMENTS.get(name, name): self.parameters.get(name) for name in names}

    def matching(self, rows: QuerySet[_Row], *fields: str) -> QuerySet[_Row]:
        """Return the rows of which one of the text fields contains `search`, in any case."""
        search: str | None = self.parameters.get("search")
        return rows if search is None else rows.filter(contains(search, *fields))

    def contains_search(self, *texts: str | None) -> bool:
        """Return whether one of the texts contains `search`, whatever its case."""
        search: str = self.parameters.get("search", "").casefold()
        return not search or any(search in (text or "").casefold() for text in texts)

    @property
    def last_keys(self) -> tuple[Any, ...] | None:
        """The keys of the last row of the page before, None for the first page.

        :raises InvalidRequest: if the cursor was made under another order or filter.
        """
        return None if self._cursor is None else tuple(self._cursor[1:])

    @cached_property
    def _cursor(self) -> list[Any] | None:
        cursor = self.parameters.get("cursor")
        if cursor is None:
            return None
        fingerprint, *values = decode_cursor(cursor)
        if fingerprint != self._fingerprint():
            raise cursor_error(
                "cursor-of-another-query",
                "this cursor was made under another order or filter; send it with the "
                "parameters of the request that gave it, or follow the address in `next` as it "
                "stands",
            )
        return values

    def _fingerprint(self) -> str:
        """Return a text that is the same for the same list under the same order and filters."""
        requested = {
            name: value for name, value in self.parameters.items() if name not in _OF_PAGES
        }
        plain = json.dumps([self.request.path, requested], sort_keys=True, default=str)
        return sha256(plain.encode()).hexdigest()[:_FINGERPRINT_CHARACTERS]


def _rows_behind(rows: Rows, keyset: Keyset, last: tuple[Any, ...] | None) -> Rows:
    """Return the rows in the order of the keyset, those behind `last` if it is given."""
    if isinstance(rows, QuerySet):
        return keyset.sort(keyset.behind(rows, last))

    def key(row: object) -> tuple[Any, ...]:
        return tuple(getattr(row, name) for name in keyset.fields)

    found = sorted(rows, key=key, reverse=keyset.descending)
    if last is None:
        return found
    return [row for row in found if (key(row) < last if keyset.descending else key(row) > last)]
