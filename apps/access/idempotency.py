"""Answers kept under the key of a request, so that a repeat does nothing twice."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from django.db import connection, transaction
from django.utils import timezone

from apps.access.models import KeptAnswer
from apps.kernel.errors import Refusal

KEPT_FOR = timedelta(hours=24)
UNDER_WAY_AT_MOST = timedelta(minutes=10)
"""Longer than anybody waits for a model's answer: after that its process is taken for dead."""
KEY_PATTERN = r"[\x21-\x7e]{1,200}"
_KEY = re.compile(KEY_PATTERN)
_REQUEST_CHARACTERS_MAX = 300


class KeyUnusable(Refusal):
    """The Idempotency-Key cannot be used."""

    code: ClassVar[str] = "idempotency-key-unusable"


class KeyReused(Refusal):
    """The Idempotency-Key was used for another request."""

    code: ClassVar[str] = "idempotency-key-reused"


class StillUnderWay(Refusal):
    """The first request with this Idempotency-Key is still under way."""

    code: ClassVar[str] = "idempotency-in-progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """A request of a user under a key; `said` is its body in one form for equal bodies."""

    user_id: int
    key: str
    request: str
    said: bytes

    @property
    def fingerprint(self) -> str:
        """What two requests have in common if they are the same."""
        return hashlib.sha256(self.request.encode() + b"\0" + self.said).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def parse_key(given: str) -> str:
    """Return the key that a header holds; the quotes of a structured field are part of it.

    :raises KeyUnusable: if it is empty, too long, or of other than printable ASCII.
    """
    if not _KEY.fullmatch(given):
        raise KeyUnusable(
            "an Idempotency-Key has 1 to 200 printable characters of ASCII without spaces; "
            "a UUID is a good one"
        )
    return given


def hold_key(keyed: Keyed) -> None:
    """Hold the key to the end of the transaction: whoever dies lets go of it.

    :raises StillUnderWay: if somebody else holds it.
    """
    digest = hashlib.sha256(f"{keyed.user_id}/{keyed.key}".encode()).digest()
    number = int.from_bytes(digest[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        [held] = cursor.fetchone() or [False]
    if not held:
        raise _under_way()


def kept_answer(keyed: Keyed) -> Answer | None:
    """Return what the first request was answered; None if there was none, or it has died.

    :raises KeyReused: if it was another request.
    :raises StillUnderWay: if it has not been answered yet.
    """
    now = timezone.now()
    row = KeptAnswer.objects.filter(
        user_id=keyed.user_id, key=keyed.key, created_at__gt=now - KEPT_FOR
    ).first()
    if row is None:
        return None
    if row.fingerprint != keyed.fingerprint:
        raise KeyReused(
            f"this key was used for another request ({row.request}); make a new key for each "
            "thing that you want done"
        )
    if row.status is None:
        if row.under_way_until is not None and row.under_way_until > now:
            raise _under_way()
        return None
    return Answer(status=row.status, headers=row.headers, body=bytes(row.body))


def keep_answer(keyed: Keyed, answer: Answer) -> None:
    """Keep the answer, in the transaction of what was done; it replaces an outdated one."""
    KeptAnswer.objects.update_or_create(
        user_id=keyed.user_id,
        key=keyed.key,
        defaults=_described(keyed)
        | {
            "status": answer.status,
            "headers": dict(answer.headers),
            "body": answer.body,
            "under_way_until": None,
        },
    )


def claim_key(keyed: Keyed) -> Answer | None:
    """Put on record that a request which thinks is under way; return the answer if it was kept.

    No transaction can be held while a model thinks, so the claim lapses of itself if its
    process dies.

    :raises KeyReused: if the key was used for another request.
    :raises StillUnderWay: if somebody else has claimed it.
    """
    with transaction.atomic():
        hold_key(keyed)
        kept = kept_answer(keyed)
        if kept is None:
            until = timezone.now() + UNDER_WAY_AT_MOST
            KeptAnswer.objects.update_or_create(
                user_id=keyed.user_id,
                key=keyed.key,
                defaults=_described(keyed) | {"status": None, "under_way_until": until},
            )
    return kept


def release_key(keyed: Keyed) -> None:
    """Let go of a claim whose request came to nothing, so that it can be tried again."""
    KeptAnswer.objects.filter(user_id=keyed.user_id, key=keyed.key, status=None).delete()


def forget_old_answers() -> int:
    """Return how many answers were too old to be kept any longer, and are gone."""
    gone, _ = KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return gone


def _described(keyed: Keyed) -> dict[str, object]:
    return {
        "fingerprint": keyed.fingerprint,
        "request": keyed.request[:_REQUEST_CHARACTERS_MAX],
        "created_at": timezone.now(),
    }


def _under_way() -> StillUnderWay:
    return StillUnderWay("the first request with this key is being answered; ask again soon")
