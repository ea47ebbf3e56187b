"""Kombu's transport over pgmq, safe for processes that declare a queue at the same time."""

from kombu.transport import pgmq

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


class Channel(pgmq.Channel):
    """A channel that enables the notifications of a queue once."""

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


class Transport(pgmq.Transport):
    """Kombu's transport over pgmq, with the channel of this module."""

    Channel = Channel
