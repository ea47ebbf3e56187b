"""Responses stored under the Idempotency-Key of a request; a repeat changes nothing."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from django.db import connection, transaction
from django.utils import timezone

from apps.access.models import StoredResponse
from apps.django_support.heartbeat import held, lapse_limit, seconds_until_lapse
from apps.kernel.errors import Conflict, DomainError

RETENTION = timedelta(hours=24)
KEY_PATTERN = r"[\x21-\x7e]{1,200}"
_KEY = re.compile(KEY_PATTERN)
_REQUEST_CHARACTERS_MAX = 300


class KeyUnusable(DomainError):
    """The Idempotency-Key cannot be used."""

    code: ClassVar[str] = "idempotency-key-unusable"


class KeyReused(DomainError):
    """The Idempotency-Key was used for another request."""

    code: ClassVar[str] = "idempotency-key-reused"


class RequestInProgress(Conflict):
    """The first request with this Idempotency-Key is still in progress.

    After `retry_after` seconds it has ended, or its process is lost and the key is free, or the
    process is alive and still waits for a model.
    """

    code: ClassVar[str] = "idempotency-in-progress"

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(
            "the first request with this key is in progress; repeat it after "
            f"{retry_after} seconds"
        )
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotentRequest:
    """A request of a user with its key; equal bodies have the same `canonical_body`."""

    user_id: int
    key: str
    request: str
    canonical_body: bytes

    @property
    def fingerprint(self) -> str:
        """A hash that is equal for equal requests."""
        return hashlib.sha256(self.request.encode() + b"\0" + self.canonical_body).hexdigest()


def parse_key(text: str) -> str:
    """Return the key in a header; quotes of a structured field are a part of it.

    :raises KeyUnusable: if it is empty, too long, or of other than printable ASCII.
    """
    if not _KEY.fullmatch(text):
        raise KeyUnusable(
            "an Idempotency-Key has 1 to 200 printable characters of ASCII without spaces; "
            "a UUID is a good one"
        )
    return text


def lock_key(keyed_request: IdempotentRequest) -> None:
    """Lock the key until the end of the transaction; a process that dies releases it.

    :raises RequestInProgress: if another request has locked it.
    """
    digest = hashlib.sha256(f"{keyed_request.user_id}/{keyed_request.key}".encode()).digest()
    number = int.from_bytes(digest[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        [is_locked] = cursor.fetchone() or [False]
    if not is_locked:
        raise RequestInProgress


def find_response(keyed_request: IdempotentRequest) -> StoredResponse | None:
    """Return the response to the first request; None without one, or if its process died.

    :raises KeyReused: if the first request differs.
    :raises RequestInProgress: if the first request has no response yet.
    """
    now = timezone.now()
    row = StoredResponse.objects.filter(
        user_id=keyed_request.user_id, key=keyed_request.key, created_at__gt=now - RETENTION
    ).first()
    if row is None:
        return None
    if row.fingerprint != keyed_request.fingerprint:
        raise KeyReused(
            f"this key was used for another request ({row.request}); make a new key for each "
            "thing that you want done"
        )
    if row.status is not None:
        return row
    if row.seen_at is not None and row.seen_at >= lapse_limit():
        raise RequestInProgress(seconds_until_lapse(row.seen_at))
    return None


def store_response(
    keyed_request: IdempotentRequest, *, status: int, headers: Mapping[str, str], body: bytes
) -> None:
    """Store the response in the transaction of the changes; replace an outdated one."""
    _store(keyed_request, status=status, headers=dict(headers), body=body, seen_at=None)


@contextmanager
def claimed_key(keyed_request: IdempotentRequest) -> Iterator[StoredResponse | None]:
    """Claim the key for a request while the block runs, or give the response to the first one.

    No transaction is held while a request waits for an LLM: the claim lapses with the heartbeat
    of its process. If the block stores no response, the request can be repeated at once.

    :raises KeyReused: if the key was used for another request.
    :raises RequestInProgress: if another request with the key is in progress.
    """
    with transaction.atomic():
        lock_key(keyed_request)
        stored = find_response(keyed_request)
        if stored is None:
            claim = _store(keyed_request, status=None, seen_at=timezone.now())
    if stored is not None:
        yield stored
        return
    try:
        with held(StoredResponse, claim.pk):
            yield None
    finally:
        StoredResponse.objects.filter(pk=claim.pk, status=None).delete()


def delete_old_responses() -> int:
    """Delete responses older than RETENTION; return how many."""
    deleted, _ = StoredResponse.objects.filter(
        created_at__lt=timezone.now() - RETENTION
    ).delete()
    return deleted


def _store(keyed_request: IdempotentRequest, **values: object) -> StoredResponse:
    row, _ = StoredResponse.objects.update_or_create(
        user_id=keyed_request.user_id,
        key=keyed_request.key,
        defaults={
            "fingerprint": keyed_request.fingerprint,
            "request": keyed_request.request[:_REQUEST_CHARACTERS_MAX],
            "created_at": timezone.now(),
            **values,
        },
    )
    return row
