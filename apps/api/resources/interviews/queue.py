"""Sends workers the messages about interviews, whose rows are in the database."""

from functools import partial
from uuid import UUID

import structlog
from celery import current_app
from django.db import transaction

ANSWER_INTERVIEW = "smallville.answer_interview"

logger = structlog.get_logger(__name__)


def request_answer_by_worker(interview_id: UUID) -> None:
    """Have a worker answer the interview as soon as it has been committed."""
    transaction.on_commit(partial(_send, ANSWER_INTERVIEW, interview_id=str(interview_id)))


def _send(task: str, **names: str) -> None:
    try:
        with current_app.producer_or_acquire() as producer:
            # The client does not wait until a broker that is away has come back.
            producer.connection.ensure_connection(max_retries=0)
            current_app.send_task(task, kwargs=names, producer=producer, retry=False)
    except Exception as error:
        # Brokers fail in their own ways. The beat looks every few seconds for interviews that
        # wait, so that nothing is lost but those seconds.
        logger.warning("broker out of order", task=task, **names, error=repr(error))
