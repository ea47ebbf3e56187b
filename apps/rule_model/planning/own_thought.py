"""The task of taking an inner voice for a thought: third person, deed, place, minutes (U2).

The deed stands behind "going to", "should" and the like, or is a bare imperative.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from apps.memory.events import MemoryOrigin
from apps.planning.inputs import OwnThoughtInput
from apps.planning.llm_tasks import own_thought as task
from apps.rule_model.content import english, patterns, vocabulary
from apps.rule_model.language.grammar import base_of, in_third_person
from apps.rule_model.language.moments import minute_at, when_in, written
from apps.rule_model.language.subjects import straight
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance

_PATTERNS = patterns("own_thought")
AT_ONCE_MINUTES = 30
# From this hour on, an errand waits for the next day.
LATE_HOUR = 20
DATE_CHARACTERS_MAX = len(" on September 30, 2023")
_ENGLISH = vocabulary("phrases_english")
_NO_IMPERATIVE = english("no_imperatives")


def own_thought(inputs: OwnThoughtInput, _: Chance) -> task.OwnThought:
    """Return the voice in the third person, and the first thing that it bids do."""
    name = inputs.agent_name
    voice = straight(inputs.voice)
    plain = written(_PATTERNS["at_once"].sub("", voice), inputs.now.date())
    parts = _PATTERNS["end"].split(" ".join(plain.split()))
    sentences = [part.strip(" .!?;") for part in parts]
    thoughts = [_thought(sentence, name) for sentence in sentences if sentence]
    deeds = [deed for thought in thoughts if (deed := _deed(thought, name))]
    thought = ". ".join(thoughts) or f"{name} thought of nothing in particular"
    if name not in thought:
        thought = f"{name} thinks: {thought}"
    deed = deeds[0] if deeds else ""
    minutes = _minutes_now(voice, deed)
    is_errand = _PATTERNS["errand"].match(deed) and not _PATTERNS["again"].search(deed)
    day = _day_of(deed, inputs.now) if is_errand and not minutes else ""
    return task.OwnThought(
        thought=thought[: task.THOUGHT_CHARACTERS_MAX],
        deed=f"{deed[: task.DEED_CHARACTERS_MAX - DATE_CHARACTERS_MAX]}{day}",
        place=_place_in(deed, inputs.known_places),
        minutes_now=minutes,
        importance=importance_of(thought, MemoryOrigin.INNER_VOICE),
    )


def _minutes_now(voice: str, deed: str) -> int:
    """Return how long the deed is done at once; what is to be said waits for a listener."""
    if not deed or _PATTERNS["saying"].match(deed) or not _PATTERNS["at_once"].search(voice):
        return 0
    match = _PATTERNS["for_minutes"].search(deed)
    if match is None:
        return AT_ONCE_MINUTES
    count = match["count"].lower()
    number = _ENGLISH["counts"].get(count) or float(count)
    minutes = 60 if match["unit"].startswith("hour") else 1
    return min(int(number * minutes), task.MINUTES_NOW_MAX)


def _day_of(errand: str, now: datetime) -> str:
    """Return the day of an errand that names none, "" for one that does."""
    when = when_in(errand, now.date())
    if when.day is not None:
        return ""
    is_over = when.start is not None and when.start <= minute_at(now)
    day = now + timedelta(days=1 if is_over or now.hour >= LATE_HOUR else 0)
    return f" on {day:%B} {day.day}, {day.year}"


def _thought(sentence: str, name: str) -> str:
    """Return the sentence about the agent; an imperative is what the agent is going to do."""
    plain = _PATTERNS["polite"].sub("", sentence)
    if _is_imperative(plain):
        plain = f"you are going to {plain[:1].lower()}{plain[1:]}"
    return in_third_person(plain, name, name)


def _deed(thought: str, name: str) -> str:
    if not thought.startswith(f"{name} "):
        return ""
    bids = _PATTERNS["bids"].match(thought.removeprefix(f"{name} "))
    deed = bids["deed"] if bids else ""
    if _PATTERNS["no_deed"].match(deed):
        return ""
    return re.sub(rf"\b{re.escape(name)}'s\b", "their", deed, count=1)


def _place_in(deed: str, known_places: Sequence[str]) -> str:
    """Return the known place that the deed names, "" without one."""
    named = deed.casefold()
    found = (path for path in known_places if path.rpartition(": ")[2].casefold() in named)
    return next(found, "")


def _is_imperative(sentence: str) -> bool:
    """Whether the sentence begins with a verb that bids something: not "Ada likes you"."""
    first, _, rest = sentence.partition(" ")
    second = rest.partition(" ")[0].strip(",.")
    if first.strip(",").lower() in _NO_IMPERATIVE or not first.isalpha():
        return False
    is_finite = _PATTERNS["finite"].match(second) or base_of(second) is not None
    return not is_finite and not (second[:1].isupper() and first[-1:] == "s")
