"""One connection a process that listens for what has settled, whoever follows it."""

import asyncio
from collections.abc import Callable

import psycopg
import structlog

from apps.django_support.bell import listening_parameters
from apps.simulation.notifications import FOLLOWERS_CHANNEL

RECONNECT_SECONDS = 1.0

logger = structlog.get_logger(__name__)


async def listen(heard: Callable[[str], None], missed: Callable[[], None]) -> None:
    """Call `heard` with the simulation that is rung for, until cancelled.

    Whenever the connection has been made, `missed`: there may have been rings before.
    """
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(
                **listening_parameters(), autocommit=True
            )
            async with connection:
                await connection.execute(f"LISTEN {FOLLOWERS_CHANNEL}")
                missed()
                async for ring in connection.notifies():
                    heard(ring.payload)
        except psycopg.Error as error:
            # Feeds look around by themselves every few seconds: nothing is lost meanwhile.
            logger.warning("doorbell out of order", error=str(error))
        await asyncio.sleep(RECONNECT_SECONDS)
