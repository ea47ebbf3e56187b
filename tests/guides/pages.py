"""The pages, each run in the home of the worker as a reader runs it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.faults.console.test_serve import OURS, Served
from tests.support.guides import (
    PAGES,
    ROOT,
    Block,
    blocks_of,
    difference,
    is_shown,
    recorded,
    write_files,
)

SEPARATOR = "\x1e"
PAGE_SECONDS_MAX = 600
BASH = shutil.which("bash") or "/bin/bash"
# What is another one in each run, and is shown as a hole when outputs are recorded.
VOLATILE = (
    r"sv_[\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z"
)
OF_THE_PARTY = [page for page in PAGES if "\ncreate party " in page.read_text("utf-8")]
"""The pages that read one simulation of two days; the first of them runs it."""


def check_page(page: Path, served: Served, *, is_recording: bool) -> None:
    """Run the blocks of a page as pasted; compare their outputs, or write them."""
    written = blocks_of(page)
    before = untracked_files()
    write_files(page, served.home.folder)
    outputs = run([block.text for block in written if block.is_command], served)
    others = []
    for block, output in outputs_shown(written, outputs):
        if not is_shown(block.text, output):
            others.append((block, output))
    if is_recording:
        record(page, others)
    else:
        assert not others, "\n".join(difference(block.text, real) for block, real in others)
    assert untracked_files() == before


def run(commands: list[str], served: Served) -> list[str]:
    """Run the blocks in one shell, in the folder of the project; return what each printed."""
    script = f"printf '{SEPARATOR}'\n".join(["set -eu\n", *commands])
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(OURS)}
    ran = subprocess.run(
        [BASH, "-c", script],
        cwd=ROOT,
        env={
            **inherited,
            "SMALLVILLE_HOME": str(served.home.folder),
            # Packages that guides install apart: the Python client, the client generator.
            "PYTHONPATH": str(ROOT / "clients" / "python"),
            "PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        timeout=PAGE_SECONDS_MAX,
        check=False,
    )
    _, *outputs = ran.stdout.split(SEPARATOR)
    assert ran.returncode == 0, f"{outputs[-1:]}\n{ran.stderr[-3_000:]}"
    # As a reader sees it, who has the default port and home.
    home = str(served.home.folder)
    return [
        output.replace(home, ".smallville").replace(f":{served.port}", ":8000")
        for output in outputs
    ]


def outputs_shown(written: list[Block], outputs: list[str]) -> Iterator[tuple[Block, str]]:
    """Yield the blocks that show an output, each with the real one."""
    count = -1
    for block in written:
        count += block.is_command
        if block.is_output:
            yield block, outputs[count]


def record(page: Path, changed: list[tuple[Block, str]]) -> None:
    """Write the real outputs into the page."""
    text = page.read_text("utf-8")
    for block, output in reversed(changed):
        real = re.sub(VOLATILE, "…", recorded(block.text, output))
        text = text[: block.start] + real + text[block.end :]
    page.write_text(text, "utf-8")


def untracked_files() -> str:
    """Return the files that git does not know and does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout
