"""README and the guides of the first morning run as pasted, as they are shown."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.console.test_serve import Served
from tests.guides.pages import OF_THE_PARTY, check_page
from tests.support.guides import HOW_TO, PAGES, blocks_of

NOT_RUN_MAX = 30
"""Blocks of commands that need Docker, a key, a package, or do not end."""


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in OF_THE_PARTY], ids=lambda page: page.stem
)
def test_runs_as_pasted(page: Path, served: Served, *, is_recording: bool) -> None:
    check_page(page, served, is_recording=is_recording)


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
