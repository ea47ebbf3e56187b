"""What a person usually does, read from what they remember (stand-in, not a language model).

Everything here comes from the chain's typed input: phrases, summary, places and date.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.planning.chains.day_outline import DayToOutline
from apps.planning.offers import OfferedPlace
from apps.planning.words import doing
from apps.rule_model.planning.activities import activity_for, is_moment
from apps.rule_model.planning.appointments import Appointment, appointments_of, is_own_plan
from apps.rule_model.planning.clauses import Clause, clauses_of, own_sentences
from apps.rule_model.planning.dates import MONTH, applies, dates, day_after, is_past
from apps.rule_model.planning.finding import how_often, in_short, place_named

_BED = re.compile(r"\b(?:wakes?|gets? up|goe?s? to (?:bed|sleep)|sleeps?|closes?)\b")
_GOES_HOME = re.compile(r"\bgoe?s? (?:back )?home\b")
_MEAL = re.compile(r"\b(lunch|dinner|supper|dines?|breakfast)\b", re.IGNORECASE)
_PURSUIT = re.compile(
    (
        r"\b(?:is|are|been|keeps?|busy|begun|started)\s+(?:\w+ly\s+|also\s+|now\s+|still\s+|"
        r"hard\s+)?((?:working on|writing|composing|painting|preparing|planning|developing|"
        r"building|making|researching|training for|rehearsing|learning|studying|filming|"
        r"designing|drawing|gathering|putting together|experimenting with|"
        r"looking for)\b[^,;.]*)"
    ),
    re.IGNORECASE,
)
_OCCUPATION = re.compile(
    r"^(?:is|works as|was)\s+(?:an?|the)\s+([^,;.]*?)(?:\s+(?:who|whose|which)\b|$)"
)
_GOES = re.compile(
    r"\b(?:often|sometimes|likes?|frequents?|visits?|regular|goes|every day|eats?|drinks?|"
    r"reads?|studies|works|writes|thinks)\b"
)
_LIVING = re.compile(r"^(\w+s\b[^,;.]*) for a living\b")
_STUDENT = re.compile(r"\bstudent of ([\w ]+?)(?:\s+(?:at|and|who)\b|$)")
_KIN = re.compile(
    r"\b(?:friend|neighbou?r|classmate|customer|housemate|dormmate|husband|wife|son|daughter|"
    r"mother|father|brother|sister|colleague|acquaintance|person|man|woman|resident)\b"
)
_CUT = re.compile(
    rf"\s+(?:on (?:{MONTH}|\d)|from \d|at \d|around \d|because|so that|and (?:is|wants)).*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """Something done on such a day: when (as far as it is said), where and how surely.

    `text` is an infinitive or "" when the phrase says only where; `meal` is "lunch",
    "dinner" or "".
    """

    text: str
    sentence: str
    place: str | None
    start: int | None
    end: int | None
    part: str
    hours: int
    often: float
    meal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """What the stand-in knows of a person's days; `eve` are tomorrow's appointments."""

    habits: tuple[Habit, ...]
    appointments: tuple[Appointment, ...]
    eve: tuple[Appointment, ...]
    pursuits: tuple[str, ...]
    occupation: str
    haunts: tuple[tuple[str, float], ...]


def routine_of(given: DayToOutline) -> Routine:
    """Return what the phrases say of days such as this one."""
    told = own_sentences(given.agent_name, (*given.memories, given.summary))
    sentences = [text for text in told if not (is_own_plan(text) or is_moment(text))]
    today = [sentence for sentence in sentences if applies(sentence, given.date)]
    pursuits = dict.fromkeys(
        pursuit
        for sentence in sentences
        if not is_past(sentence, given.date)
        for pursuit in _pursuits(sentence)
    )
    return Routine(
        habits=tuple(
            habit
            for sentence in today
            if not dates(sentence)
            for habit in _habits(sentence, given)
        ),
        appointments=_appointments(given, given.date),
        eve=_appointments(given, day_after(given.date)),
        # What somebody studies is less to the point than what they are working on.
        pursuits=tuple(sorted(pursuits, key=lambda told: told.startswith("studying"))),
        occupation=next((o for s in sentences for o in _occupations(s)), ""),
        haunts=tuple(haunt for sentence in today for haunt in _haunts(sentence, given)),
    )


def _appointments(given: DayToOutline, date: str) -> tuple[Appointment, ...]:
    memories = (*given.memories, given.summary)
    return tuple(
        appointments_of(
            given.agent_name, memories, date=date, places=given.places, home=given.home
        )
    )


def _habits(sentence: str, given: DayToOutline) -> Iterator[Habit]:
    before: str | None = None
    for clause in clauses_of(sentence):
        if _GOES_HOME.search(clause.text):
            before = given.home
        if _BED.search(clause.text) or _GOES_HOME.fullmatch(clause.text):
            continue
        named = _place(clause.text, given)
        follows = before if clause.start is not None else None
        place = named or follows or _only_place(clause, sentence, given)
        before = named or before
        yield _habit(clause, sentence, place)


def _habit(clause: Clause, sentence: str, place: str | None) -> Habit:
    meal = _MEAL.search(clause.text)
    name = "" if meal is None else meal[1].lower()
    return Habit(
        text=in_short(clause.text) or _some_of(clause),
        sentence=sentence,
        place=place,
        start=clause.start,
        end=clause.end,
        part=clause.part,
        hours=clause.hours,
        often=how_often(clause.text),
        meal={"dine": "dinner", "dines": "dinner", "supper": "dinner"}.get(name, name),
    )


def _some_of(clause: Clause) -> str:
    """Return an hour of what the clause's words are about, when they take hours a day."""
    kind = activity_for(clause.text) if clause.hours else None
    return "" if kind is None else kind.hours[-1].text


