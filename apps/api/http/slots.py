"""Limits of open long responses, by process and by user in it."""

import threading
from collections import Counter

from apps.kernel.errors import DomainError


class StreamsTaken(DomainError):
    """The process has as many streams open as it may."""


class TooManyStreams(DomainError):
    """You have as many streams open as you may."""


class StreamsNeedAsgi(DomainError):
    """This server cannot keep a stream open."""


class DownloadsTaken(DomainError):
    """The process has as many downloads open as it may."""


class TooManyDownloads(DomainError):
    """You have as many downloads open as you may."""


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


STREAM_ERRORS = (StreamsTaken, TooManyStreams)
DOWNLOAD_ERRORS = (DownloadsTaken, TooManyDownloads)
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
