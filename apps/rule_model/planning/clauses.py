"""Reads what a person's phrases say of times and places (stand-in, not a language model).

"Isabella Rodriguez opens Hobbs Cafe at 8:00 am and stands behind its counter until 8:00 pm"
becomes a clause with its two times; plain regular expressions, no understanding.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NOON = 720
HALF_DAY = 720
DAY = 1_440

TIME = r"(?:\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\b\.?)|\d{1,2}:\d{2}|noon|midnight)"
TIME_OR_HOUR = rf"(?:{TIME}|\d{{1,2}})"
_WHEN = re.compile(
    rf"(?:\b(?:from|between)\s+)?(?P<start>{TIME_OR_HOUR})\s*(?:to|and|until|till|[-\u2013])\s*"
    rf"(?P<end>{TIME})"
    rf"|\b(?:at|from)\s+(?P<opens>{TIME})(?P<middle>[^,;]*?)\b(?:until|till)\s+(?P<closes>{TIME})"
    rf"|\b(?:until|till)\s+(?P<until>{TIME})"
    rf"|\b(?:from|after)\s+(?P<since>{TIME})(?:\s+on)?"
    rf"|\b(?:at|around|about|by)\s+(?:around\s+|about\s+)?(?P<point>{TIME})",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:in the (?P<part>early morning|morning|afternoon|evening)|at (?P<night>night)"
    r"|(?P<by>by day|during the day)|(?P<late>late)\b)",
    re.IGNORECASE,
)
_DURATION = re.compile(
    (
        r"\b(?P<count>\d{1,2}|two|three|four|five|six|seven|eight)\s+hours\s+(?:a|each|"
        r"every)\s+day"
    ),
    re.IGNORECASE,
)
_BARE_TIME = re.compile(TIME, re.IGNORECASE)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_BREAKS = re.compile(r",\s+(?:and\s+|then\s+|but\s+)?|;\s*|\s+(?:and\s+)?then\s+|\s*[()]\s*")
_SENTENCES = re.compile(r"[;\n]+|(?<=[a-z0-9)])\.\s+(?=[A-Z])|\.\s*$")
_DATED = re.compile(r"\b([A-Z][a-z]+ \d{1,2}|\d{1,2} [A-Z][a-z]+),?\s+(\d{4})\b")
_SUBJECT = re.compile(r"^(?:He|She|They)\b\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A piece of a person's own phrase, with the times it names.

    Minutes count from midnight; `part` is "morning", "afternoon", "evening", "night",
    "day" or ""; `hours` is how long it lasts a day, 0 when it is not said.
    """

    text: str
    sentence: str
    start: int | None = None
    end: int | None = None
    part: str = ""
    hours: int = 0


def own_sentences(name: str, texts: Iterable[str]) -> list[str]:
    """Return the sentences that are about the person, without the person, each once."""
    found: dict[str, None] = {}
    for text in texts:
        about_self = False
        for told in sentences_of(text):
            own = without_subject(name, told)
            about_self = own is not None or (about_self and bool(_SUBJECT.match(told)))
            if about_self:
                found.setdefault(_SUBJECT.sub("", own if own is not None else told))
    return [sentence for sentence in found if sentence]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of the text, dates without a comma before the year."""
    tidy = (" ".join(sentence.split()) for sentence in _SENTENCES.split(text))
    return [_DATED.sub(r"\1 \2", sentence) for sentence in tidy if sentence]


def times_in(text: str) -> tuple[int | None, int | None]:
    """Return the first time that the text names and, if it says so, until when."""
    match = _WHEN.search(text)
    if match is not None:
        return _times(match, None)
    bare = _BARE_TIME.search(text)
    return (None if bare is None else minute_of(bare[0])), None


def part_in(text: str) -> str:
    """Return the part of the day that the text names: "evening", "" for none."""
    part = _PART.search(text)
    return "" if part is None else _part(part)


def clauses_of(sentence: str) -> list[Clause]:
    """Return the clauses of the sentence that say when something is done."""
    clauses: list[Clause] = []
    for piece in _BREAKS.split(sentence):
        clauses.extend(_timed(piece, sentence, clauses))
        if not _WHEN.search(piece):
            clauses.extend(_untimed(piece, sentence))
    return clauses


def minute_of(text: str) -> int:
    """Return the minutes after midnight of "8:00 am", "17:30", "noon" or "midnight"."""
    words = text.lower().replace(".", "").strip()
    if words in {"noon", "midnight"}:
        return NOON if words == "noon" else DAY
    hour, _, minute = re.sub(r"\s*[ap]m$", "", words).partition(":")
    minutes = int(hour) * 60 + int(minute or 0)
    if words.endswith("m"):
        minutes = minutes % HALF_DAY + (HALF_DAY if words.endswith("pm") else 0)
    return minutes


def without_subject(name: str, sentence: str) -> str | None:
    """Return the sentence without its subject, None when it is about somebody else."""
    for called in (name, name.partition(" ")[0]):
        if sentence.startswith(called + " "):
            return sentence[len(called) + 1 :]
    return sentence if sentence[:1].islower() else None


def _timed(piece: str, sentence: str, before: list[Clause]) -> Iterator[Clause]:
    start_of_text, said = 0, ""
    last_end = (before[-1].end or before[-1].start) if before else None
    for match in _WHEN.finditer(piece):
        text = piece[start_of_text : match.start()] + (match["middle"] or "")
        said = re.sub(r"^and\b\s*", "", " ".join(text.split())) or said
        start, end = _times(match, last_end)
        yield Clause(text=said, sentence=sentence, start=start, end=end)
        start_of_text, last_end = match.end(), end or start


def _times(match: re.Match[str], last_end: int | None) -> tuple[int | None, int | None]:
    if match["end"]:
        end = minute_of(match["end"])
        start = match["start"]
        # "from 5 to 7 pm": the first hour is of the same half of the day.
        half = "pm" if match["end"].lower().rstrip(".").endswith("pm") else ""
        begun = minute_of(start + half if start.isdigit() else start)
        return begun, end if end > begun else end + DAY
    if match["closes"]:
        begun, end = minute_of(match["opens"]), minute_of(match["closes"])
        return begun, end if end > begun else end + DAY
    if match["until"]:
        return last_end, minute_of(match["until"])
    return minute_of(match["since"] or match["point"]), None


def _untimed(piece: str, sentence: str) -> Iterator[Clause]:
    duration, part = _DURATION.search(piece), _PART.search(piece)
    text = _PART.sub("", _DURATION.sub("", piece)).strip()
    if duration:
        count = duration["count"].lower()
        hours = _NUMBERS.get(count) or int(count)
        yield Clause(text=text, sentence=sentence, hours=hours)
    elif part:
        yield Clause(text=text, sentence=sentence, part=_part(part))


def _part(match: re.Match[str]) -> str:
    if match["part"]:
        return match["part"].lower().removeprefix("early ")
    if match["by"]:
        return "day"
    return "night" if match["night"] else "evening"
