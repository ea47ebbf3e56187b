"""What somebody did and where they were, yesterday and today (stand-in, no language model)."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, pairwise

from apps.interaction.chains.answer import SLEEPING, SpentTime
from apps.rule_model.interview import others
from apps.rule_model.interview.day import PARTS
from apps.rule_model.interview.matter import Matter
from apps.rule_model.reading.moments import MINUTES_OF_DAY, clock_of, minute_of
from apps.rule_model.reading.topics import stems_of

STEPS_MAX, DEEDS_MAX, PLACES_MAX = 8, 4, 5
STREET = "the street"
# Whoever eats at such a time has that meal, however it was called.
_MEALS = {"breakfast": (300, 660), "lunch": (660, 900), "dinner": (1_020, 1_380)}
_CLOCK = r"\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\d{1,2}:\d\d\b|noon\b|midnight\b"
_AT = re.compile(rf"\b(?P<clock>{_CLOCK})", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(?P<day>yesterday|last|this|today|tonight)"
    r"(?: (?P<part>morning|afternoon|evening|night))?",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?:in|at|to|inside|visit(?:ed)?) (?P<place>(?!the (?:morning|afternoon|evening)\b).+)",
    re.IGNORECASE,
)
_BESIDE = stems_of(
    "when where does yesterday today tonight morning afternoon evening night last this time "
    "ever already any anybody anyone somebody someone anything something really"
)
_WHOSE = re.compile(r"\b(?:his|her|their)\b")
_UNKNOWN = "I don't know."


def day_told(matter: Matter) -> str:
    """Tell how the day that is asked for went, in broad strokes."""
    awake = _awake(_within(matter))
    if not awake:
        return _UNKNOWN
    stays = _stays(awake)
    longest = sorted(stays, key=lambda stay: stay[0].from_minute - stay[-1].to_minute)
    told = [_stay(matter, stay) for stay in stays if stay in longest[:STEPS_MAX]]
    return f"{_capital(_day(awake[0]))} {'; '.join(told)}."


def at_a_time(matter: Matter) -> str:
    """Tell where one was and what one did at a time that is past, "" for one to come."""
    asked = _AT.search(matter.question)
    if asked is None:
        return ""
    minute = minute_of(asked["clock"]) % MINUTES_OF_DAY
    span = _SPAN.search(matter.question)
    is_yesterday = span is not None and span["day"].lower() in ("yesterday", "last")
    if not is_yesterday and (minute >= _now(matter) or not matter.given.spent):
        return ""
    minute -= MINUTES_OF_DAY if is_yesterday else 0
    at = f"at {_clock(minute)}{' yesterday' if is_yesterday else ''}"
    there = next((one for one in matter.given.spent if _holds(one, minute)), None)
    if there is None and matter.given.spent and matter.given.spent[0].from_minute <= minute:
        return f"I was on my way somewhere {at}, I think."
    if there is None:
        return f"I don't know where I was {at}."
    if there.activity == SLEEPING:
        return f"{_capital(at)} I was asleep."
    return f"{_capital(at)} I was {_deed(matter, there)}."


def whereabouts(matter: Matter) -> str:
    """Tell where one has been, in order."""
    awake = _awake(_within(matter))
    if not awake:
        return _UNKNOWN
    minutes: Counter[str] = Counter()
    for one in awake:
        minutes[_whole(one.place)] += _length(one)
    longest = [place for place, _ in minutes.most_common(PLACES_MAX)]
    return f"I was {_listed([_by(matter, place) for place in minutes if place in longest])}."


def whether_there(matter: Matter) -> str:
    """Tell whether one has been at the place that is named, "" where none is known by it."""
    spans = _SPAN.sub("", matter.question)
    named = _THERE.search(spans)
    if named is None or not matter.given.spent:
        return ""
    words = stems_of(named["place"]) - _BESIDE
    spent = _within(matter)
    there = [one for one in spent if words and words <= stems_of(one.place)]
    if there:
        one = max(there, key=_length)
        return f"Yes, {_day(one)} from {_hours(one)} I was {_deed(matter, one)}."
    return ""


def whether_done(matter: Matter) -> str:
    """Tell whether one has done what is asked, "" where no time was spent on it."""
    one = _spent_on(matter)
    if one is None:
        return ""
    return f"Yes, {_day(one)} from {_hours(one)} I was {_deed(matter, one)}."


def when_and_where(matter: Matter) -> str:
    """Tell when and where one did what is asked, "" where no time was spent on it."""
    one = _spent_on(matter)
    if one is None:
        return ""
    return f"{_capital(_day(one))} from {_hours(one)} I was {_deed(matter, one)}."


def not_there(matter: Matter) -> str:
    """Say that one was not where the question asks, of days that are remembered."""
    is_dated = _SPAN.search(matter.question) is not None
    is_known = is_dated and _THERE.search(matter.question) is not None
    return "Not that I remember." if is_known and matter.given.spent else ""


def bedtime(matter: Matter) -> str:
    """Tell when one went to bed last, "" where that is not known."""
    spent = matter.given.spent
    slept = [
        one
        for before, one in pairwise(spent)
        if one.activity == SLEEPING and before.activity != SLEEPING
    ]
    if not slept:
        return f"As a rule I go to bed at about {_clock(matter.given.bed_minute)}."
    return f"I went to bed at about {_clock(slept[-1].from_minute)} {_day(slept[-1])}."


def rising(matter: Matter) -> str:
    """Tell when one got up today, or yesterday if that is asked."""
    is_yesterday = "yesterday" in matter.question.lower()
    for one, after in pairwise(matter.given.spent):
        is_of_day = (after.from_minute < 0) == is_yesterday
        if one.activity == SLEEPING and after.activity != SLEEPING and is_of_day:
            return f"I got up at about {_clock(one.to_minute)} {_day(after)}."
    return f"As a rule I get up at about {_clock(matter.given.wake_minute)}."


def _within(matter: Matter) -> list[SpentTime]:
    """Return how the time went that the question names; where it names none, all."""
    begins, ends = _span(matter)
    return [
        one for one in matter.given.spent if one.from_minute < ends and one.to_minute > begins
    ]


def _span(matter: Matter) -> tuple[int, int]:
    named = _SPAN.search(matter.question)
    now = _now(matter)
    if named is None:
        return -MINUTES_OF_DAY, now
    day, part = named["day"].lower(), (named["part"] or "").lower()
    midnight = -MINUTES_OF_DAY if day in ("yesterday", "last") else 0
    begins, ends = PARTS.get(part, (0, MINUTES_OF_DAY))
    return midnight + begins, min(midnight + ends, now + 1)


def _now(matter: Matter) -> int:
    return matter.now.hour * 60 + matter.now.minute if matter.now else MINUTES_OF_DAY


def _awake(spent: Iterable[SpentTime]) -> list[SpentTime]:
    return [one for one in spent if one.activity != SLEEPING]


def _holds(one: SpentTime, minute: int) -> bool:
    return one.from_minute <= minute < one.to_minute


def _at(one: SpentTime, hours: tuple[int, int]) -> bool:
    begins, ends = hours
    return begins <= one.from_minute % MINUTES_OF_DAY < ends


def _length(one: SpentTime) -> int:
    return one.to_minute - one.from_minute


def _spent_on(matter: Matter) -> SpentTime | None:
    """Return the time that was spent on what the question names and on little else."""
    asked = stems_of(_SPAN.sub("", matter.question)) - _BESIDE - stems_of(matter.me)
    words = frozenset(map(_alike, asked))
    found: dict[SpentTime, int] = {}
    for one in reversed(_within(matter)):
        said = frozenset(map(_alike, stems_of(f"{one.activity} {one.place}")))
        if "eat" in said:
            said |= {meal for meal, hours in _MEALS.items() if _at(one, hours)}
        workplace = matter.given.workplace
        works = words == {"work"} and bool(workplace) and workplace in one.place
        if works or (words and words <= said):
            found[one] = len(stems_of(one.activity))
    return min(found, key=lambda one: found[one], default=None)


def _stays(spent: Sequence[SpentTime]) -> list[list[SpentTime]]:
    """Return the time by where it was spent, in whichever rooms, without the ways between."""
    inside = [one for one in spent if one.place != STREET] or list(spent)
    return [list(stay) for _, stay in groupby(inside, key=lambda one: _whole(one.place))]


def _stay(matter: Matter, stay: Sequence[SpentTime]) -> str:
    """Return "from 8 am to 12 pm I was at Hobbs Cafe, baking pastries and serving guests"."""
    hours = f"{_clock(stay[0].from_minute)} to {_clock(stay[-1].to_minute)}"
    done = [one for one in stay if not one.activity.startswith("walking to ")] or stay
    deeds = list(dict.fromkeys(_WHOSE.sub("my", one.activity) for one in done))
    # From all of the time, not of its beginning alone.
    step = max(1, -(-len(deeds) // DEEDS_MAX))
    return f"from {hours} I was {_by(matter, _whole(stay[0].place))}, {_listed(deeds[::step])}"


def _by(matter: Matter, whole: str) -> str:
    return f"on {whole}" if whole == STREET else f"at {whole}".replace(f"{matter.me}'s", "my")


def _whole(place: str) -> str:
    """Return of what the room is a room: "the kitchen of Hobbs Cafe" -> "Hobbs Cafe"."""
    return re.split(r" (?:of|in) ", place, maxsplit=1)[-1]


def _deed(matter: Matter, one: SpentTime) -> str:
    """Return what one did and where: "serving customers at Hobbs Cafe"."""
    activity = _WHOSE.sub("my", one.activity)
    room, of, whole = one.place.partition(" of ")
    if of and activity.endswith(room):
        return f"{activity} of {whole}".replace(f"{matter.me}'s", "my")
    return activity if (whole or room) in activity else f"{activity} {_in(matter, one.place)}"


def _in(matter: Matter, place: str) -> str:
    """Return the place behind its preposition, one's own as one's own."""
    room, of, whole = place.partition(" of ")
    if of and room.rpartition(" ")[2].lower() in whole.lower():
        return f"at {whole}"
    mine = place.replace(f"{matter.me}'s", "my")
    return f"on {mine}" if mine == STREET else f"in {mine}"


def _day(one: SpentTime) -> str:
    return "yesterday" if one.from_minute < 0 else "today"


def _hours(one: SpentTime) -> str:
    return f"{_clock(one.from_minute)} to {_clock(one.to_minute)}"


def _clock(minute: int) -> str:
    return clock_of(minute % MINUTES_OF_DAY).replace(":00", "")


def _alike(word: str) -> str:
    """Return the same for "bake" and "bak(ing)", and for forms that no ending tells."""
    return {"ate": "eat", "spoke": "talk", "speak": "talk"}.get(word, word).removesuffix("e")


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


_DID = r"(?:did|have|had|were|was)"
# Which question is whose; an answer of "" leaves it to the next.
KINDS: tuple[tuple[str, Callable[[Matter], str]], ...] = (
    (rf"\b{_DID}\b.*\byou\b.*(?:{_CLOCK})|(?:{_CLOCK}).*\byesterday\b", at_a_time),
    (r"\bdid you (?:\w+ )?(?:go to (?:bed|sleep)|fall asleep)\b", bedtime),
    (r"\bdid you (?:\w+ )?(?:get|wake|got) up\b", rising),
    (
        r"\bwhat (?:\w+ )?(?:did|have|had|were) you (?:\w+ )?"
        r"(?:do|done|doing|been (?:doing|up to))\b|\bhow did you spend\b|"
        r"\bhow was (?:your (?:day|morning|afternoon|evening)|yesterday)\b|"
        r"\btell me (?:about )?(?:what you did|your (?:day|morning|evening))\b|"
        r"\bwhat happened (?:to you )?(?:today|yesterday)\b",
        day_told,
    ),
    (r"\bwhere (?:all )?(?:were you(?! born)|have you been|did you go)\b", whereabouts),
    (r"^\W*(?:when|where|what time|at what time)\b.*\bdid you\b", when_and_where),
    (r"^\W*(?:did|have) you (?:\w+ )?(?:talk|speak|spoken|talked|met|meet)\b", others.talked),
    (rf"^\W*{_DID} you\b", whether_there),
    (rf"^\W*{_DID} you\b", whether_done),
    (r"^\W*(?:were you|did you (?:go|visit)|have you been)\b", not_there),
)
