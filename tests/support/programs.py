"""Brokers and poolers of the system, started for a test; .ci/run installs their packages."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import pytest
from kombu.connection import Connection

from apps.embedded_postgres import launch
from tests.support.processes import ENDS_SECONDS, wait_until
from tests.support.serving import free_port

STARTS_SECONDS = 60.0


@contextmanager
def running(program: str, *arguments: str, folder: Path, **environment: str) -> Iterator[None]:
    """Have a program of the system run; skip the test where it is not installed."""
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/usr/lib/rabbitmq/bin")
    if found is None:
        pytest.skip(f"{program} is not installed")
    with (folder / "program.log").open("ab") as log:
        process = subprocess.Popen(
            launch.command_for(
                launch.way_to_run(folder / "none"), [found, *arguments], parent=os.getpid()
            ),
            env={**os.environ, **environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield
    finally:
        # RabbitMQ is a shell that waits for Erlang.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(ENDS_SECONDS)


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Give the URL of a Redis."""
    port = str(free_port())
    options = ("--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", str(folder))
    with running("redis-server", *options, folder=folder):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def rabbitmq(folder: Path) -> Iterator[str]:
    """Give the URL of a RabbitMQ, with its register of nodes."""
    port, of_nodes, of_register = (str(free_port()) for _ in range(3))
    with (
        running("epmd", "-address", "127.0.0.1", "-port", of_register, folder=folder),
        running(
            "rabbitmq-server",
            folder=folder,
            ERL_EPMD_PORT=of_register,
            HOME=str(folder),
            RABBITMQ_CONFIG_FILE=str(folder / "none"),
            RABBITMQ_DIST_PORT=of_nodes,
            RABBITMQ_ENABLED_PLUGINS_FILE=str(folder / "plugins"),
            RABBITMQ_LOG_BASE=str(folder),
            RABBITMQ_MNESIA_BASE=str(folder),
            RABBITMQ_NODENAME=f"test{port}@localhost",
            RABBITMQ_NODE_IP_ADDRESS="127.0.0.1",
            RABBITMQ_NODE_PORT=port,
        ),
    ):
        yield f"amqp://guest:guest@127.0.0.1:{port}//"


BROKERS = {"redis": redis, "rabbitmq": rabbitmq}


def wait_for_broker(url: str, folder: Path) -> None:
    """Wait until the broker answers."""

    def answers() -> bool:
        with suppress(OSError, *Connection(url).connection_errors), Connection(url) as broker:
            broker.connect()
            return True
        return False

    wait_until(answers, seconds=STARTS_SECONDS, told=(folder / "program.log").read_text)


@contextmanager
def pgbouncer(folder: Path, *, mode: str, database_url: str) -> Iterator[dict[str, str]]:
    """Give a PgBouncer's address on its socket, as the service's settings for its parts."""
    of, port = urlsplit(database_url), str(free_port())
    name, user, password = of.path[1:], of.username or "", unquote(of.password or "")
    (folder / "users").write_text(f'"{user}" "{password}"\n')
    (folder / "pgbouncer.ini").write_text(
        "[databases]\n"
        f"{name} = host={of.hostname} port={of.port} user={user} password={password}\n"
        "[pgbouncer]\n"
        f"listen_port = {port}\nunix_socket_dir = {folder}\n"
        f"auth_type = plain\nauth_file = {folder / 'users'}\npool_mode = {mode}\n"
    )
    settings = {
        "DATABASE_HOST": str(folder),
        "DATABASE_PORT": port,
        "DATABASE_NAME": name,
        "DATABASE_USER": user,
        "DATABASE_PASSWORD": password,
    }

    def answers() -> bool:
        with suppress(psycopg.OperationalError):
            psycopg.connect(
                host=str(folder), port=port, dbname=name, user=user, password=password
            ).close()
            return True
        return False

    with running("pgbouncer", str(folder / "pgbouncer.ini"), folder=folder):
        wait_until(answers, seconds=STARTS_SECONDS, told=(folder / "program.log").read_text)
        yield settings
