"""Rings for the conductor: the broker is a doorbell only, the database says what is due."""

from functools import partial
from uuid import UUID

import structlog
from celery import current_app
from django.db import transaction

CONDUCT = "smallville.conduct"
ANSWER_INTERVIEW = "smallville.answer_interview"

logger = structlog.get_logger(__name__)


def ring_on_commit(simulation_id: UUID) -> None:
    """Send for a conductor as soon as what is asked for has been committed."""
    transaction.on_commit(partial(_ring, CONDUCT, simulation_id=str(simulation_id)))


def ring_for_answer(interview_id: UUID) -> None:
    """Send for somebody to answer the interview as soon as it has been committed."""
    transaction.on_commit(partial(_ring, ANSWER_INTERVIEW, interview_id=str(interview_id)))


def _ring(task: str, **names: str) -> None:
    try:
        with current_app.producer_or_acquire() as producer:
            # Whoever asked does not wait until a broker that is away has come back.
            producer.connection.ensure_connection(max_retries=0)
            current_app.send_task(task, kwargs=names, producer=producer, retry=False)
    except Exception as error:
        # Brokers fail in their own ways. The beat looks around every few seconds and finds
        # what should be running, so that nothing is lost but those seconds.
        logger.warning("bell out of order", task=task, **names, error=repr(error))
