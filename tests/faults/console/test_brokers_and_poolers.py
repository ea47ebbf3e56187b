"""The brokers and poolers that documents name, started and used."""

import os
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from apps.django_support.broker_check import BrokerUnusable, ensure_broker_usable
from apps.django_support.notify import notifications_arrive
from apps.embedded_postgres.environment import assemble_database_url
from apps.simulation.engine import lifecycle
from tests.faults.console.test_refusals import manage
from tests.support.processes import database_url, stack, wait_until
from tests.support.programs import BROKERS, pgbouncer, wait_for_broker
from tests.support.towns import found

pytestmark = pytest.mark.django_db(transaction=True)

SOON_TICK = 60
LIVES_SECONDS = 120.0


class TestBrokers:
    @pytest.mark.parametrize("name", BROKERS)
    def test_carry_the_turns_of_a_simulation(self, name: str, tmp_path: Path) -> None:
        with BROKERS[name](tmp_path) as url:
            wait_for_broker(url, tmp_path)
            with stack(tmp_path, BROKER_URL=url) as processes:
                processes.start_worker("worker")
                processes.start_scheduler()
                row = found(agents=("Isabella Rodriguez",))
                lifecycle.request_run(row.pk, until_tick=SOON_TICK)

                def has_lived() -> bool:
                    row.refresh_from_db()
                    return row.committed_tick == SOON_TICK

                wait_until(
                    has_lived,
                    seconds=LIVES_SECONDS,
                    told=lambda: processes.log_of("worker") + processes.log_of("scheduler"),
                )

    @pytest.mark.parametrize(
        ("url", "word"),
        [
            ("valkey://127.0.0.1", '"valkey"'),
            ("confluentkafka://127.0.0.1", "not installed"),
            ("memory://127.0.0.1", "not the URL of a broker"),
            ("127.0.0.1:6379", "not the URL of a broker"),
            ("redis://127.0.0.1:port/0", "not the URL of a broker"),
        ],
    )
    def test_that_cannot_be_used_are_refused(self, url: str, word: str, settings: Any) -> None:
        settings.BROKER_URL = url
        with pytest.raises(BrokerUnusable, match=word) as refused:
            ensure_broker_usable()
        assert "redis://HOST:6379/0" in refused.value.message

    def test_are_checked_when_a_process_starts(self, tmp_path: Path) -> None:
        with stack(tmp_path, BROKER_URL="valkey://127.0.0.1") as processes:
            processes.start_worker("worker")
            processes.start_beat()
            processes.start_scheduler()
            ended = {name: one.wait(60) for name, one in processes.running.items()}
        assert ended == {"worker": 1, "beat": 1, "scheduler": 1}
        for name in ended:
            assert 'BROKER_URL begins with "valkey"' in processes.log_of(name)
            assert "Traceback" not in processes.log_of(name)


def show_migrations(mode: str, folder: Path) -> CompletedProcess[str]:
    """Run a command on the tests' server through a PgBouncer."""
    server = os.environ["DATABASE_URL"]
    with pgbouncer(folder, mode=mode, database_url=server) as parts:
        environment = parts | {"SECRET_KEY": "for tests only"}
        return manage("showmigrations", "worker", home=folder, environment=environment)


class TestPgBouncer:
    def test_by_session_works_through_its_socket(self, tmp_path: Path) -> None:
        ended = show_migrations("session", tmp_path)
        assert ended.returncode == 0, ended.stderr

    def test_of_an_old_version_by_transaction_is_refused(self, tmp_path: Path) -> None:
        ended = show_migrations("transaction", tmp_path)
        assert ended.returncode == 1
        assert "use PgBouncer 1.21 or later" in ended.stderr
        assert "Traceback" not in ended.stderr

    @pytest.mark.parametrize("mode", ["session", "transaction"])
    def test_by_transaction_is_found_to_drop_notifications(
        self, mode: str, settings: Any, tmp_path: Path
    ) -> None:
        with pgbouncer(tmp_path, mode=mode, database_url=database_url()) as parts:
            assemble_database_url(parts)
            settings.DATABASE_LISTEN_URL = parts["DATABASE_URL"]
            assert notifications_arrive() is (mode == "session")
