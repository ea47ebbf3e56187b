"""Notifications about simulations: to their followers, and to the schedulers.

A notification has no data: the receiver reads the rows, also after a missed notification.
"""

from enum import StrEnum
from uuid import UUID

from apps.django_support.notify import notify

FOLLOWERS_CHANNEL = "smallville_followers"
SCHEDULERS_CHANNEL = "smallville_schedulers"


class Reason(StrEnum):
    """Why a scheduler is woken: a user requests something, or a turn was executed."""

    REQUEST = "request"
    TURN = "turn"


def notify_followers(simulation_id: UUID) -> None:
    """Notify the followers of the simulation when the transaction commits."""
    notify(FOLLOWERS_CHANNEL, str(simulation_id))


def wake_scheduler(simulation_id: UUID, reason: Reason = Reason.REQUEST) -> None:
    """Notify the schedulers when the transaction commits."""
    notify(SCHEDULERS_CHANNEL, f"{reason} {simulation_id}")
