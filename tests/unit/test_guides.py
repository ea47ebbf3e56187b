"""README and how-to guides: links lead somewhere, commands exist, one interpreter is named."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.support.guides import is_shown, recorded

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "how_to"
PAGES = [ROOT / "README.md", *sorted(GUIDES.glob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]+)")
COMMAND = re.compile(r"manage\.py ([a-z_]+)")
INTERPRETER = re.compile(r"([\w./-]*python3?(?:\.\d+)?)\s+(?:-m \S+|\S+\.py)\b")
ENVIRONMENTS = {".venv/bin/python", ".venv-client/bin/python"}
"""The service's own, and the one that a guide makes for a client."""
FENCES = re.compile(r"^```.*$", re.MULTILINE)
IN_CONTAINER = re.compile(r"docker compose (?:run|exec)\b[^`\n]*\bpython\s")
"""A command that the interpreter of the image executes."""
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
class TestPages:
    def test_links_lead_to_files(self, page: Path) -> None:
        prose = CODE.sub("", page.read_text("utf-8"))
        links = [link for link in LINK.findall(prose) if ":" not in link]
        assert [link for link in links if not (page.parent / link).exists()] == []

    def test_commands_exist(self, page: Path) -> None:
        named = set(COMMAND.findall(page.read_text("utf-8")))
        # A later change adds commands without this page; what it names has to be there.
        assert named - get_commands().keys() == set()

    def test_one_interpreter_is_named(self, page: Path) -> None:
        here = FENCES.sub("", IN_CONTAINER.sub("", page.read_text("utf-8")))
        named = set(INTERPRETER.findall(here))
        is_on_path = "export PATH=$PWD/.venv-client/bin" in here
        assert named - ENVIRONMENTS - ({"python"} if is_on_path else set()) == set()


def test_the_contents_page_names_all_guides() -> None:
    contents = (GUIDES / "README.md").read_text("utf-8")
    guides = {page.name for page in GUIDES.glob("*.md")} - {"README.md"}
    assert guides - set(LINK.findall(contents)) == set()


class TestOutputs:
    @pytest.mark.parametrize(
        ("shown", "output", "fits"),
        [
            ("a\nb\n", "a\nb\n", True),
            ("a\nb\n", "a\nc\n", False),
            ("a\n", "a\nb\n", False),
            ("id …\n", "id 7f3\n", True),
            ("a\n…\nd\n", "a\nb\nc\nd\n", True),
            ("a\n…\nd\n", "a\nd\n", True),
            ("a\n…\nd\n", "a\nb\nc\n", False),
            ("…\nb\n…\n", "a\nb\nb\n", True),
        ],
    )
    def test_may_have_holes(self, shown: str, output: str, fits: bool) -> None:
        assert is_shown(shown, output) is fits

    def test_are_recorded_with_their_holes(self) -> None:
        shown = "id …\n…\ncalls 12, cost 0.5\nend\n"
        output = "id 7f3\none\ntwo\ncalls 14, cost 0.5\nthree\nend\n"
        assert recorded(shown, output) == "id …\n…\ncalls 14, cost 0.5\nthree\nend\n"
        assert is_shown(recorded(shown, output), output)
        assert recorded("", output) == output
