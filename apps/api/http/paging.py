"""Lists in pages, {results, next}; a page begins after the item in its cursor."""

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import INTEGER_MAX, MomentParameter, Strict
from apps.api.http.request_errors import FieldError, InvalidRequest

LIMIT_DEFAULT = 50
LIMIT_MAX = 500
CURSOR_CHARACTERS_MAX = 2_000
"""Enough for the longest path in a world, three names of 80 letters of any script."""
_CURSOR_DETAIL = "no page ends here; follow the address in `next` as it stands"

Key = str | int


class PageSize(Strict):
    """How many items a page holds."""

    limit = serializers.IntegerField(
        required=False,
        default=LIMIT_DEFAULT,
        min_value=1,
        max_value=LIMIT_MAX,
        help_text="How many items a page holds at most.",
    )


class Paged(PageSize):
    """Which page is asked for."""

    cursor = serializers.RegexField(
        r"^[A-Za-z0-9_-]+$",
        required=False,
        error_messages={"invalid": _CURSOR_DETAIL},
        max_length=CURSOR_CHARACTERS_MAX,
        help_text="As it stands in `next` of the page before; its form may change.",
    )


class TimeRange(Strict):
    """A stretch of game time: from a moment on, up to and without another."""

    from_ = MomentParameter(
        required=False,
        help_text="Only those of this moment or later: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick.",
    )
    to = MomentParameter(
        required=False, help_text="Only those before this moment: a game time, or a tick."
    )


def page_of_items(
    item: type[serializers.BaseSerializer[Any]],
) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a page of such items."""
    name = f"{item.__name__}List"
    members = {
        "__doc__": "A page of results; `next` is the address of the next one.",
        "results": item(many=True),
        "next": serializers.URLField(allow_null=True),
    }
    return type(name, (serializers.Serializer,), members)


def encode_cursor(*keys: Key) -> str:
    """Return the keys of a page's last item as an opaque text."""
    plain = json.dumps(keys, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(plain).decode().rstrip("=")


def decode_cursor(cursor: str | None, *kinds: type[Key]) -> tuple[Any, ...] | None:
    """Return the keys that the cursor holds, one of each kind; None without a cursor.

    :raises InvalidRequest: if no page of this list ends in such a cursor.
    """
    if cursor is None:
        return None
    padding = "=" * (-len(cursor) % 4)
    try:
        keys = json.loads(base64.b64decode(cursor + padding, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise unusable_cursor() from None
    if not isinstance(keys, list) or len(keys) != len(kinds):
        raise unusable_cursor()
    if not all(_fits(key, kind) for key, kind in zip(keys, kinds, strict=True)):
        raise unusable_cursor()
    return tuple(keys)


def unusable_cursor() -> InvalidRequest:
    """Return the refusal of a cursor that no page of the list ends in."""
    return InvalidRequest(
        [FieldError(parameter="cursor", code="unusable-cursor", detail=_CURSOR_DETAIL)]
    )


def split_page(found: "QuerySet[Any] | list[Any]", limit: int) -> tuple[list[Any], bool]:
    """Return the first `limit` items, and whether there are more; reads one item more."""
    items = list(found[: limit + 1])
    return items[:limit], len(items) > limit


def page_response(
    request: Request, results: Iterable[Any], *, next_page: Mapping[str, Key] | None
) -> Response:
    """Return the page; `next_page` holds the parameters of the next one, None at the end."""
    address = None if next_page is None else _address_with(request, next_page)
    return Response({"results": list(results), "next": address})


def _address_with(request: Request, changed: Mapping[str, Key]) -> str:
    query = request.query_params.copy()
    for name, value in changed.items():
        query[name] = str(value)
    pairs = [(name, value) for name, values in query.lists() for value in values]
    return str(request.build_absolute_uri(f"{request.path}?{urlencode(pairs)}"))


def _fits(key: object, kind: type[Key]) -> bool:
    if isinstance(key, bool) or not isinstance(key, kind):
        return False
    if isinstance(key, int):
        return 0 <= key <= INTEGER_MAX
    return isinstance(key, str) and "\x00" not in key and key.isprintable()
