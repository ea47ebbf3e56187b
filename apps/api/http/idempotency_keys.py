"""Executes a request with an Idempotency-Key once; repeats receive the same response."""

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeGuard

from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from apps.access.idempotency import (
    IdempotentRequest,
    claimed_key,
    find_response,
    lock_key,
    store_response,
)
from apps.access.models import StoredResponse

STORED_BYTES_MAX = 1_000_000
HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
# These responses come before any change: the client may repeat the request with its key.
_NOT_STORED_STATUSES = frozenset(
    {
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.TOO_MANY_REQUESTS,
    }
)

Respond = Callable[[], HttpResponseBase]


def respond_once(
    idempotent_request: IdempotentRequest, respond: Respond, *, waits_for_llm: bool
) -> HttpResponseBase:
    """Return the response of `respond`, and the same one to repeats within a day.

    The changes and the response are committed together, so that no crash leads to a second
    execution. A request that waits for an LLM holds no transaction: its response is stored
    right afterwards, and a crash in between does lead to a second execution.

    :raises KeyReused: if the key was used for another request.
    :raises RequestInProgress: if the first request has no response yet.
    """
    execute = _without_transaction if waits_for_llm else _in_transaction
    return execute(idempotent_request, respond)


def _in_transaction(
    idempotent_request: IdempotentRequest, respond: Respond
) -> HttpResponseBase:
    with transaction.atomic():
        lock_key(idempotent_request)
        stored = find_response(idempotent_request)
        if stored is not None:
            return _replay(stored)
        response = respond()
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            transaction.set_rollback(True)
        elif _is_stored(response):
            _store(idempotent_request, response)
    return response


def _without_transaction(
    idempotent_request: IdempotentRequest, respond: Respond
) -> HttpResponseBase:
    with claimed_key(idempotent_request) as stored:
        if stored is not None:
            return _replay(stored)
        response = respond()
        if _is_stored(response):
            _store(idempotent_request, response)
    return response


def _is_stored(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    status = response.status_code
    return (
        status < HTTPStatus.INTERNAL_SERVER_ERROR
        and status not in _NOT_STORED_STATUSES
        and isinstance(response, HttpResponse)  # streamed responses are not stored
        and len(response.content) <= STORED_BYTES_MAX
    )


def _store(idempotent_request: IdempotentRequest, response: HttpResponse) -> None:
    store_response(
        idempotent_request,
        status=response.status_code,
        headers=dict(response.headers),
        body=response.content,
    )


def _replay(stored: StoredResponse) -> HttpResponse:
    headers = {**stored.headers, REPLAYED: "true"}
    return HttpResponse(bytes(stored.body), status=stored.status, headers=headers)
