"""The doorbell for whoever follows a simulation: its clock, or what it is doing, has changed.

It carries no news: who hears it looks at the rows, and so does who has missed it.
"""

from uuid import UUID

from apps.django_support.bell import ring

FOLLOWERS_CHANNEL = "smallville_followers"


def ring_followers(simulation_id: UUID) -> None:
    """Ring when the transaction commits."""
    ring(FOLLOWERS_CHANNEL, str(simulation_id))
