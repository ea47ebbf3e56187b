"""The sections of a template file, and the two messages that they make up (ADR 33).

They are ordered for prefix caches, by how seldom they change: "## common", "## agent" and
"## day", as many of them as the task needs and in this order, then "## task". The headings of
the first three stand for the files of the same names in the folder `sections`, so that their
text is the same in the prompts of all tasks; only "## task" has text in the file. The common
section is the system message, all others are the user message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import ClassVar

from apps.kernel.errors import SmallvilleError

COMMON, AGENT, DAY, TASK = "## common", "## agent", "## day", "## task"
SHARED = (COMMON, AGENT, DAY)
BETWEEN_SECTIONS = "\n\n"
# A variable belongs to the section that changes as seldom as the variable does. Each change
# ends the prefix that a server has in its cache: no time of day, no memories and no place here.
SECTION_VARIABLES: Mapping[str, frozenset[str]] = {
    COMMON: frozenset(),
    AGENT: frozenset({"agent_name", "summary"}),
    DAY: frozenset({"agent_name", "date", "agreements"}),
}


class InvalidPromptTemplate(SmallvilleError):
    """A prompt template does not fit its LLM task; change the file that the message names."""

    code: ClassVar[str] = "wording-broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The texts of the two messages and of the task alone, the file's note and headings.

    `user_sections` are the sections of the user message.
    """

    system: str
    user_sections: tuple[str, ...]
    task: str
    note: str
    headings: tuple[str, ...]

    @property
    def user(self) -> str:
        """The user message."""
        return BETWEEN_SECTIONS.join(self.user_sections)


def shared_texts(folder: Path) -> dict[str, str]:
    """Return the texts of the shared sections that the folder has, by heading."""
    files = {heading: folder / "sections" / f"{heading[3:]}.md" for heading in SHARED}
    return {
        heading: file.read_text(encoding="utf-8").strip()
        for heading, file in files.items()
        if file.exists()
    }


def read_sections(text: str, *, name: str, shared: Mapping[str, str]) -> Sections:
    """Return the sections of the file's text; `shared` are the shared ones by heading.

    :raises InvalidPromptTemplate: if a section is missing, has no or another text than it may
        have, or if a shared section has a variable that changes more often than it does.
    """
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.strip() in (*SHARED, TASK)]
    headings = [lines[start].strip() for start in starts]
    bodies = [
        "\n".join(lines[start + 1 : end]).strip()
        for start, end in pairwise([*starts, len(lines)])
    ]
    used = headings[:-1]
    if not used or tuple(headings) != (*SHARED[: len(used)], TASK):
        found = ", ".join(headings) or "none"
        raise InvalidPromptTemplate(
            f"{name} has the sections {found}: write “## common”, “## agent” and "
            "“## day”, as many as the task needs and in this order, then “## task”"
        )
    for heading, body in zip(used, bodies, strict=False):
        _check_shared(heading, body, name, shared)
    *_, task = bodies
    if not task:
        raise InvalidPromptTemplate(f"{name} has no text under “## task”: ask one thing there")
    common, *others = [shared[heading] for heading in used]
    return Sections(
        system=common,
        user_sections=(*others, task),
        task=task,
        headings=tuple(headings),
        note="\n".join(lines[: starts[0]]).strip(),
    )


def _check_shared(heading: str, body: str, name: str, shared: Mapping[str, str]) -> None:
    file = f"sections/{heading[3:]}.md"
    if body:
        raise InvalidPromptTemplate(
            f"{name} has text under “{heading}”: all tasks share that of {file}; move it "
            "there, or below “## task”"
        )
    if heading not in shared:
        raise InvalidPromptTemplate(f"{name} needs {file}, which does not exist")
    surplus = set(Template(shared[heading]).get_identifiers()) - SECTION_VARIABLES[heading]
    if surplus:
        raise InvalidPromptTemplate(
            f"{file} has {', '.join(sorted(surplus))}, which may change more often than the "
            "section: move it below “## task”"
        )
