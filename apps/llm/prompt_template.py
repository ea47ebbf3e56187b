"""Prompt templates: .md files whose placeholders are trusted text or quoted data.

A file has a note for its readers, then the sections "## system" and "## user". A placeholder
for data stands in the user section, alone between <quoted source="..."> and </quoted>; a
template in which it stands elsewhere cannot be loaded. So text of users, world files and
models reaches a prompt as data only (L7).
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import ClassVar, Self

from apps.kernel.errors import SmallvilleError
from apps.llm.port import Message, Messages
from apps.llm.prompt_values import Data, PromptValue, Trusted
from apps.llm.quoting import NOTHING, harmless, harmless_line, harmless_list

SECTIONS = ("## system", "## user")
VERSION_DIGITS = 12
# One folder for each set of templates; the templates of other languages stand beside it.
ENGLISH = Path(__file__).parent / "prompts" / "english"
PREAMBLE = "preamble"
_OPENING, _CLOSING = "<quoted", "</quoted>"
_QUOTED = re.compile(r'<quoted source="([^"<>\n]*)">(.*?)</quoted>', re.DOTALL)
_ALONE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


class InvalidPromptTemplate(SmallvilleError):
    """A prompt template and the values of its chain do not fit; change the file it names."""

    code: ClassVar[str] = "wording-broken"


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """The template of one chain's prompt.

    `trusted` and `data` are the names of the placeholders of each kind; those in `lines` are
    data that stands within a line, and is kept on that line. `version` is the beginning of
    the sha256 of preamble and file: it changes exactly when the template changes, or the
    `note` on it that readers of the file see.
    """

    name: str
    version: str
    trusted: frozenset[str]
    data: frozenset[str]
    lines: frozenset[str]
    system: Template
    user: Template
    note: str = ""

    @classmethod
    def load(cls, name: str, *, trusted: Collection[str], folder: Path = ENGLISH) -> Self:
        """Return the template "app/task" of the folder, with the preamble before it.

        `trusted` are its trusted placeholders; all others are data.

        :raises InvalidPromptTemplate: if a trusted placeholder or a section is missing, or if
            data stands outside a quoted section.
        """
        path = _file_of(name, folder)
        text = path.read_text(encoding="utf-8")
        placeholders = Template(f"{preamble()}\n{text}").get_identifiers()
        data = set(placeholders) - set(trusted)
        return cls.parse(text, trusted=trusted, data=data, preamble=preamble(), name=path.name)

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        trusted: Collection[str],
        data: Collection[str] = (),
        preamble: str,
        name: str = "wording",
    ) -> Self:
        """Return the template of the text, whose placeholders are `trusted` and `data`."""
        system, user = _sections(text, name)
        templates = (Template(f"{preamble}\n\n{system}".strip()), Template(user))
        _refuse_difference(_placeholders(templates, name), {*trusted, *data}, name)
        _refuse_both(set(trusted) & set(data), name)
        _refuse_unquoted(templates[0].get_identifiers(), data, name)
        lines = frozenset(_data_within_lines(user, data, name))
        version = sha256(f"{preamble}\n{text}".encode()).hexdigest()[:VERSION_DIGITS]
        note = text.partition(SECTIONS[0])[0].strip()
        return cls(
            name, version, frozenset(trusted), frozenset(data), lines, *templates, note=note
        )

    def fill(self, values: Mapping[str, PromptValue]) -> Messages:
        """Return the messages with every placeholder filled.

        :raises InvalidPromptTemplate: if a value is missing, has no placeholder, or is not of
            its kind.
        """
        _refuse_difference(self.trusted | self.data, values.keys(), self.name)
        texts = {name: self._text(name, value) for name, value in values.items()}
        return (
            Message("system", self.system.substitute(texts)),
            Message("user", self.user.substitute(texts)),
        )

    def _text(self, name: str, value: PromptValue) -> str:
        if isinstance(value, Trusted):
            if name not in self.trusted:
                raise InvalidPromptTemplate(f"{self.name} has {name} as data: pass data()")
            return value.text
        if name not in self.data:
            raise InvalidPromptTemplate(
                f"{self.name} has {name} outside quoted sections: it is trusted"
            )
        return self._quotable(name, value)

    def _quotable(self, name: str, value: Data) -> str:
        if value.is_list:
            if name in self.lines:
                raise InvalidPromptTemplate(f"{self.name} has the list {name} within a line")
            return harmless_list(value.texts)
        [text] = value.texts
        shown = harmless_line(text) if name in self.lines else harmless(text)
        return shown or NOTHING


def preamble() -> str:
    """Return what every prompt opens with."""
    return _file_of(PREAMBLE, ENGLISH).read_text(encoding="utf-8").strip()


def _file_of(name: str, folder: Path) -> Path:
    return folder / f"{name}.md"


def _sections(text: str, name: str) -> tuple[str, str]:
    """Return what stands under "## system" and under "## user", in this order."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.strip() in SECTIONS]
    if tuple(lines[start].strip() for start in starts) != SECTIONS:
        raise InvalidPromptTemplate(
            f"{name} needs the lines “## system” and “## user”, once each and in this order"
        )
    system = "\n".join(lines[starts[0] + 1 : starts[1]]).strip()
    user = "\n".join(lines[starts[1] + 1 :]).strip()
    if not user:
        raise InvalidPromptTemplate(f"{name} says nothing under “## user”: ask one thing there")
    return system, user


