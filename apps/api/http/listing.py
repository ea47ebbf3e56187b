"""What every list offers alike: an order, a text filter, and cursors that belong to both."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

from rest_framework import serializers

from apps.api.http.fields import Choice
from apps.api.http.paging import Key, decode_cursor, encode_cursor, unusable_cursor
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.views import ApiView
from apps.django_support.keyset import Keyset

SEARCH_CHARACTERS_MAX = 100
_FINGERPRINT_CHARACTERS = 12
# These select a part of a list and its format; the list is the same.
_OF_PAGES = frozenset({"limit", "cursor", "after", "format", "full"})
_Item = TypeVar("_Item")
_KeyKind = type[str] | type[int] | type[datetime] | type[UUID]


def order_parameter(*fields: str, default: str) -> Choice:
    """Return the parameter `order`: members of the items, with a minus for descending."""
    return Choice(
        choices=[order for field in fields for order in (field, f"-{field}")],
        default=default,
        help_text=f"By which member, a minus for descending; {default} if left out.",
    )


def search_parameter(where: str) -> serializers.CharField:
    """Return the parameter `search`; `where` names what is searched."""
    return serializers.CharField(
        required=False,
        max_length=SEARCH_CHARACTERS_MAX,
        help_text=f"Only those that contain this text, in upper or lower case: {where}.",
    )


def is_descending(order: str) -> bool:
    """Return whether a value of `order` is a descending one."""
    return order.startswith("-")


def keyset_of(order: str, **fields: tuple[str, ...]) -> Keyset:
    """Return the keyset of an order; `fields` names its columns by the member in `order`."""
    return Keyset(fields=fields[order.removeprefix("-")], descending=is_descending(order))


def contains_text(text: str | None, *values: str | None) -> bool:
    """Return whether one of the values contains the text, whatever its case; True for None."""
    if text is None:
        return True
    wanted = text.casefold()
    return any(wanted in (value or "").casefold() for value in values)


def cursor_keys(view: ApiView, *kinds: _KeyKind) -> tuple[Any, ...] | None:
    """Return the keys in the cursor of the request, one of each kind; None without a cursor.

    :raises InvalidRequest: if the cursor is none of this list, or was made under another
        order or filter.
    """
    plain = [kind if kind in (str, int) else str for kind in kinds]
    found = decode_cursor(view.parameters.get("cursor"), str, *plain)
    if found is None:
        return None
    fingerprint, *keys = found
    if fingerprint != _fingerprint(view):
        raise _of_another_query()
    return tuple(_read(key, kind) for key, kind in zip(keys, kinds, strict=True))


def next_cursor(view: ApiView, *keys: Key | datetime | UUID) -> dict[str, Key]:
    """Return the parameter that leads to the page behind the item with these keys."""
    return {"cursor": encode_cursor(_fingerprint(view), *map(_written, keys))}


def page_of(
    items: Iterable[_Item],
    key: Callable[[_Item], tuple[Any, ...]],
    *,
    order: str,
    after: tuple[Any, ...] | None,
) -> list[_Item]:
    """Return the items in the order, those behind the key `after` if it is given."""
    descending = is_descending(order)
    found = sorted(items, key=key, reverse=descending)
    if after is None:
        return found
    return [item for item in found if (key(item) < after if descending else key(item) > after)]


def _fingerprint(view: ApiView) -> str:
    """Return a text that is the same for the same list under the same order and filters."""
    requested = {
        name: value for name, value in view.parameters.items() if name not in _OF_PAGES
    }
    plain = json.dumps([view.request.path, requested], sort_keys=True, default=str)
    return sha256(plain.encode()).hexdigest()[:_FINGERPRINT_CHARACTERS]


def _written(key: Key | datetime | UUID) -> Key:
    if isinstance(key, datetime):
        return key.isoformat()
    return str(key) if isinstance(key, UUID) else key


def _read(key: Any, kind: _KeyKind) -> Any:
    try:
        if kind is UUID:
            return UUID(key)
        found = datetime.fromisoformat(key) if kind is datetime else key
    except ValueError:
        raise unusable_cursor() from None
    if isinstance(found, datetime) and found.tzinfo is None:
        raise unusable_cursor()
    return found


def _of_another_query() -> InvalidRequest:
    detail = (
        "this cursor was made under another order or filter; send it with the parameters of "
        "the request that gave it, or follow the address in `next` as it stands"
    )
    return InvalidRequest(
        [FieldError(parameter="cursor", code="cursor-of-another-query", detail=detail)]
    )
