"""Kombu's transport over pgmq, safe for processes that declare a queue at the same time."""

from typing import Any

import structlog
from kombu.transport import pgmq
from pgmq import PGMQueue
from psycopg_pool import ConnectionPool

# `pgmq.enable_notify_insert` drops the queue's trigger and creates it again: two processes that
# call it at the same time fail, and each call locks the whole queue.
NOTIFICATIONS_ARE_ENABLED = """
SELECT EXISTS (
    SELECT FROM pgmq.notify_insert_throttle
    JOIN pg_trigger ON tgname = 'trigger_notify_queue_insert_listeners'
        AND tgrelid = to_regclass('pgmq.' || quote_ident('q_' || queue_name))
    WHERE queue_name = %s AND throttle_interval_ms = %s
)
"""
LOCK_THE_DECLARATION = "SELECT pg_advisory_xact_lock(hashtextextended('pgmq.notify.' || %s, 0))"

logger = structlog.get_logger(__name__)


class Channel(pgmq.Channel):
    """A channel that enables the notifications of a queue once, and outlives its connection."""

    _has_reported_loss = False

    def _maybe_enable_notify(self, queue: str, queue_name: str | None = None) -> None:
        """Create the trigger of a queue unless it exists, in one process after another."""
        if not self.use_notify:
            return
        name = queue_name or self._queue_name(queue)
        interval = self.notify_throttle_interval_ms
        pool = self.pgmq.pool
        assert pool is not None, "the queue's client opens its pool when it is made"
        with pool.connection() as connection:
            connection.execute(LOCK_THE_DECLARATION, (name,))
            found = connection.execute(NOTIFICATIONS_ARE_ENABLED, (name, interval)).fetchone()
            if found != (True,):
                self.pgmq.enable_notify(name, throttle_interval_ms=interval, conn=connection)
        self.connection._register_notify_queue(name)  # noqa: SLF001 - as the overridden method

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Delete a message; one of a lost connection stays, and is delivered again."""
        if self._is_open():
            super().basic_ack(delivery_tag, multiple)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give a message back, or delete it; one of a lost connection is delivered again."""
        if self._is_open():
            super().basic_reject(delivery_tag, requeue=requeue)

    def _is_open(self) -> bool:
        """Return whether the connection is there; log once for each lost one if it is not."""
        if self.connection is not None:
            return True
        if not self._has_reported_loss:
            self._has_reported_loss = True
            logger.warning("messages of a lost connection to the queue are delivered again")
        return False


class Queue(PGMQueue):
    """pgmq's client, whose connections have all parameters of the database's URL."""

    def _init_pool(self) -> None:
        assert self.config.conn_string, "the transport gives it"
        self.pool = ConnectionPool(
            self.config.conn_string, max_size=self.config.pool_size, min_size=1, open=True
        )


class Transport(pgmq.Transport):
    """Kombu's transport over pgmq, with the channel and the client of this module."""

    Channel = Channel
    client: Any

    def _create_pgmq_client(self) -> Queue:
        options = self.client.transport_options
        client = Queue(
            conn_string=options["conn_string"],
            vt=options["visibility_timeout"],
            init_extension=False,
            pool_size=options["pool_size"],
        )
        self._apply_pool_timeout(client, options)
        return client

    def _get_notify_waiter(self) -> Any:
        if self._notify_waiter is None:
            address = self.client.transport_options["listen_conn_string"]
            self._notify_waiter = pgmq._NotifyWaiter(address)  # noqa: SLF001
        return self._notify_waiter