def _placeholders(templates: tuple[Template, Template], name: str) -> frozenset[str]:
    for template in templates:
        if not template.is_valid():
            raise InvalidPromptTemplate(
                f"{name} has a dollar sign that names nothing: write $$ for a plain one"
            )
    return frozenset(
        identifier for template in templates for identifier in template.get_identifiers()
    )


def _data_within_lines(user: str, data: Collection[str], name: str) -> Iterator[str]:
    """Yield the data placeholders that share a line with the tags around them.

    :raises InvalidPromptTemplate: if data stands elsewhere than alone in a quoted section.
    """
    for section in _QUOTED.finditer(user):
        source, body = section.groups()
        _refuse_unquoted(Template(source).get_identifiers(), data, name)
        found = _ALONE.fullmatch(body.strip())
        placeholder = (found[1] or found[2]) if found else ""
        if placeholder not in data:
            raise InvalidPromptTemplate(
                f"{name} has a quoted section that is not one placeholder for data: "
                f"{section[0][:80]!r}"
            )
        if "\n" not in body:
            yield placeholder
    outside = _QUOTED.sub("", user)
    if _OPENING in outside or _CLOSING in outside:
        raise InvalidPromptTemplate(
            f'{name} has a tag that is not <quoted source="…">…</quoted>'
        )
    _refuse_unquoted(Template(outside).get_identifiers(), data, name)


def _refuse_unquoted(placeholders: Collection[str], data: Collection[str], name: str) -> None:
    unquoted = sorted(set(placeholders) & set(data))
    if unquoted:
        raise InvalidPromptTemplate(
            f"{name} has {', '.join(unquoted)} outside a quoted section of the user message: "
            'data stands between <quoted source="…"> and </quoted> only'
        )


def _refuse_both(names: Collection[str], wording: str) -> None:
    if names:
        raise InvalidPromptTemplate(
            f"{wording} has {', '.join(sorted(names))} as trusted and as data"
        )


def _refuse_difference(asked: Collection[str], filled: Collection[str], name: str) -> None:
    missing, surplus = sorted(set(asked) - set(filled)), sorted(set(filled) - set(asked))
    if missing:
        raise InvalidPromptTemplate(
            f"{name} asks for {', '.join(missing)}: its chain must fill them"
        )
    if surplus:
        raise InvalidPromptTemplate(f"{name} has no place for {', '.join(surplus)}")
