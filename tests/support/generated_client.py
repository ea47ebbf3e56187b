"""A Python client made from the schema, and programs run with it on their path."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apps.api.operations.documentation import schema_document
from tests.support.preloaded import ROOT

PACKAGE = "smallville_client"
PROGRAM = ROOT / "tests" / "generated_client" / "day_in_town.py"
ENDS_SECONDS = 120


def make_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
