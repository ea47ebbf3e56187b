"""Reads the phrases of a description: what an agent usually does, when, where and how often.

Patterns of English find times and clauses: "copies the psalter from 8:00 am to 11:30 am".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.language import moments
from apps.rule_model.language.grammar import as_infinitive

_PATTERNS = patterns("phrases")
_PARTS: dict[str, list[int]] = vocabulary("phrases_english")["parts_of_day"]
_CLOCKS = patterns("clocks")
_HOURS: dict[str, str] = vocabulary("phrases_english")["hours_in_words"]
_INSTEAD: dict[str, str] = vocabulary("phrases_english")["clocks"]
_OFTEN = {"sometimes": 0.35, "nearly": 0.85, "often": 0.7}
MEALS = ("breakfast", "lunch", "dinner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """Something that is usually done: an infinitive, with times where they are said.

    `phrase` is the clause as it was written; `often` the share of the days; `meal` is
    "breakfast", "lunch", "dinner" or "".
    """

    activity: str
    phrase: str
    start: int | None = None
    end: int | None = None
    often: float = 1.0
    meal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What the phrases of a description say of an agent's days.

    `pursuits` are in progress form ("writing a book"); `dated` are phrases that name a day.
    """

    habits: tuple[Habit, ...]
    pursuits: tuple[str, ...]
    occupation: str
    dated: tuple[str, ...]


def description_of(
    name: str, memories: Iterable[MemoryItem], day: date, lasting: Iterable[str] = ()
) -> Description:
    """Return what the phrases of the description and the lasting facts say of such a day."""
    phrases = (
        memory.description for memory in memories if memory.origin is MemoryOrigin.DESCRIPTION
    )
    return description_of_texts(name, (*lasting, *phrases), day)


def description_of_texts(name: str, texts: Iterable[str], day: date) -> Description:
    """Return what the texts say of such a day."""
    sentences = own_sentences(name, texts)
    dated = tuple(one for one in sentences if moments.when_in(one, day).day is not None)
    # A weekday is a habit of those days; a date is an appointment.
    plain = [one for one in sentences if one not in dated or _PATTERNS["on_days"].search(one)]
    today = [one for one in plain if _applies(one, day)]
    return Description(
        habits=tuple(habit for sentence in today for habit in _habits(sentence)),
        pursuits=tuple(dict.fromkeys(p for one in sentences for p in _pursuits(one))),
        occupation=next((one for s in sentences for one in _occupations(s)), ""),
        dated=tuple(one for one in dated if not _PATTERNS["on_days"].search(one)),
    )


def has_habit(said: str) -> bool:
    """Return whether the sentence says at which time or on which days something is done."""
    said = in_figures(said.strip())
    is_of_days = _PATTERNS["on_days"].search(said) is not None
    return any(is_of_days or habit.start is not None for habit in _habits(said))


def own_sentences(name: str, texts: Iterable[str]) -> list[str]:
    """Return the sentences about the agent, without the name, each once."""
    called = "|".join(re.escape(one) for one in (name, name.partition(" ")[0]))
    subject = re.compile(rf"(?:{called}|He|She|They) (?P<told>.+)")
    sentences = (one for text in texts for one in _PATTERNS["sentences"].split(text))
    matches = (subject.match(" ".join(one.split())) for one in sentences)
    return list(dict.fromkeys(in_figures(match["told"]) for match in matches if match))


def in_figures(text: str) -> str:
    """Return the text with its times in figures: "from nine to noon" is "from 9 am to noon"."""
    text = _CLOCKS["hour_in_words"].sub(lambda match: match[1] + _HOURS[match[2].lower()], text)
    for name, instead in _INSTEAD.items():
        text = _CLOCKS[name].sub(instead, text)
    return text


def without_times(text: str) -> str:
    """Return the text without times of day and without what depends on them."""
    text = _PATTERNS["times"].sub("", _PATTERNS["part"].sub("", text))
    for pattern in (_PATTERNS["on_days"], _PATTERNS["on_weekdays"], _PATTERNS["on_weekends"]):
        text = pattern.sub("", text)
    return " ".join(text.split()).strip(" ,.")


def _applies(sentence: str, day: date) -> bool:
    named = "".join(match[0].lower() for match in _PATTERNS["on_days"].finditer(sentence))
    if named and moments.WEEKDAYS[day.weekday()].lower() not in named:
        return False
    is_weekend = day.weekday() >= 5
    wrong = _PATTERNS["on_weekdays"] if is_weekend else _PATTERNS["on_weekends"]
    return wrong.search(sentence) is None


