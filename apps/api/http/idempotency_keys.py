"""A request with an Idempotency-Key is carried out once; repeats are told what it was told."""

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeGuard

from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from apps.access.idempotency import (
    Answer,
    Keyed,
    claim_key,
    hold_key,
    keep_answer,
    kept_answer,
    release_key,
)

KEPT_BYTES_MAX = 1_000_000
HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
# Whoever was turned away at the door has done nothing, and may come again with the same key.
_TURNED_AWAY = frozenset(
    {
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.TOO_MANY_REQUESTS,
    }
)

Finish = Callable[[], HttpResponseBase]


def once(keyed: Keyed, finish: Finish, *, thinks: bool) -> HttpResponseBase:
    """Return what `finish` answers the first time, and the same again for a day.

    What was done and that it was answered are committed together, so that no crash between
    can lead to a second time. Where a model thinks, no transaction can be held: the answer is
    kept right after it, and a crash just between does lead to a second time.

    :raises KeyReused: if the key was used for another request.
    :raises StillUnderWay: if the first request is not answered yet.
    """
    return _while_thinking(keyed, finish) if thinks else _in_transaction(keyed, finish)


def _in_transaction(keyed: Keyed, finish: Finish) -> HttpResponseBase:
    with transaction.atomic():
        hold_key(keyed)
        kept = kept_answer(keyed)
        if kept is not None:
            return _again(kept)
        response = finish()
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            transaction.set_rollback(True)
        elif _is_to_be_kept(response):
            keep_answer(keyed, _kept(response))
    return response


def _while_thinking(keyed: Keyed, finish: Finish) -> HttpResponseBase:
    kept = claim_key(keyed)
    if kept is not None:
        return _again(kept)
    try:
        response = finish()
    except BaseException:
        release_key(keyed)
        raise
    if _is_to_be_kept(response):
        keep_answer(keyed, _kept(response))
    else:
        release_key(keyed)
    return response


def _is_to_be_kept(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    status = response.status_code
    is_answered = status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in _TURNED_AWAY
    if not is_answered or not isinstance(response, HttpResponse):
        return False  # what is streamed is not kept
    return len(response.content) <= KEPT_BYTES_MAX


def _kept(response: HttpResponse) -> Answer:
    return Answer(
        status=response.status_code, headers=dict(response.headers), body=response.content
    )


def _again(kept: Answer) -> HttpResponse:
    headers = {**kept.headers, REPLAYED: "true"}
    return HttpResponse(kept.body, status=kept.status, headers=headers)
