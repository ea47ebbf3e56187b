"""One connection per process that listens for notifications of committed ticks."""

import asyncio
from collections.abc import Callable

import psycopg
import structlog

from apps.django_support.notify import listening_parameters
from apps.simulation.notifications import FOLLOWERS_CHANNEL

RECONNECT_SECONDS = 1.0

logger = structlog.get_logger(__name__)


async def listen(
    on_notification: Callable[[str], None], on_connected: Callable[[], None]
) -> None:
    """Call `on_notification` with the id of each notified simulation, until cancelled.

    Whenever the connection has been made, `on_connected`: there may have been rings before.
    """
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(
                **listening_parameters(), autocommit=True
            )
            async with connection:
                await connection.execute(f"LISTEN {FOLLOWERS_CHANNEL}")
                on_connected()
                async for notify in connection.notifies():
                    on_notification(notify.payload)
        except psycopg.Error as error:
            # Feeds look around by themselves every few seconds: nothing is lost meanwhile.
            logger.warning("doorbell out of order", error=str(error))
        await asyncio.sleep(RECONNECT_SECONDS)
