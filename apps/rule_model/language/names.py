"""Names of people in sentences: two or three capitalised words, none of them a place's."""

import re
from collections.abc import Iterable

from apps.rule_model.language.words import english, patterns

_PATTERNS = patterns("names")
PERSON = _PATTERNS["person"].pattern
_NO_PERSON = english("not_names")
_EITHER = english("names_or_places")
_NOT_GIVEN = english("first_words")


def straight(text: str) -> str:
    """Return the text with the straight apostrophes that all patterns here have."""
    return text.replace("\u2019", "'")


def first_name(name: str) -> str:
    """Return the given name: "Ada Finch" -> "Ada"."""
    return name.partition(" ")[0]


def _is_place(match: re.Match[str], name: str) -> bool:
    """Whether a name such as "Anna Park" is a place here: where one is or goes."""
    last = name.rpartition(" ")[2]
    before = match.string[: match.start()]
    return last in _EITHER and _PATTERNS["where"].search(before) is not None


def people_in(text: str, known: Iterable[str] = ()) -> list[str]:
    """Return the full names of people in the text, in order, each once.

    `known` are names to find whatever they look like.
    """
    found = {name: text.index(name) for name in known if name and name in text}
    for match in _PATTERNS["capitalised"].finditer(text):
        name = _person(match[0])
        if name and not _is_place(match, name) and not any(name in other for other in found):
            found[name] = match.start()
    return sorted(found, key=lambda name: (found[name], name))


def may_be_place(name: str) -> bool:
    """Whether the capitalised words may name a place, as those behind "at" do."""
    return name.rpartition(" ")[2] in _EITHER or not people_in(name)


def subject_of(sentence: str, known: Iterable[str] = ()) -> str:
    """Return the name that the sentence begins with, "" when it begins with none."""
    begins = [name for name in known if name and sentence.startswith(f"{name} ")]
    if begins:
        return max(begins, key=len)
    match = _PATTERNS["subject"].match(sentence)
    return match[1] if match and _person(match[1]) == match[1] else ""


def with_full_names(text: str, names: Iterable[str]) -> str:
    """Return the text with given names that stand alone made full."""
    for name in names:
        given, _, rest = name.partition(" ")
        if rest:
            text = re.sub(rf"\b{re.escape(given)}\b(?! [A-ZÀ-Þ])", name, text)
    return text


def _person(words: str) -> str:
    """Return the name without what a sentence begins with, "" if it is no person's."""
    parts = words.split(" ")
    while parts and parts[0] in _NOT_GIVEN:
        parts = parts[1:]
    if not 2 <= len(parts) <= 3 or _NO_PERSON.intersection(parts):
        return ""
    return " ".join(parts)
