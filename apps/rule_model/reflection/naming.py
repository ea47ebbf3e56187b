"""Finds the names of people and places in what is remembered (stand-in).

A name is a run of capitalised words; what sort of name it is shows in its words and in
the word before it.
"""

import re
from collections.abc import Collection, Iterator

_RUN = r"[A-Z][\w-]+(?: [A-Z][\w-]+){1,2}"
_NAME = re.compile(rf"(?:\b(?P<before>[\w'-]+) )?\b(?P<name>{_RUN})\b")
# Whoever walks to somebody's house has not met them.
_HOME = re.compile(
    rf"\b{_RUN}(?: and {_RUN})?'s? (?=(?:apartment|bedroom|garden|home|house|kitchen|room)\b)"
)
_PLACE = re.compile(
    r"\b(?:The [A-Z][\w'-]* and )?(?:[A-Z][\w'-]* )+(?:Cafe|Caf\u00e9|Park|College|Dorm|Pub|"
    r"Bar|Store|Shop|Market|Pharmacy|Library|School|Museum|Theatre|Theater|Church|Hall|Square)\b"
    r"(?: and (?:Pharmacy|Bar|Store))?"
)
_SUBJECT = re.compile(rf"(?P<name>{_RUN}) (?=[a-z])")
_NO_PERSON = re.compile(
    r"\b(?:The|Day|Eve|Night|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Dorm|"
    r"Street|Road|Town)\b"
)
# "walking to Hobbs Cafe" leads to a place, "talking to Maria Lopez" to a person.
_BEFORE_PLACES = frozenset({"at", "in", "from", "near", "into"})


def people_in(text: str, known: Collection[str] = ()) -> list[str]:
    """Return the people named, each once, in the order of the text.

    `known` are names of people that may look like those of places: "Ryan Park".
    """
    without_places = _PLACE.sub(
        lambda match: match.group() if match.group() in known else " ", text
    )
    return list(dict.fromkeys(_people(without_places)))


def places_in(text: str, known: Collection[str] = ()) -> list[str]:
    """Return the public places named, each once, but for those known to be people."""
    found = (match.group() for match in _PLACE.finditer(text))
    return list(dict.fromkeys(place for place in found if place not in known))


def subject_of(text: str) -> str:
    """Return the name that the text begins with, "" where it begins with none."""
    match = _SUBJECT.match(text)
    return match["name"] if match else ""


def is_about(text: str, name: str) -> bool:
    """Return whether the person or place is the subject of what is said."""
    return text.startswith(f"{name} ")


def _people(text: str) -> Iterator[str]:
    for match in _NAME.finditer(_HOME.sub(" ", text)):
        if match["before"] in _BEFORE_PLACES or _NO_PERSON.search(match["name"]):
            continue
        yield match["name"]
