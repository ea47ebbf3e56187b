"""What docstrings, tests and pages cite is in the repository, or is the paper."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "docs" / "requirements.md"
FOLDERS = ("apps", "benchmarks", "docs", "tests", "tools")
IN_BRACKETS = re.compile(r"\(([^()\"`']*)\)")
CODE = re.compile(r"(?<![\w*.])([ADELMOPRSUVWX]\d)(?=[,;:\-)\s]|$)")
PRECISION = "P5"  # the precision of the first five, in benchmarks and decisions
ABSENT = re.compile(r"\bdesign(?:\.md)?,?\s(?:section\s)?\d|[( ]of the report\)|\(section \d")


def texts() -> dict[Path, str]:
    """Return the sources and pages by path."""
    paths = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
    for folder in FOLDERS:
        paths += [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.md")]
    return {path: path.read_text("utf-8") for path in paths}


def test_each_requirement_that_is_cited_is_described() -> None:
    described = set(re.findall(r"^\| ([A-Z]\d) \|", REQUIREMENTS.read_text("utf-8"), re.M))
    assert len(described) > 50
    cited = {
        (code, str(path.relative_to(ROOT)))
        for path, text in texts().items()
        for bracket in IN_BRACKETS.findall(text)
        for code in CODE.findall(bracket)
    }
    assert {code for code, _ in cited} > {"M4", "W5", "V2"}
    assert sorted(one for one in cited if one[0] not in {*described, PRECISION}) == []


def test_no_section_of_an_absent_document_is_cited() -> None:
    cited = {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path, text in texts().items()
        if path != Path(__file__)
        for found in ABSENT.finditer(text)
        if "paper" not in text[max(0, found.start() - 60) : found.end() + 20]
    }
    assert sorted(cited) == []
