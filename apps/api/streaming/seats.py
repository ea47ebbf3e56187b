"""How many streams a process, and a user, may have open at once."""

import threading
from collections import Counter
from typing import ClassVar

from apps.kernel.errors import Refusal


class StreamsTaken(Refusal):
    """The process has as many streams open as it may."""

    code: ClassVar[str] = "streams-taken"


class TooManyStreams(Refusal):
    """You have as many streams open as you may."""

    code: ClassVar[str] = "too-many-streams"


class StreamsNeedAsgi(Refusal):
    """This server cannot keep a stream open."""

    code: ClassVar[str] = "streams-need-asgi"


class Seat:
    """The right to one open stream; given back once, whoever does it and however often."""

    def __init__(self, seats: "Seats", user_id: int) -> None:
        """Keep whose it is."""
        self._seats = seats
        self._user_id = user_id
        self._is_taken = True

    def give_back(self) -> None:
        """Let somebody else have it."""
        if self._is_taken:
            self._is_taken = False
            self._seats.freed(self._user_id)

    def __del__(self) -> None:
        # A client that is gone before its stream begins leaves nobody else to do it.
        self.give_back()


class Seats:
    """All the seats of a process."""

    def __init__(self) -> None:
        """Begin with none taken."""
        self._lock = threading.RLock()
        self._taken: Counter[int] = Counter()

    @property
    def taken(self) -> int:
        """How many are taken."""
        return self._taken.total()

    def take(self, user_id: int, *, at_most: int, at_most_a_user: int) -> Seat:
        """Return a seat for the user.

        :raises StreamsTaken: if the process has none left.
        :raises TooManyStreams: if the user has as many as they may.
        """
        with self._lock:
            if self._taken[user_id] >= at_most_a_user:
                raise TooManyStreams(
                    f"you have {at_most_a_user} streams open, which is as many as you may; "
                    "close one, or follow several things by one stream and its filters"
                )
            if self.taken >= at_most:
                raise StreamsTaken(
                    f"this process has {at_most} streams open, which is as many as it may; "
                    "try again in a while"
                )
            self._taken[user_id] += 1
        return Seat(self, user_id)

    def freed(self, user_id: int) -> None:
        """Note that a seat of the user is free again."""
        with self._lock:
            self._taken[user_id] -= 1
            if not self._taken[user_id]:
                del self._taken[user_id]


SEATS = Seats()
"""Those of this process."""
