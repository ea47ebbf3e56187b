"""Every block of README and of each guide runs as pasted, in one home, as it is shown."""

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.embedded_postgres.database import stop_server
from tests.faults.console.test_serve import OURS, Served, free_port
from tests.support.guides import (
    HOW_TO,
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
NOT_RUN_MAX = 28
"""Blocks of commands that need Docker, a key, a package, or do not end."""
BASH = shutil.which("bash") or "/bin/bash"
MORNING = "It is morning"
# What is another one in each run, and is shown as a hole when outputs are recorded.
VOLATILE = (
    r"sv_[\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z"
)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a fresh home as `make run` does, up to its first morning."""
    home = tmp_path_factory.mktemp("home") / ".smallville"
    served = Served(home, free_port())
    try:
        served.read_greeting()
        assert served.process.stdout is not None
        for line in served.process.stdout:
            if MORNING in line:
                break
        yield served
        served.stop()
    finally:
        served.end()
        stop_server(home)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_runs_as_pasted(page: Path, served: Served, request: pytest.FixtureRequest) -> None:
    written = blocks_of(page)
    before = untracked_files()
    write_files(page, served.home.folder)
    outputs = run([block.text for block in written if block.is_command], served)
    others = []
    for block, output in outputs_shown(written, outputs):
        if not is_shown(block.text, output):
            others.append((block, output))
    if request.config.getoption("--record"):
        record(page, others)
    else:
        assert not others, "\n".join(difference(block.text, real) for block, real in others)
    assert untracked_files() == before


def test_every_block_is_run_or_says_why_not() -> None:
    blocks = [block for page in PAGES for block in blocks_of(page)]
    left_out = Counter(b.reason for b in blocks if b.reason and b.language == "bash")
    assert left_out.total() <= NOT_RUN_MAX, left_out
    for page in PAGES:
        text = page.read_text("utf-8")
        blocks = blocks_of(page)
        assert len(blocks) * 2 == len(re.findall(r"^\s*```", text, re.MULTILINE)), page
        unknown = [b for b in blocks if not (b.is_command or b.is_output or b.file or b.reason)]
        assert not unknown, (page.stem, unknown)
        assert not re.search(r"^\n    [^\s*|-]", text, re.MULTILINE), f"indented code: {page}"


def test_every_guide_takes_its_variables_from_one_file() -> None:
    for page in PAGES[1:]:
        commands = [block.text for block in blocks_of(page) if block.is_command]
        if any("$" in text for text in commands):
            assert commands[0].startswith("source docs/how_to/env.sh\n"), page.stem
        assert not re.search(r"^(?:TOKEN|API)=", "".join(commands), re.MULTILINE)
    assert (HOW_TO / "env.sh").exists()


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
            # It has the packages that a guide installs apart, such as the client generator.
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
