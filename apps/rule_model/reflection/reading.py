"""What the stand-in makes of a list of statements: whom, what and where they are about."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from apps.memory.events import MemoryKind
from apps.reflection.chains.statements import Statement
from apps.reflection.rules import normalised
from apps.rule_model.reflection.matters import Matter, matters_in
from apps.rule_model.reflection.naming import is_about, people_in, places_in, subject_of

# Once is chance: what is thought over was met with more often.
MENTIONS_MIN = 2

_Named = TypeVar("_Named")

_TALK = re.compile(
    r"\b(?:talk|chat|convers|discuss)\w*|\b(?:said|says|told|tells|asked|asks|invited)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A statement by its number in the list, with the people whom it names."""

    number: int
    text: str
    importance: int
    is_reflection: bool
    people: tuple[str, ...]

    @property
    def is_talk(self) -> bool:
        """Whether it tells of words that were exchanged."""
        return _TALK.search(self.text) is not None


class Reading:
    """The statements as read for one person; everything in it comes from them."""

    def __init__(self, name: str, statements: Sequence[Statement]) -> None:
        """Read them; they are numbered from 1, as the list shows them."""
        self.name = name
        # A place that is told of as a subject is what the memory is about, too.
        self.known_people = {name} | {
            subject_of(statement.description)
            for statement in statements
            if not statement.description.startswith(statement.subject or " ")
        }
        self.remarks = [
            Remark(
                number=number,
                text=" ".join(statement.description.split()),
                importance=statement.importance,
                is_reflection=statement.kind is MemoryKind.REFLECTION,
                people=tuple(people_in(statement.description, self.known_people)),
            )
            for number, statement in enumerate(statements, start=1)
        ]
        self._said = {normalised(remark.text) for remark in self.remarks}

    def has(self, statement: str) -> bool:
        """Return whether that is what one of the statements says already."""
        return normalised(statement) in self._said

    @cached_property
    def people(self) -> list[str]:
        """The other people, those who matter most first."""
        others = {who for remark in self.remarks for who in remark.people} - {self.name}
        return self._heaviest(sorted(others), lambda who, remark: who in remark.people)

    @cached_property
    def places(self) -> list[str]:
        """The places that the person is told to be or go to, the weightiest first."""
        named = {
            place
            for text in self.texts_about(self.name)
            for place in places_in(text, self.known_people)
        }
        return self._heaviest(
            sorted(named),
            lambda place, remark: place in remark.text and is_about(remark.text, self.name),
        )

    @cached_property
    def matters(self) -> list[Matter]:
        """What the person is about, the weightiest first."""
        found = {
            matter: None
            for remark in self.remarks
            if is_about(remark.text, self.name)
            for matter in matters_in(remark.text)
        }
        return self._heaviest(
            _without_parts(found), lambda matter, remark: matter.is_in(remark.text)
        )

    def on(self, matter: Matter, who: str) -> list[Remark]:
        """Return what is said of the matter with that person as the subject."""
        return [
            remark
            for remark in self.remarks
            if is_about(remark.text, who) and matter.is_in(remark.text)
        ]

    def naming(self, who: str) -> list[Remark]:
        """Return what is said that names the person."""
        return [remark for remark in self.remarks if who in remark.people]

    def texts_about(self, who: str) -> Iterator[str]:
        """Yield what is said with that person as the subject."""
        return (remark.text for remark in self.remarks if is_about(remark.text, who))

    def _heaviest(
        self, named: Iterable[_Named], is_in: Callable[[_Named, Remark], bool]
    ) -> list[_Named]:
        """Return what is met with often enough, by how much that matters.

        What was reflected on before weighs less, so that the next thing gets its turn.
        """
        weights: dict[_Named, float] = {}
        for one in named:
            found = [remark for remark in self.remarks if is_in(one, remark)]
            if len(found) >= MENTIONS_MIN:
                before = sum(remark.is_reflection for remark in found)
                weights[one] = sum(remark.importance for remark in found) / (1 + before)
        return sorted(weights, key=weights.__getitem__, reverse=True)


def _without_parts(matters: Iterable[Matter]) -> list[Matter]:
    """Return the matters, of each the fullest name: "research paper" and not "paper"."""
    by_noun: dict[str, Matter] = {}
    for matter in matters:
        by_noun.setdefault(matter.stem, matter)
    return [
        matter
        for noun, matter in by_noun.items()
        if not any(other.endswith(f" {noun}") for other in by_noun)
    ]