def _only_place(clause: Clause, sentence: str, given: DayToOutline) -> str | None:
    """Return the place that the whole sentence names, for what is done at some hour there."""
    return _place(sentence, given) if clause.start is not None else None


def _place(text: str, given: DayToOutline) -> str | None:
    return place_named(text, given.places, home=given.home, person=given.agent_name)


def _pursuits(sentence: str) -> Iterator[str]:
    """Return what the sentence says is being worked on: "writing the research paper …"."""
    for match in _PURSUIT.finditer(sentence):
        told = _CUT.sub("", match[1]).strip()
        if " " not in told:
            continue  # "what she is writing" says nothing of it
        yield re.sub(r"\b(an?|some)\s+", "the ", told, count=1)
    living = _LIVING.match(sentence)
    deed = in_short(living[1]) if living else None
    if deed:
        yield doing(deed)
    student = _STUDENT.search(sentence)
    if student:
        yield f"studying {student[1]}"


def _occupations(sentence: str) -> Iterator[str]:
    match = _OCCUPATION.match(sentence)
    if match and not _KIN.search(match[1]) and len(match[1].split()) <= 12:
        yield match[1].strip()


def _haunts(sentence: str, given: DayToOutline) -> Iterator[tuple[str, float]]:
    """Return a place that is often gone to, when the sentence gives no hours for it."""
    if any(clause.start is not None for clause in clauses_of(sentence)):
        return
    goes = _GOES.search(sentence)
    place = _place(sentence, given)
    at_work = place is not None and given.workplace.startswith(place)
    if goes and place and place != given.home and not at_work and not _is_kept(place, given):
        yield place, how_often(sentence)


def _is_kept(path: str, given: DayToOutline) -> bool:
    return any(place.path == path and keeps(place, given) for place in given.places)


def pursued(pursuits: Sequence[str]) -> str:
    """Return the first pursuit as a plan, "" if there is none."""
    if not pursuits:
        return ""
    if pursuits[0].startswith("working on "):
        return f"work on {pursuits[0].removeprefix('working on ')}"
    return f"go on {pursuits[0]}"


def kept_place(given: DayToOutline) -> OfferedPlace | None:
    """Return the place that the person keeps and works at."""
    root = given.workplace.partition(": ")[0]
    mine = (place for place in given.places if keeps(place, given))
    return next((place for place in mine if place.path in {given.workplace, root}), None)


def keeps(place: OfferedPlace, given: DayToOutline) -> bool:
    """Say whether the person keeps the place."""
    return given.agent_name in place.keepers
