"""The task of taking an inner voice for a thought: third person, deed, place, minutes (U2).

"You are going to bake a cake" becomes "Ada Finch is going to bake a cake". What is to be done
stands behind "going to", "should" and their like, or is a bare imperative.
"""

import re
from datetime import date, datetime, timedelta

from apps.planning.chains.own_thought import (
    DEED_CHARACTERS_MAX,
    MINUTES_NOW_MAX,
    THOUGHT_CHARACTERS_MAX,
    OwnThought,
)
from apps.planning.inputs import OwnThoughtInput
from apps.rule_model.content import Content
from apps.rule_model.language.moments import when_in
from apps.rule_model.language.names import people_in
from apps.rule_model.language.words import patterns
from apps.rule_model.model import Chance
from apps.rule_model.planning.second_person import about, is_imperative

_PATTERNS = patterns("own_thought")

AT_ONCE_MINUTES = 30
# From this hour on, an errand waits for the next day.
LATE_HOUR = 20
DATE_CHARACTERS_MAX = len(" on September 30, 2023")
_COUNTS = dict(
    zip(
        ("a", "an", "half an", "two", "three", "ten", "twenty", "thirty"),
        (1, 1, 0.5, 2, 3, 10, 20, 30),
        strict=True,
    )
)


def own_thought(given: OwnThoughtInput, _: Chance, content: Content) -> OwnThought:
    """Return the voice in the third person, and the first thing that it bids do."""
    name = given.agent_name
    voice = given.voice.replace("\u2019", "'")
    plain = _dated(_PATTERNS["at_once"].sub("", voice), given.now.date())
    sentences = [
        part.strip(" .!?;") for part in _PATTERNS["end"].split(" ".join(plain.split()))
    ]
    thoughts = [_thought(sentence, name, content) for sentence in sentences if sentence]
    deeds = [deed for thought in thoughts if (deed := _deed(thought, name))]
    thought = ". ".join(thoughts) or f"{name} thought of nothing in particular"
    if name not in thought:
        thought = f"{name} thinks: {thought}"
    deed = deeds[0] if deeds else ""
    minutes = _minutes_now(voice, deed)
    is_errand = (
        _PATTERNS["errand"].match(deed) is not None and _PATTERNS["again"].search(deed) is None
    )
    day = _day_of(deed, given.now) if is_errand and not minutes else ""
    return OwnThought(
        thought=thought[:THOUGHT_CHARACTERS_MAX],
        deed=f"{deed[: DEED_CHARACTERS_MAX - DATE_CHARACTERS_MAX]}{day}",
        place=_place_in(deed),
        minutes_now=minutes,
    )


def _minutes_now(voice: str, deed: str) -> int:
    """Return how long the deed is done at once; what is to be said waits for a listener."""
    if not deed or _PATTERNS["saying"].match(deed) or not _PATTERNS["at_once"].search(voice):
        return 0
    match = _PATTERNS["for_minutes"].search(deed)
    if match is None:
        return AT_ONCE_MINUTES
    count = match["count"].lower()
    number = _COUNTS.get(count) or float(count)
    return min(int(number * (60 if match["unit"].startswith("hour") else 1)), MINUTES_NOW_MAX)


def _dated(text: str, today: date) -> str:
    """Return the text with "tomorrow" and its like as dates, so that it stays true."""

    def written(match: re.Match[str]) -> str:
        day = when_in(match[0].lower() if match[0][0] != "o" else match[0], today).day
        if day is None:
            return match[0]
        part = match["part"] or ("evening" if match[0].lower() == "tonight" else "")
        on = f"on the {part} of" if part else "on"
        return f"{on} {day:%B} {day.day}, {day.year}"

    return _PATTERNS["relative_day"].sub(written, text)


def _day_of(errand: str, now: datetime) -> str:
    """Return the day of an errand that names none, "" for one that does."""
    when = when_in(errand, now.date())
    if when.day is not None:
        return ""
    is_over = when.start is not None and when.start <= now.hour * 60 + now.minute
    day = now + timedelta(days=1 if is_over or now.hour >= LATE_HOUR else 0)
    return f" on {day:%B} {day.day}, {day.year}"


def _thought(sentence: str, name: str, content: Content) -> str:
    """Return the sentence about the agent; an imperative is what the agent is going to do."""
    plain = _PATTERNS["polite"].sub("", sentence)
    if is_imperative(plain, content.general):
        plain = f"you are going to {plain[:1].lower()}{plain[1:]}"
    return about(plain, name)


def _deed(thought: str, name: str) -> str:
    if not thought.startswith(f"{name} "):
        return ""
    bids = _PATTERNS["bids"].match(thought.removeprefix(f"{name} "))
    deed = bids["deed"] if bids else ""
    if _PATTERNS["no_deed"].match(deed):
        return ""
    return re.sub(rf"\b{re.escape(name)}'s\b", "their", deed, count=1)


def _place_in(deed: str) -> str:
    places = (
        match["place"] for match in _PATTERNS["place"].finditer(deed) if not people_in(match[0])
    )
    return next(places, "")
