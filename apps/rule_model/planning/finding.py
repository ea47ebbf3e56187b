"""Finds offered places in words, and says what is done in plain ones (stand-in)."""

import re
from collections.abc import Sequence

from apps.planning.chains.day_outline import DayToOutline
from apps.planning.offers import OfferedPlace
from apps.planning.words import base_verb

# A place called by its own name is meant more surely than "the cafe" or "her room".
SURE = 3
_HOME = re.compile(r"\b(?:home|(?:his|her|their) (?:own )?(?:room|house|apartment|desk))\b")
_HOMELY = re.compile(
    r"\b(?:home|house|apartment|dorm|room|bedroom|space|flat|cottage|cabin|farm|villa|hut)\b"
)
_SCHOOL = re.compile(r"\b(?:class(?:es)?|lectures?|seminars?|teach\w*)\b", re.IGNORECASE)
_AND_VERB = re.compile(r"\b(and|or) (\w+s)\b")
_HOUSEWORK = re.compile(r"\b(?:bed|bedroom|house)\b")
_LEADS = re.compile(
    (
        r"^(?:(?:and|who|he|she|they|usually|often|sometimes|always|also|mostly|nearly|almost|"
        r"every|each|day|weekday|is|are|can be found|likes?|loves?|tends?(?= to\b)|wants?|"
        r"plans?|needs?|to|at least|on (?:mon|tues|wednes|thurs|fri)days?)\s+)+"
    ),
    re.IGNORECASE,
)
_TRAILS = re.compile(
    r"[\s,]+(?:at least|(?:nearly )?every day|each day|on \w+days?|and|at|from|around|"
    r"where|which)$"
)
_OFTEN = (
    (re.compile(r"\bsometimes|now and then|once in a while", re.IGNORECASE), 0.35),
    (re.compile(r"\b(?:nearly|almost|most) (?:every|days)", re.IGNORECASE), 0.85),
    (re.compile(r"\boften|likes?\b|enjoys?\b|loves?\b", re.IGNORECASE), 0.7),
)


def place_named(
    text: str, places: Sequence[OfferedPlace], *, home: str, person: str
) -> str | None:
    """Return the path of the offered place that the text names, an area before its place.

    "the store" is the one that the person keeps, if they keep one.
    """
    lower = text.lower()
    named = [
        (_named(lower, place), person in place.keepers, -index)
        for index, place in enumerate(places)
    ]
    surest, _, index = max(named, default=(0, False, 0))
    if surest < SURE and _HOME.search(lower):
        return home
    return places[-index].path if surest else None


def lets_in(given: DayToOutline, path: str, start: int, end: int) -> bool:
    """Say whether the place of the path is offered and open to the person all that time."""
    offered = next((place for place in given.places if place.path == path), None)
    return offered is not None and offered.lets_in(
        given.agent_name, from_minute=start, to_minute=end
    )


def narrowed(given: DayToOutline, path: str, text: str) -> str:
    """Return the area that suits the text: a classroom for classes, else a library."""
    rooms = [place.path for place in given.places if place.path.startswith(f"{path}: ")]
    wished = ("classroom",) if _SCHOOL.search(text) else ("library", "study")
    return next((room for word in wished for room in rooms if word in room), path)


def in_words(path: str) -> str:
    """Return a place as it stands in a sentence: "the library of Oak Hill College"."""
    place, _, area = path.partition(": ")
    return f"the {area} of {place}" if area else place


def in_short(text: str) -> str | None:
    """Return the clause as an infinitive, None when it does not begin with a known verb.

    "usually studies in its library" -> "study in its library".
    """
    words = _LEADS.sub("", text.strip())
    while _TRAILS.search(words):
        words = _TRAILS.sub("", words)
    first, _, rest = words.partition(" ")
    verb = base_verb(first)
    if verb is None:
        return "attend classes" if _SCHOOL.search(words) else None
    return f"{verb} {_AND_VERB.sub(_and_base, rest)}".strip()


def _and_base(match: re.Match[str]) -> str:
    """Return "and study" for "and studies", what is no verb as it is."""
    return f"{match[1]} {base_verb(match[2]) or match[2]}"


def how_often(text: str) -> float:
    """Return how likely what the sentence says is on any day."""
    return next((often for pattern, often in _OFTEN if pattern.search(text)), 1.0)


def is_homely(path: str) -> bool:
    """Say whether a place is a home by its name."""
    return _HOMELY.search(path.lower()) is not None


def _named(text: str, place: OfferedPlace) -> int:
    """Return how surely the text names the place: whole path, name, kind, or not at all."""
    root, name = place.root.lower(), place.name.lower()
    if place.path != place.root:
        whole = name in text and (
            root in text or f"the {name}" in text or f"its {name}" in text
        )
        return 4 if whole else 0
    if root in text:
        return 3
    kind = root.rpartition(" ")[2]
    is_kind = not _HOUSEWORK.search(kind) and re.search(rf"\bthe {re.escape(kind)}\b", text)
    return 1 if is_kind else 0
