"""Moments: reads as of a past one, and those in bodies of requests (V3)."""

import hashlib
from typing import Annotated, Any

from django.http import HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from pydantic import PlainValidator, ValidationInfo, WithJsonSchema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.etags import client_has
from apps.api.http.fields import PastMomentParameter, Strict
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.kernel.game_moments import (
    MOMENT_PATTERN,
    UnusableTime,
    first_tick_from,
)
from apps.kernel.game_time import TICK_MAX, GameCalendar
from apps.kernel.request_models import fault

UNCHANGING = "private, max-age=31536000, immutable"
"""The Cache-Control of committed history: a client need not ask again within a year."""
_ETAG_CHARACTERS = 32
_KEPT = ("ETag", "Cache-Control", "Vary", "Content-Security-Policy")


class AsOf(Strict):
    """The moment as of which something is read."""

    at = PastMomentParameter(
        required=False,
        help_text="The moment as of which to read: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick; the committed tick, if left out.",
    )


def committed(tick: int, committed_tick: int, calendar: GameCalendar, **place: str) -> int:
    """Return a requested tick.

    :param place: the `parameter` or the `pointer` of the request that names it.
    :raises InvalidRequest: if it is not committed yet.
    """
    if tick > committed_tick:
        detail = (
            f"{calendar.moment(tick)} is not committed yet; the simulation has come to "
            f"{calendar.moment(committed_tick)}"
        )
        raise InvalidRequest([FieldError(code="not-committed", detail=detail, **place)])
    return tick


def validate_response(request: Request, response: Response, *, is_unchanging: bool) -> None:
    """Give a response its ETag when it is rendered, and answer 304 if the client has it.

    :param is_unchanging: whether no later request can get another response.
    """
    if is_unchanging:
        response.headers["Cache-Control"] = UNCHANGING
        # A cache of a browser is shared by the users that log in one after the other.
        patch_vary_headers(response, ("Authorization", "Cookie"))

    def validated(rendered: Any) -> HttpResponseNotModified | None:
        digest = hashlib.sha256(rendered.content).hexdigest()[:_ETAG_CHARACTERS]
        rendered.headers["ETag"] = etag = f'"{digest}"'
        if not client_has(request, etag):
            return None
        kept = {name: rendered.headers[name] for name in _KEPT if name in rendered.headers}
        return HttpResponseNotModified(headers=kept)

    response.add_post_render_callback(validated)


_SCHEMA = WithJsonSchema(
    {
        "oneOf": [
            {"type": "string", "pattern": MOMENT_PATTERN},
            {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
        ]
    }
)


def _first_tick_from(value: Any, info: ValidationInfo) -> int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise fault("write a game time or a tick")
    try:
        return first_tick_from(value, (info.context or {})["calendar"])
    except UnusableTime as error:
        raise fault(error.message, error.code) from None


FirstTickFrom = Annotated[int, PlainValidator(_first_tick_from), _SCHEMA]
"""The first tick that begins at or after a game time."""
