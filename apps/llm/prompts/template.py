"""Prompt templates: .md files whose placeholders are trusted text or quoted data.

A file has a note for its readers, then sections (`sections`). A placeholder for data
must be in the user message, alone between <quoted source="..."> and </quoted>, so that text of
users, world files and models is in a prompt as data only (L7).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Self

from apps.kernel.language import phrase
from apps.llm.port import Message, Messages
from apps.llm.prompts.quoting import NOTHING, harmless, harmless_line, harmless_list
from apps.llm.prompts.sections import (
    BETWEEN_SECTIONS,
    InvalidPromptTemplate,
    read_sections,
    shared_texts,
)
from apps.llm.prompts.values import Data, PromptValue, Trusted

VERSION_DIGITS = 12
_OPENING, _CLOSING = "<quoted", "</quoted>"
_QUOTED = re.compile(r'<quoted source="([^"<>\n]*)">(.*?)</quoted>', re.DOTALL)
_ALONE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """The template of the prompt of one LLM task.

    `trusted` and `data` are the names of the placeholders of each kind; those in `lines` are
    data within a line, which stays on one line. `version` is the name of the template's set
    and the beginning of the sha256 of its messages: "en/0123456789ab". `user` are the sections
    of the user message. `task` is the text of the task section, `note` what the file says to
    its readers, `sections` are the headings.
    """

    name: str
    version: str
    trusted: frozenset[str]
    data: frozenset[str]
    lines: frozenset[str]
    system: Template
    user: tuple[Template, ...]
    task: str = ""
    note: str = ""
    sections: tuple[str, ...] = ()

    @classmethod
    def load(cls, name: str, *, trusted: Collection[str], folder: Path, set_name: str) -> Self:
        """Return the template "app/task" of the folder of a set.

        `trusted` are the placeholders that are trusted where they are used; all others are
        data.

        :raises InvalidPromptTemplate: if a section is missing, or if data stands outside a
            quoted section.
        """
        path = folder / f"{name}.md"
        return cls.parse(
            path.read_text(encoding="utf-8"),
            trusted=trusted,
            shared=shared_texts(folder),
            name=path.name,
            set_name=set_name,
        )

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        trusted: Collection[str],
        shared: Mapping[str, str],
        name: str = "template",
        set_name: str = "",
    ) -> Self:
        """Return the template of the text; `shared` are the shared sections by heading.

        Placeholders that are not in `trusted` are data.
        """
        sections = read_sections(text, name=name, shared=shared)
        system, *user = map(Template, (sections.system, *sections.user_sections))
        placeholders = _placeholders((system, *user), name)
        data = placeholders - set(trusted)
        _check_quoted(system.get_identifiers(), data, name)
        messages = f"{sections.system}\n{sections.user}"
        digest = sha256(messages.encode()).hexdigest()[:VERSION_DIGITS]
        return cls(
            name,
            f"{set_name}/{digest}",
            placeholders & set(trusted),
            data,
            frozenset(_data_within_lines(sections.user, data, name)),
            system,
            tuple(user),
            task=sections.task,
            note=sections.note,
            sections=sections.headings,
        )

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of all placeholders."""
        return self.trusted | self.data

    def fill(self, values: Mapping[str, PromptValue]) -> Messages:
        """Return the messages with every placeholder filled.

        :raises InvalidPromptTemplate: if a value is missing, has no placeholder, or is not of
            its kind.
        """
        _check_placeholders(self.placeholders, values.keys(), self.name)
        texts = {name: self._text(name, value) for name, value in values.items()}
        return (
            Message("system", self.system.substitute(texts)),
            _user_message([section.substitute(texts) for section in self.user]),
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
        return shown or phrase(NOTHING)


def _user_message(sections: Sequence[str]) -> Message:
    *before, task = sections
    parts = (*(f"{section}{BETWEEN_SECTIONS}" for section in before), task)
    return Message("user", "".join(parts), sections=parts)


def _placeholders(templates: Iterable[Template], name: str) -> frozenset[str]:
    for template in templates:
        if not template.is_valid():
            raise InvalidPromptTemplate(
                f"{name} has a dollar sign without a name: write $$ for a plain one"
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
        _check_quoted(Template(source).get_identifiers(), data, name)
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
    _check_quoted(Template(outside).get_identifiers(), data, name)


def _check_quoted(placeholders: Collection[str], data: Collection[str], name: str) -> None:
    unquoted = sorted(set(placeholders) & set(data))
    if unquoted:
        raise InvalidPromptTemplate(
            f"{name} has {', '.join(unquoted)} outside a quoted section of the user message: "
            'data stands between <quoted source="…"> and </quoted> only'
        )


def _check_placeholders(wanted: Collection[str], filled: Collection[str], name: str) -> None:
    missing, surplus = sorted(set(wanted) - set(filled)), sorted(set(filled) - set(wanted))
    if missing:
        raise InvalidPromptTemplate(
            f"{name} asks for {', '.join(missing)}: its LLM task must fill them"
        )
    if surplus:
        raise InvalidPromptTemplate(f"{name} has no place for {', '.join(surplus)}")
