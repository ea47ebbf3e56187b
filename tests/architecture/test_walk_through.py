"""The pages that describe the code name files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/glossary.md")
FILE = re.compile(r"`((?:apps|smallville_api|tests|docs|benchmarks|worlds)/[\w./-]+)`")


@pytest.mark.parametrize("page", PAGES)
def test_names_files_that_exist(page: str) -> None:
    named = FILE.findall((ROOT / page).read_text("utf-8"))
    missing = sorted({name for name in named if not (ROOT / name.rstrip("/")).exists()})
    assert not missing, f"{page} names files that do not exist"


def test_a_request_is_followed_through_files() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    page = text.partition("## From a request to its event and back")[2].partition("\n## ")[0]
    stops = [line for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(stops) >= 10
    assert all(FILE.search(line) for line in stops)
