"""What the stand-in can conclude from statements about one matter, person or place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from apps.rule_model.reflection.matters import Matter, Sort, matters_in
from apps.rule_model.reflection.naming import is_about, places_in
from apps.rule_model.reflection.phrases import (
    AWAITED,
    OTHERS_MATTER,
    OTHERS_PLACE,
    OWN_MATTER,
    OWN_PLACE,
    SHARED_DOING,
    SHARED_MATTER,
    TALK,
    TIE,
    TWO_MATTERS,
    Feeling,
    Ladder,
)
from apps.rule_model.reflection.reading import MENTIONS_MIN, Reading, Remark

_FEELINGS = (
    (Feeling.LOVE, r"\b(?:crush|in love|strong feelings|closer to|ask \w+ out)\b|is often on "),
    (
        Feeling.COLD,
        r"\b(?:dislikes?|annoying|coward|hates?|uncomfortable|pushy|aggressive|complaints?|"
        r"quarrel\w*|get along with|hard to bear|keep away|does not care for|unlikely to)\b",
    ),
    (
        Feeling.KIN,
        r"\b(?:husband|wife|married|son|daughter|father|mother|brother|sister|parents)\b|"
        r"\bcares a great deal|\bcomes first",
    ),
    (
        Feeling.WARM,
        r"\b(?:friends?|close|likes?|fond|kind-hearted|kind man|kind woman|favou?rite|looks up|"
        r"helped|glad to have|gets along well|count on)\b",
    ),
)
_FINDERS = tuple((feeling, re.compile(signs)) for feeling, signs in _FEELINGS)
_AWAITED = re.compile(
    r"(?:party|wedding|exhibition|concert|festival|competition|show|performance|premiere|"
    r"reunion|picnic|celebration|fair)$",
    re.IGNORECASE,
)
# What takes some devotion: a shopping list and a menu do not.
_DOING = re.compile(
    r" is (reading(?! (?:the|a) (?:menu|newspaper|handout|label)| messages| on\b)|"
    r"writing(?! (?:down|out|up|an order|to|the question)\b)|painting|drawing|studying|playing|"
    r"cooking|baking|rehearsing|composing|filming|exercising|gardening|teaching|sketching)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Something that can be concluded, with what it is concluded from."""

    ladder: Ladder
    fills: dict[str, str]
    remarks: tuple[Remark, ...]


def on_matter(reading: Reading, matter: Matter) -> Iterator[Thought]:
    """Yield what a person's own doings show of a matter."""
    own = reading.on(matter, reading.name)
    what = matter.phrase(reading.texts_about(reading.name))
    is_awaited = matter.sort is Sort.EVENT and _AWAITED.search(matter.noun)
    yield Thought(
        ladder=AWAITED if is_awaited else OWN_MATTER[matter.sort],
        fills={"who": reading.name, "what": what},
        remarks=tuple(own),
    )
    for other in reading.people:
        theirs = reading.on(matter, other)
        if own and theirs:
            yield Thought(
                ladder=SHARED_MATTER,
                fills={"who": reading.name, "other": other, "what": matter.phrase(iter(()))},
                remarks=(*own, *theirs),
            )
    yield from _on_two(reading, matter, what, own)


def on_person(reading: Reading, other: str) -> Iterator[Thought]:
    """Yield what statements that name somebody show of the tie, and of that person."""
    naming = reading.naming(other)
    fills = {"who": reading.name, "other": other}
    talks = [remark for remark in naming if remark.is_talk and reading.name in remark.people]
    if len(talks) >= MENTIONS_MIN:
        yield Thought(ladder=TALK, fills=fills, remarks=tuple(talks))
    yield Thought(ladder=TIE[_feeling(reading, naming)], fills=fills, remarks=tuple(naming))
    yield from _others_matters(reading, other)
    yield from _others_places(reading, other)
    yield from _shared_doings(reading, other)


def on_place(reading: Reading, place: str) -> Iterator[Thought]:
    """Yield what a person's own doings show of a place."""
    own = [
        remark
        for remark in reading.remarks
        if place in remark.text and is_about(remark.text, reading.name)
    ]
    yield Thought(
        ladder=OWN_PLACE, fills={"who": reading.name, "place": place}, remarks=tuple(own)
    )


def _on_two(
    reading: Reading, matter: Matter, what: str, own: list[Remark]
) -> Iterator[Thought]:
    """Yield that two matters compete, once both were thought over."""
    for more in reading.matters:
        others = reading.on(more, reading.name)
        if more == matter or not _was_thought_over(own) or not _was_thought_over(others):
            continue
        phrase = more.phrase(reading.texts_about(reading.name))
        yield Thought(
            ladder=TWO_MATTERS,
            fills={"who": reading.name, "what": what, "more": phrase},
            remarks=(*own, *others),
        )
        return


def _was_thought_over(remarks: list[Remark]) -> bool:
    return any(remark.is_reflection for remark in remarks)


def _feeling(reading: Reading, naming: list[Remark]) -> Feeling:
    """Return how the person stands to the other, by what is said of the person."""
    texts = [remark.text for remark in naming if reading.name in remark.people]
    for feeling, signs in _FINDERS:
        if any(map(signs.search, texts)):
            return feeling
    return Feeling.PLAIN


def _others_matters(reading: Reading, other: str) -> Iterator[Thought]:
    about = list(reading.texts_about(other))
    for matter in dict.fromkeys(found for text in about for found in matters_in(text)):
        if matter.sort is not Sort.EVENT:
            yield Thought(
                ladder=OTHERS_MATTER,
                fills={"who": reading.name, "other": other, "what": matter.phrase(iter(about))},
                remarks=tuple(reading.on(matter, other)),
            )


def _others_places(reading: Reading, other: str) -> Iterator[Thought]:
    about = [remark for remark in reading.remarks if is_about(remark.text, other)]
    places = (places_in(remark.text, reading.known_people) for remark in about)
    for place in dict.fromkeys(chain.from_iterable(places)):
        yield Thought(
            ladder=OTHERS_PLACE,
            fills={"who": reading.name, "other": other, "place": place},
            remarks=tuple(remark for remark in about if place in remark.text),
        )


def _shared_doings(reading: Reading, other: str) -> Iterator[Thought]:
    own, theirs = _doings(reading, reading.name), _doings(reading, other)
    for doing in sorted(own.keys() & theirs.keys()):
        yield Thought(
            ladder=SHARED_DOING,
            fills={"who": reading.name, "other": other, "doing": doing},
            remarks=(*own[doing], *theirs[doing]),
        )


def _doings(reading: Reading, who: str) -> dict[str, list[Remark]]:
    found: dict[str, list[Remark]] = {}
    for remark in reading.remarks:
        doing = (
            _DOING.match(remark.text.removeprefix(who)) if is_about(remark.text, who) else None
        )
        if doing:
            found.setdefault(doing.group(1), []).append(remark)
    return found
