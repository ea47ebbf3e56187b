"""Several processes that declare the same queue at the same time."""

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.db import connection
from kombu.connection import Connection
from kombu.entity import Queue
from psycopg.conninfo import make_conninfo

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


@contextmanager
def _broker(url: str) -> Iterator[Connection]:
    address = make_conninfo(url)
    options = {"conn_string": address, "listen_conn_string": address}
    with Connection(
        settings.CELERY_BROKER_URL,
        transport=settings.CELERY_BROKER_TRANSPORT,
        transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS | options,
    ) as broker:
        yield broker


def _declare(queue_name: str) -> None:
    with _broker(database_url()) as broker:
        Queue(queue_name, routing_key=queue_name)(broker.default_channel).declare()


class TestConnections:
    def test_have_all_parameters_of_the_url(self, queue_name: str) -> None:
        with _broker(f"{database_url()}?application_name={queue_name}") as broker:
            Queue(queue_name, routing_key=queue_name)(broker.default_channel).declare()
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT DISTINCT query LIKE 'LISTEN%%' AS listens FROM pg_stat_activity"
                    " WHERE application_name = %s ORDER BY 1",
                    [queue_name],
                )
                assert cursor.fetchall() == [(False,), (True,)]


class TestDeclaration:
    """A queue can be declared by any number of processes."""

    # kombu suppresses this warning of pgmq, but not for threads beside each other.
    @pytest.mark.filterwarnings("ignore:list_queues")
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


class TestMessagesOfALostConnection:
    def test_are_kept_with_one_line_of_log(
        self, queue_name: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        with _broker(database_url()) as broker:
            queue = Queue(queue_name, routing_key=queue_name)(broker.default_channel)
            queue.declare()
            for number in range(2):
                broker.Producer().publish(number, routing_key=queue_name)
            taken = [queue.get() for _number in range(2)]
            broker.default_channel.close()
            taken[0].ack()
            taken[1].reject(requeue=True)
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT queue_length FROM pgmq.metrics(%s)", [queue_name])
            assert cursor.fetchone() == (2,)
