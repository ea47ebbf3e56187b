"""Tokens are issued and revoked, users are created, requests are counted."""

import time
from datetime import datetime, timedelta

import structlog
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.db.models import Q
from django.utils import timezone

from apps.access.models import ApiToken
from apps.access.tokens import digest_of, make_token
from apps.django_support.outage_log import Outage, outage_of
from apps.django_support.statements import rows_of
from apps.kernel.errors import DomainError, NotFound

USE_NOTED_EVERY = timedelta(minutes=1)
_COUNT = """
INSERT INTO access_requestcount AS kept (what, span, count)
VALUES (%(what)s, %(span)s, 1)
ON CONFLICT (what) DO UPDATE SET
    count = CASE WHEN kept.span = excluded.span THEN kept.count + 1 ELSE 1 END,
    span = excluded.span
RETURNING count
"""
logger = structlog.get_logger(__name__)


class TokenUnknown(NotFound):
    """There is no such token."""

    code = "token-unknown"


class UserUnfit(DomainError):
    """No user can be created like this."""

    code = "user-unfit"


def issue_token(
    user: User, name: str, *, expires_at: datetime | None = None, reads_only: bool = False
) -> str:
    """Return a new token for a user, which is not stored and cannot be read again.

    It is valid until it is revoked, or until `expires_at`. One that only reads is for public
    code, such as a page in a browser.
    """
    token = make_token()
    values = {"name": name, "user": user, "expires_at": expires_at, "reads_only": reads_only}
    ApiToken.objects.create(sha256=digest_of(token), **values)
    return token


def revoke_token(token_id: int) -> None:
    """Revoke a token; the time of an earlier revocation stays.

    :raises TokenUnknown: if there is none of that id.
    """
    known = ApiToken.objects.filter(pk=token_id)
    if not known.exists():
        raise TokenUnknown(f"there is no token {token_id}; list_tokens lists them")
    known.filter(revoked_at=None).update(revoked_at=timezone.now())


def note_use(token_id: int) -> None:
    """Record the use of a token, at most once a minute: most calls write nothing."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    try:
        ApiToken.objects.filter(stale, pk=token_id).update(last_used_at=now)
    except OperationalError as error:
        if outage_of(error) is not Outage.DISK_FULL:
            raise
        # Requests that only read are still answered.
        logger.warning("use of a token not noted", exc_info=error)


def create_user(name: str, password: str | None = None) -> User:
    """Return a new user without the rights of an administrator.

    Without a password, the user authenticates by tokens only.

    :raises UserUnfit: if the name is taken, or name or password cannot be used.
    """
    if User.objects.filter(username=name).exists():
        raise UserUnfit(f"there is a user {name!r} already; issue_token issues a token for it")
    user = User(username=name)
    try:
        user.clean_fields(exclude=["password"])
        if password is not None:
            validate_password(password, user)
    except ValidationError as error:
        why = " ".join(error.messages)
        raise UserUnfit(f"{name[:60]!r} cannot be created: {why}") from None
    user.set_password(password)
    user.save()
    return user


def ensure_administrator(name: str, password: str) -> User:
    """Return the administrator of that name, created with the password if there is none."""
    user, created = User.objects.get_or_create(
        username=name, defaults={"is_staff": True, "is_superuser": True}
    )
    if created:
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def count_request(what: str, *, requests_max: int, seconds: int) -> float | None:
    """Count a request; return None if it may pass, else the seconds until the next may.

    Time is cut into spans of `seconds`, each of which lets `requests_max` pass: around the
    border of two spans, at most twice as many.
    """
    span, elapsed = divmod(time.time(), seconds)
    [(count,)] = rows_of(_COUNT, {"what": what, "span": int(span)})
    return None if count <= requests_max else seconds - elapsed
