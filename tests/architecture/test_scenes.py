"""The page of scenes names tests that exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/scenes.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)((?:::\w+)+)`")


def defined_in(path: Path) -> set[str]:
    """Return the tests of a module as "::Class::test" or "::test"."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(f"::{node.name}")
        if isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef))
            found |= {f"::{node.name}::{method.name}" for method in methods}
    return found


def test_each_scene_has_a_test() -> None:
    rows = [row for row in PAGE.read_text("utf-8").splitlines() if row.startswith("| ")][1:]
    named = [TEST.search(row) for row in rows]
    assert all(named), "a row names no test"
    missing = [
        "".join(one.groups())
        for one in named
        if one is not None and one[2] not in defined_in(ROOT / one[1])
    ]
    assert missing == []
