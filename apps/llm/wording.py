"""Wording of prompts: .md files with named placeholders, checked when they are loaded.

A file has a note for its readers, then the sections "## system" and "## user".
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import ClassVar, Self

from apps.kernel.errors import SmallvilleError
from apps.llm.cleaning import clean_text
from apps.llm.port import Message, Messages

SECTIONS = ("## system", "## user")
VERSION_DIGITS = 12
_PREAMBLE_FILE = Path(__file__).parent / "prompts" / "preamble.md"


class WordingBroken(SmallvilleError):
    """A prompt's wording and what its chain fills do not fit; mend the file it names."""

    code: ClassVar[str] = "wording-broken"


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of one chain's prompt.

    `version` is the beginning of the sha256 of preamble and file: it changes exactly
    when what the model reads changes, or the `note` on it that readers of the file see.
    """

    name: str
    version: str
    placeholders: frozenset[str]
    system: Template
    user: Template
    note: str = ""

    @classmethod
    def load(cls, path: Path, *, fills: Collection[str]) -> Self:
        """Return the wording that the file holds.

        `fills` names what the chain will fill; it must be exactly what the file and the
        preamble ask for.

        :raises WordingBroken: if it is not, or if the file lacks a section.
        """
        text = path.read_text(encoding="utf-8")
        return cls.parse(text, fills=fills, preamble=preamble(), name=path.name)

    @classmethod
    def parse(
        cls, text: str, *, fills: Collection[str], preamble: str, name: str = "wording"
    ) -> Self:
        """Return the wording that the text holds; see `load`."""
        system, user = _sections(text, name)
        templates = (Template(f"{preamble}\n\n{system}".strip()), Template(user))
        placeholders = _placeholders(templates, name)
        _refuse_difference(placeholders, fills, name)
        version = sha256(f"{preamble}\n{text}".encode()).hexdigest()[:VERSION_DIGITS]
        note = text.partition(SECTIONS[0])[0].strip()
        return cls(name, version, placeholders, *templates, note=note)

    def fill(self, values: Mapping[str, str]) -> Messages:
        """Return the messages with every placeholder filled.

        :raises WordingBroken: if a value is missing or has no place.
        """
        _refuse_difference(self.placeholders, values.keys(), self.name)
        clean = {name: clean_text(value) for name, value in values.items()}
        return (
            Message("system", self.system.substitute(clean)),
            Message("user", self.user.substitute(clean)),
        )


def preamble() -> str:
    """Return what every prompt opens with."""
    return _PREAMBLE_FILE.read_text(encoding="utf-8").strip()


def _sections(text: str, name: str) -> tuple[str, str]:
    """Return what stands under "## system" and under "## user", in this order."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.strip() in SECTIONS]
    if tuple(lines[start].strip() for start in starts) != SECTIONS:
        raise WordingBroken(
            f"{name} needs the lines “## system” and “## user”, once each and in this order"
        )
    system = "\n".join(lines[starts[0] + 1 : starts[1]]).strip()
    user = "\n".join(lines[starts[1] + 1 :]).strip()
    if not user:
        raise WordingBroken(f"{name} says nothing under “## user”: ask one thing there")
    return system, user


def _placeholders(templates: tuple[Template, Template], name: str) -> frozenset[str]:
    for template in templates:
        if not template.is_valid():
            raise WordingBroken(
                f"{name} has a dollar sign that names nothing: write $$ for a plain one"
            )
    return frozenset(
        identifier for template in templates for identifier in template.get_identifiers()
    )


def _refuse_difference(asked: Collection[str], filled: Collection[str], name: str) -> None:
    missing, surplus = sorted(set(asked) - set(filled)), sorted(set(filled) - set(asked))
    if missing:
        raise WordingBroken(f"{name} asks for {', '.join(missing)}: its chain must fill them")
    if surplus:
        raise WordingBroken(f"{name} has no place for {', '.join(surplus)}")