def _habits(sentence: str) -> Iterator[Habit]:
    """Return the clauses that say when something is done, and those that say where."""
    told: list[Habit] = []
    for clause in _clauses(sentence):
        match = _PATTERNS["times"].search(clause)
        if match is not None and match["until"] and told and told[-1].end is None:
            until, start = moments.minute_of(match["until"]), told[-1].start or 0
            end = until if until > start else until + moments.MINUTES_OF_DAY
            told[-1] = replace(told[-1], end=end)
        elif (habit := _habit(clause, match)) is not None:
            told.append(habit)
    return iter(told)


def _clauses(sentence: str) -> Iterator[str]:
    """Return the clauses; one without a time of its own belongs to the one before."""
    pieces: list[str] = []
    for piece in _PATTERNS["clauses"].split(sentence):
        for part in _split_at_and(piece):
            if pieces and not _has_time(part) and not _has_time(pieces[-1]):
                pieces[-1] = f"{pieces[-1]}, {part}"
            else:
                pieces.append(part)
    return iter(pieces)


def _split_at_and(piece: str) -> list[str]:
    """Return "opens at 8 am" and "stands there until 8 pm" of a clause with both times."""
    matches = list(_PATTERNS["times"].finditer(piece))
    if len(matches) < 2:
        return [piece]
    behind = piece[matches[0].end() :]
    joint = _PATTERNS["and_clause"].match(behind)
    if joint is None:
        return [piece]
    return [piece[: matches[0].end()], *_split_at_and(behind[joint.end() :])]


def _has_time(clause: str) -> bool:
    return any(_PATTERNS[name].search(clause) for name in ("times", "part"))


def _habit(clause: str, match: re.Match[str] | None) -> Habit | None:
    start, end = _minutes(match) if match else _part_of_day(clause)
    text = _PATTERNS["subordinate"].sub("", clause[: match.end()] if match else clause)
    if _PATTERNS["sleep"].match(_PATTERNS["hedges"].sub("", text)):
        return None
    tail = clause[match.end() :] if match else ""
    aim = re.match(r"\s+(?:for|to|at|in|with) [^,]+$", tail)
    text = without_times(text) + (aim[0] if aim else "")
    shares = (share for word, share in _OFTEN.items() if _PATTERNS[word].search(clause))
    plain = _PATTERNS["hedges"].sub("", text).strip()
    is_visit = _PATTERNS["is_at"].match(text) is not None
    if start is None and not is_visit and not _PATTERNS["no_hours"].search(clause):
        return None
    meal = next((meal for meal in MEALS if _PATTERNS[meal].search(plain)), "")
    return Habit(
        activity=_visited(text) if is_visit else as_infinitive(plain),
        phrase=clause,
        start=start,
        end=end,
        often=next(shares, 1.0),
        meal=meal if _PATTERNS["eats"].search(plain) else "",
    )


def _visited(text: str) -> str:
    """Return "have a drink at the inn" for "is often at the inn for a drink"."""
    where = _PATTERNS["is_at"].sub("", text)
    place, _, aim = where.partition(" for ")
    if re.match(r"an? \w+$", aim):
        return f"have {aim} at {place}"
    return f"spend time at {place}"


def _minutes(match: re.Match[str]) -> moments.Hours:
    if match["end"]:
        return moments.hours_in(f"from {match['start']} to {match['end']}")
    if match["point"]:
        return moments.minute_of(match["point"]), None
    return None, moments.minute_of(match["until"])


def _part_of_day(clause: str) -> moments.Hours:
    match = _PATTERNS["part"].search(clause)
    if match is None:
        return None, None
    part = match["part"].lower() if match["part"] else "night" if match["night"] else "day"
    start, end = _PARTS[part]
    return start, end


def _pursuits(sentence: str) -> Iterator[str]:
    match = _PATTERNS["pursuit"].match(sentence)
    if match and not _PATTERNS["times"].search(sentence):
        doing = _PATTERNS["cut"].sub("", match["doing"]).strip()
        if " " in doing and not doing.startswith("looking for someone"):
            yield re.sub(r"\b(an?|some)\s+", "the ", doing, count=1)
    taught = _PATTERNS["taught"].match(sentence)
    if taught and not _PATTERNS["times"].search(sentence):
        verb = "practising" if "taken" in sentence or "pract" in sentence else "studying"
        yield f"{verb} {re.sub(r' at [A-Z].*', '', _PATTERNS['cut'].sub('', taught['what']))}"


def _occupations(sentence: str) -> Iterator[str]:
    match = _PATTERNS["occupation"].match(sentence)
    if match and not _PATTERNS["kin"].search(match["what"]) and len(match["what"].split()) <= 9:
        yield match["what"].strip()
