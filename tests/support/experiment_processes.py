"""Real processes of `manage.py experiment run` on the test database."""

import subprocess
from pathlib import Path

from tests.support.preloaded import PreloadedProcess
from tests.support.processes import ROOT, environment_of


def started(
    folder: Path, *arguments: str, stderr: int | None = None
) -> "subprocess.Popen[str]":
    """Start a process whose standard output can be read."""
    return PreloadedProcess(
        ("manage.py", "experiment", "run", *arguments),
        cwd=ROOT,
        env=environment_of(folder),
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )
