"""A Python client that anybody can make from the schema works, down to the types."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.api.openapi.document import schema_document
from tests.support.processes import ROOT
from tests.support.serving import HOST, served

PACKAGE = "smallville_client"
PROGRAM = ROOT / "tests" / "generated_client" / "day_in_town.py"
ENDS_SECONDS = 120
# The generator's own part, the same for every schema, hands on arguments of any type.
MYPY_SETTINGS = f"""\
[mypy]
strict = true
[mypy-{PACKAGE}.client]
disable_error_code = arg-type
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a client that was made in it, without a warning."""
    folder = tmp_path_factory.mktemp("client")
    schema = folder / "smallville.json"
    schema.write_text(json.dumps(schema_document()))
    settings = ROOT / "docs" / "how_to" / "client_generator.yaml"
    run(
        folder,
        *("-m", "openapi_python_client", "generate", "--path", str(schema)),
        *("--config", str(settings)),
        *("--meta", "none", "--output-path", PACKAGE, "--fail-on-warning"),
    )
    return folder


class TestGeneratedClient:
    def test_has_a_function_for_every_operation(self, made: Path) -> None:
        modules = {file.stem for file in (made / PACKAGE / "api").glob("*/*.py")}
        operations = [
            operation["operationId"]
            for methods in schema_document()["paths"].values()
            for operation in methods.values()
        ]
        assert {name.replace("_", "") for name in modules - {"__init__"}} == {
            name.lower() for name in operations
        }

    def test_is_strictly_typed_and_so_are_programs_that_use_it(self, made: Path) -> None:
        settings = made / "mypy.ini"
        settings.write_text(MYPY_SETTINGS)
        run(
            made,
            *("-m", "mypy", "--config-file", str(settings), "--cache-dir", str(made / ".mypy")),
            *("-p", PACKAGE),
        )
        run(
            made,
            *("-m", "mypy", "--config-file", str(settings), "--cache-dir", str(made / ".mypy")),
            str(PROGRAM),
        )

    @pytest.mark.django_db(transaction=True)
    def test_founds_a_town_and_lives_with_it(self, made: Path, tmp_path: Path) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        with served(tmp_path, token) as service:
            service.processes.start_worker("worker")
            service.processes.start_scheduler()
            run(made, str(PROGRAM), f"http://{HOST}:{service.port}", token)


def run(folder: Path, *arguments: str) -> None:
    """Run Python in the folder, with what lies in it on its path; fail with what it says."""
    tools = str(Path(sys.executable).parent)  # the generator calls ruff by its name
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(folder),
        "MYPYPATH": str(folder),
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=ENDS_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
