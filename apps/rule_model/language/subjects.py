"""What a sentence is about: names of people and places, topics, and the stems of words.

A name is two or three capitalised words, none of them a place's.
"""

import re
from collections.abc import Iterable

from apps.rule_model.content import english, patterns
from apps.rule_model.language.moments import MONTHS

_PATTERNS = {**patterns("names"), **patterns("topics")}
PERSON = _PATTERNS["person"].pattern
_NO_PERSON = english("not_names")
_EITHER = english("names_or_places")
_NOT_GIVEN = english("first_words")
TOPIC_WORDS_MIN, TOPIC_WORDS_MAX = 6, 12
# The share of a topic's words that a text about the same must hold.
SAME_TOPIC_SHARE = 0.75
# What a phrase begins with, so that a text may be cut before it.
_PHRASE = english("phrase_beginnings")
_EMPTY = english("empty_words")
_SUFFIXES = ("ning", "ting", "ming", "ping", "ings", "ing", "ies", "es", "s")
_STEM_MIN, _LONG_STEM = 3, 4
_NEWS_THAT, _PLAN_TO = "the news that ", "'s plan to "


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


def people_in(text: str) -> list[str]:
    """Return the full names in the text in order, each once."""
    found: dict[str, int] = {}
    for match in _PATTERNS["capitalised"].finditer(text):
        name = _person(match[0])
        if name and not _is_place(match, name) and not any(name in other for other in found):
            found[name] = match.start()
    return sorted(found, key=lambda name: (found[name], name))


def without_participants(activity: str, names: Iterable[str]) -> str:
    """Return the activity without the people of the names: "play chess with Ada Park"."""
    for name in names:
        activity = re.sub(rf"\s+with {re.escape(name)}\b", "", activity)
    return activity


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


def topic_of(core: str, subject: str) -> str:
    """Return what the sentence about the subject is about: "Ada Finch's book"."""
    said = core.removeprefix(subject).strip()
    going = _PATTERNS["going_to"].match(said)
    if going:
        return _placed(f"{going['whose']} {going['thing']}", said)
    doing = _PATTERNS["doing"].match(said)
    if subject and doing and doing["verb"] not in {"looking", "getting", "going"}:
        thing = f"{subject}'s {doing['thing']}"
        return _placed(thing, said) if _PATTERNS["place"].search(said) else thing
    plans = _PATTERNS["plans_to"].match(said)
    if subject and plans:
        return _short(f"{subject}{_PLAN_TO}{plans['plan']}")
    studies = _PATTERNS["studies"].match(said)
    if subject and studies:
        return f"{subject}'s {'studies' if studies['verb'] == 'studies' else 'teaching'}"
    other = _PATTERNS["ing"].match(said)
    whole = f"{subject} {said}".strip()
    return _short(f"{subject} {other['doing']}" if other else f"{_NEWS_THAT}{whole}").strip()


def place_in(text: str) -> str:
    """Return the place that the text names behind "at" or "in", "" for none."""
    for pattern in (_PATTERNS["place"], _PATTERNS["place_name"], _PATTERNS["common_place"]):
        for match in pattern.finditer(text):
            is_month = match["place"] in MONTHS
            if may_be_place(match["place"]) and not is_month:
                return match["place"].removesuffix("'s")
    return ""


def keys_of(topic: str) -> frozenset[str]:
    """Return the words by which a topic is known again: no names, no empty words."""
    topic = topic.removeprefix(_NEWS_THAT).replace(_PLAN_TO, " ")
    place = place_in(topic)
    plain = topic.replace(f" at {place}", "") if place else topic
    for name in people_in(plain):
        plain = plain.replace(f"{name}'s", " ").replace(name, " ")
    return stems_of(plain)


def is_about(text: str, keys: frozenset[str]) -> bool:
    """Return whether the text holds most of the words of a topic."""
    return bool(keys) and len(keys & stems_of(text)) >= SAME_TOPIC_SHARE * len(keys)


def stems_of(text: str) -> frozenset[str]:
    """Return the words of the text that have a meaning, without their endings."""
    words = (_stem(word.lower()) for word in _PATTERNS["word"].findall(text))
    return frozenset(word for word in words if word not in _EMPTY)


def long_stems_of(text: str) -> frozenset[str]:
    """Return the stems that are long enough to know a place or an object by."""
    return frozenset(stem for stem in stems_of(text) if len(stem) >= _LONG_STEM)


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _STEM_MIN:
            doubled = suffix in {"ning", "ting", "ming", "ping"}
            if doubled and word[-len(suffix) - 1] != suffix[0]:
                continue
            return word.removesuffix(suffix)
    return word


def _placed(thing: str, said: str) -> str:
    place = place_in(said)
    return f"{thing} at {place}" if place else thing


def _short(text: str) -> str:
    """Return the text without times, cut where a phrase begins if it is long."""
    words = _PATTERNS["cut"].sub("", text).split()
    if len(words) > TOPIC_WORDS_MAX:
        places = range(TOPIC_WORDS_MAX, TOPIC_WORDS_MIN - 1, -1)
        begins = (at for at in places if words[at] in _PHRASE or words[at - 1].endswith(","))
        words = words[: next(begins, TOPIC_WORDS_MAX)]
    return " ".join(words).rstrip(",")
