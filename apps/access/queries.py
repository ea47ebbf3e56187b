"""Queries of tokens, sessions and active users."""

from collections.abc import Collection

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from apps.access.membership import UnknownUser
from apps.access.models import ApiToken
from apps.access.tokens import CHARACTERS_MAX, PREFIX, digest_of
from apps.kernel.names import names_there_are


def user_named(name: str) -> User:
    """Return the user, active or not.

    :raises UnknownUser: if there is none of that name.
    """
    user = User.objects.filter(username=name).first()
    if user is None:
        names = list(User.objects.order_by("username").values_list("username", flat=True))
        raise UnknownUser(
            f"there is no user {name!r}; {names_there_are(names, name)}; "
            f"`manage.py create_user {name}` creates it"
        )
    return user


def token_row(token: str) -> ApiToken | None:
    """Return the row of a token that is valid, with its user; None for any other text."""
    if not token.startswith(PREFIX) or len(token) > CHARACTERS_MAX:
        return None
    return _valid().filter(sha256=digest_of(token)).select_related("user").first()


def still_valid(token_ids: Collection[int]) -> set[int]:
    """Return which of the tokens are valid now, by their ids."""
    return set(_valid().filter(pk__in=token_ids).values_list("pk", flat=True))


def user_of(token: str) -> User | None:
    """Return the user of a token; None if it is not valid."""
    row = token_row(token)
    return row.user if row else None


def active_users(user_ids: Collection[int]) -> dict[int, User]:
    """Return the active ones of the users, by id."""
    return {user.pk: user for user in User.objects.filter(pk__in=user_ids, is_active=True)}


def is_session_of(user: User, session_key: str) -> bool:
    """Return whether the session is the user's and valid: of the present password."""
    session = SessionStore(session_key).load()
    if session.get(SESSION_KEY) != str(user.pk):
        return False
    shown = str(session.get(HASH_SESSION_KEY, ""))
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(shown, good) for good in hashes)


def list_tokens(user: User | None = None) -> list[ApiToken]:
    """Return the tokens of a user or of all, the latest first, revoked ones included."""
    rows = ApiToken.objects.select_related("user").order_by("-created_at", "-pk")
    return list(rows if user is None else rows.filter(user=user))


def _valid() -> QuerySet[ApiToken]:
    lasting = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ApiToken.objects.filter(lasting, revoked_at=None, user__is_active=True)
