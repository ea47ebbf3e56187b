"""Tasks that a request sends to a worker once its rows are committed."""

from functools import partial

import structlog
from celery import current_app
from django.db import transaction

logger = structlog.get_logger(__name__)


def send_after_commit(task: str, **names: str) -> None:
    """Send a task with its arguments after the commit of the transaction.

    The beat sends the tasks of rows that wait again, so that one may be lost.
    """
    transaction.on_commit(partial(_send, task, names))


def _send(task: str, names: dict[str, str]) -> None:
    try:
        with current_app.producer_or_acquire() as producer:
            # The client does not wait for a broker that is down.
            producer.connection.ensure_connection(max_retries=0)
            current_app.send_task(task, kwargs=names, producer=producer, retry=False)
    except Exception as error:
        # The exceptions of brokers have no common class.
        logger.warning("broker out of order", task=task, **names, error=repr(error))
