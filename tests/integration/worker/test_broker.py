"""Several processes that declare the same queue at the same time."""

import threading
import uuid
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from kombu.connection import Connection
from kombu.entity import Queue

from apps.embedded_postgres.environment import pgmq_connection
from tests.support.processes import database_url

PROCESSES = 6
ROUNDS = 5

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queue_name() -> Iterator[str]:
    """Yield the name of a queue of this test's own, dropped at the end."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    yield name
    with connection.cursor() as cursor:
        cursor.execute("SELECT pgmq.drop_queue(%s)", [name])


def _trigger(queue_name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
            [f"pgmq.q_{queue_name}"],
        )
        ((oid,),) = cursor.fetchall()
        return int(oid)


def _declare(queue_name: str) -> None:
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    with Connection(
        settings.CELERY_BROKER_URL,
        transport=settings.CELERY_BROKER_TRANSPORT,
        transport_options=options | {"conn_string": pgmq_connection(database_url())},
    ) as broker:
        Queue(queue_name, routing_key=queue_name)(broker.default_channel).declare()


class TestDeclaration:
    """A queue can be declared by any number of processes."""

    def test_succeeds_in_several_processes_at_once(self, queue_name: str) -> None:
        failures: list[BaseException] = []
        start = threading.Barrier(PROCESSES)

        def declare_often() -> None:
            start.wait()
            try:
                for _round in range(ROUNDS):
                    _declare(queue_name)
            except Exception as error:  # reported by the assertion below
                failures.append(error)

        threads = [threading.Thread(target=declare_often) for _number in range(PROCESSES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert failures == []

    def test_keeps_the_trigger_of_a_queue_that_has_one(self, queue_name: str) -> None:
        _declare(queue_name)
        first = _trigger(queue_name)

        _declare(queue_name)

        assert _trigger(queue_name) == first
