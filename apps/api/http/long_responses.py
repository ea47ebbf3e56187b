"""Long responses: how many may be open, and whether their users may still read."""

import threading
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from rest_framework.request import Request

from apps.access.models import ApiToken
from apps.access.queries import active_users, is_session_of, still_valid
from apps.api.http.request_errors import (
    DownloadsTaken,
    StreamsTaken,
    TooManyDownloads,
    TooManyStreams,
)
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.kernel.errors import DomainError, NotFound


class ConnectionSlot:
    """A slot for one open response; releasing it again has no effect."""

    def __init__(self, slots: "ConnectionSlots", user_id: int) -> None:
        self._slots = slots
        self._user_id = user_id
        self._is_taken = True

    def release(self) -> None:
        """Release the slot."""
        if self._is_taken:
            self._is_taken = False
            self._slots.released(self._user_id)

    def __del__(self) -> None:
        # A client can disconnect before its response begins; then nothing else releases it.
        self.release()


class ConnectionSlots:
    """The slots of a process for one kind of response, "streams" or "downloads".

    :param all_taken: the error if the process has no slot left.
    :param too_many: the error if the user has as many as allowed, with a hint.
    """

    def __init__(
        self, kind: str, *, all_taken: type[DomainError], too_many: type[DomainError], hint: str
    ) -> None:
        self._kind, self._hint = kind, hint
        self._all_taken, self._too_many = all_taken, too_many
        self._lock = threading.RLock()
        self._taken: Counter[int] = Counter()

    @property
    def taken(self) -> int:
        """The number of slots that are taken."""
        return self._taken.total()

    def acquire(
        self, user_id: int, *, slots_max: int, slots_per_user_max: int
    ) -> ConnectionSlot:
        """Return a slot for the user.

        :raises DomainError: of the class `too_many` or `all_taken`.
        """
        with self._lock:
            if self._taken[user_id] >= slots_per_user_max:
                raise self._too_many(
                    f"you have {slots_per_user_max} {self._kind} open, which is the limit; "
                    f"{self._hint}"
                )
            if self.taken >= slots_max:
                raise self._all_taken(
                    f"this process has {slots_max} {self._kind} open, which is the limit; "
                    "try again in a few seconds"
                )
            self._taken[user_id] += 1
        return ConnectionSlot(self, user_id)

    def released(self, user_id: int) -> None:
        """Record that a slot of the user is free again."""
        with self._lock:
            self._taken -= Counter([user_id])


STREAMS = ConnectionSlots(
    "streams",
    all_taken=StreamsTaken,
    too_many=TooManyStreams,
    hint="close one, or follow several things by one stream and its filters",
)
DOWNLOADS = ConnectionSlots(
    "downloads",
    all_taken=DownloadsTaken,
    too_many=TooManyDownloads,
    hint="read one to its end or close it, then try again",
)
"""The slots of this process; streams with `until=committed` are downloads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessGrant:
    """The token or the session by which a user reads a simulation."""

    user_id: int
    token_id: int | None
    session_key: str | None
    simulation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseEnd:
    """The reason that a long response ends: a problem code and a sentence."""

    code: str
    detail: str


def grant_of(request: Request, context: SimulationContext) -> AccessGrant:
    """Return the grant by which an authenticated request reads a simulation."""
    shown, session = request.auth, getattr(request, "session", None)
    return AccessGrant(
        user_id=int(request.user.pk or 0),
        token_id=shown.pk if isinstance(shown, ApiToken) else None,
        session_key=None if session is None else session.session_key,
        simulation_id=context.id,
    )


def lost_grants(grants: Collection[AccessGrant]) -> dict[AccessGrant, ResponseEnd]:
    """Return the grants that are no longer good, each with the reason."""
    tokens = still_valid([grant.token_id for grant in grants if grant.token_id is not None])
    users = active_users({grant.user_id for grant in grants})
    lost: dict[AccessGrant, ResponseEnd] = {}
    for grant in grants:
        user = users.get(grant.user_id)
        if user is None or not _is_authenticated(grant, user, tokens):
            detail = "the token has been revoked, or the session is over"
            lost[grant] = ResponseEnd(code="token-invalid", detail=detail)
            continue
        try:
            load_context(user, str(grant.simulation_id))
        except NotFound as refusal:
            lost[grant] = ResponseEnd(code=refusal.code, detail=refusal.message)
    return lost


class ContinuedAccess:
    """Checks from time to time whether the user of a response may still read on."""

    def __init__(self, grant: AccessGrant) -> None:
        self._grant = grant
        self._checked_at = time.monotonic()

    def lost(self) -> ResponseEnd | None:
        """Return why the response must end, None if it need not."""
        self._checked_at = time.monotonic()
        return lost_grants([self._grant]).get(self._grant)

    def lost_if_due(self) -> ResponseEnd | None:
        """Do the same, at most every settings.STREAM_CHECK_SECONDS."""
        is_due = time.monotonic() - self._checked_at >= settings.STREAM_CHECK_SECONDS
        return self.lost() if is_due else None


def _is_authenticated(grant: AccessGrant, user: User, tokens: set[int]) -> bool:
    if grant.token_id is not None:
        return grant.token_id in tokens
    return grant.session_key is None or is_session_of(user, grant.session_key)
