"""README and how-to guides as programs: their blocks, and whether an output is the one shown.

A block of `bash` is executed. A block of `json`, `csv` or `text` behind it is its output, in
which `…` stands for any text of a line, and on a line of its own for any number of lines. A
block with a file name behind its language is that file, in the folder of SMALLVILLE_HOME. A
block behind the comment `<!-- not run: REASON -->` is none of these.
"""

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs" / "how_to"
PAGES = (ROOT / "README.md", *sorted(set(HOW_TO.glob("*.md")) - {HOW_TO / "README.md"}))
OUTPUTS = frozenset({"json", "csv", "text"})
HOLE = "…"
ALIKE_MIN = 0.6
"""From this ratio on, a line of an output is a changed one of those shown."""
_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)?"
    r"```(?P<language>\w*) ?(?P<file>[^\n]*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page; `start` and `end` are the place of its text in the page."""

    language: str
    file: str
    text: str
    reason: str
    start: int
    end: int

    @property
    def is_command(self) -> bool:
        """Whether it is executed."""
        return self.language == "bash" and not self.reason

    @property
    def is_output(self) -> bool:
        """Whether it is the output of the command before it."""
        return self.language in OUTPUTS and not self.reason


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    return [
        Block(
            found["language"],
            found["file"],
            found["text"],
            found["reason"] or "",
            found.start("text"),
            found.end("text"),
        )
        for found in _BLOCK.finditer(page.read_text("utf-8"))
    ]


def write_files(page: Path, home: Path) -> None:
    """Write the files that the page shows."""
    for block in blocks_of(page):
        if block.file:
            path = home / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")


def is_shown(shown: str, output: str) -> bool:
    """Return whether the output is the one that is shown, holes aside."""
    lines = output.splitlines()
    places = {0}
    for line in shown.splitlines():
        if line.strip() == HOLE:
            places = set(range(min(places), len(lines) + 1))
        else:
            places = {at + 1 for at in places if at < len(lines) and _fits(line, lines[at])}
        if not places:
            return False
    return len(lines) in places


def difference(shown: str, output: str) -> str:
    """Return the lines of the two that differ."""
    lines = difflib.unified_diff(
        shown.splitlines(), output.splitlines(), "shown", "real", lineterm="", n=1
    )
    return "\n".join(lines)


def recorded(shown: str, output: str) -> str:
    """Return the output in the form that is shown: with its holes where they were."""
    lines, kept, at, is_hole = output.splitlines(), list[str](), 0, not shown
    if is_hole:
        return "".join(f"{line}\n" for line in lines)
    for line in shown.splitlines():
        if line.strip() == HOLE:
            is_hole, hole = True, line
            continue
        found = _counterpart(line, lines[at:])
        if found is None:
            continue
        kept += [hole] if is_hole and found else lines[at : at + found]
        kept.append(_with_holes(line, lines[at + found]))
        at, is_hole = at + found + 1, False
    kept += [hole] if is_hole and at < len(lines) else lines[at:]
    return "".join(f"{line}\n" for line in kept)


def _fits(shown: str, line: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, shown.split(HOLE))), line) is not None


def _counterpart(shown: str, lines: list[str]) -> int | None:
    """Return the number of the line that is the shown one, or that one changed."""
    fitting = next((at for at, line in enumerate(lines) if _fits(shown, line)), None)
    if fitting is not None:
        return fitting
    alike = [difflib.SequenceMatcher(None, shown, line).ratio() for line in lines]
    best = max(alike, default=0.0)
    return alike.index(best) if best >= ALIKE_MIN else None


def _with_holes(shown: str, line: str) -> str:
    if _fits(shown, line):
        return shown
    first, *_, last = shown.split(HOLE) if HOLE in shown else (line, line)
    is_framed = HOLE in shown and line.startswith(first) and line.endswith(last)
    return f"{first}{HOLE}{last}" if is_framed else line
