"""Takes an inner voice for one's own thought (stand-in, not a language model).

"You are going to run for mayor" becomes "John Lin is going to run for mayor", and what is
to be done is what stands behind "going to", "should" and their like, or a bare imperative.
"""

import re
from datetime import date, datetime, timedelta

from apps.planning.chains.own_thought import (
    DEED_CHARACTERS_MAX,
    THOUGHT_CHARACTERS_MAX,
    OwnThought,
    VoiceHeard,
)
from apps.planning.words import base_verb
from apps.rule_model.model import Chance
from apps.rule_model.planning.dates import dates
from apps.rule_model.planning.resolved import WORDS
from apps.rule_model.reading.moments import hours_in, moment_of, written
from apps.rule_model.reading.names import straight
from apps.rule_model.reading.persons import in_third_person
from apps.rule_model.reading.topics import place_in

AT_ONCE_MINUTES = 30
# From this hour on, what there is to run is run on the next day.
LATE_HOUR = 20
DATE_CHARACTERS_MAX = len(" on September 30, 2023")
_END = re.compile(r"(?<=[.!?;])\s+")
_AT_ONCE = re.compile(
    r",?\s*\b(?:right now|(?<!from )now|at once|immediately|right away|"
    r"this (?:minute|moment|instant))\b",
    re.IGNORECASE,
)
_BIDS = re.compile(
    r"^(?:is going to|is about to|is to|will|shall|should|must|has to|needs to|ought to|"
    r"wants to|would like to|had better|means to|intends to|plans to|has decided to) "
    r"(?:now |also |really )?(?P<deed>[a-z].+)$"
)
_ALREADY = re.compile(r"^is (?P<doing>[a-z]+ing) (?P<rest>.+)$")
# What one is, feels or knows is no deed.
_NO_DEED = re.compile(r"^(?:be|feel|become|like|love|hate|know|not|never|have been)\b")
_MORE_VERBS = frozenset({"tell", "invite", "apologize", "apologise", "thank", "vote", "win"})
_FROM_NOW_ON = re.compile(r"^from now on,? ", re.IGNORECASE)
_POLITE = re.compile(
    r"^(?:please|just|then|and|so|remember to|do not forget to) ", re.IGNORECASE
)
# What is done once and is over, unless it is said to come again.
_ERRAND = re.compile(
    r"^(?:go(?! on\b)|visit|call on|walk|drop|stop (?:by|at)|leave|return|come|buy|fetch|bring|"
    r"take(?! (?:up|care|part)\b)|deliver|give(?! up\b)|send|pick up|mend|repair|fix|clean|"
    r"tidy|wash|meet|see|look|check|have|eat|drink|sit|rest|lie|nap|cook|bake|order|pay|"
    r"watch)\b"
)
_AGAIN = re.compile(
    r"\b(?:every|each|daily|nightly|weekly|always|regularly|often|more|\w+days)\b",
    re.IGNORECASE,
)


def own_thought(given: VoiceHeard, chance: Chance) -> OwnThought:  # noqa: ARG001
    """Return the voice in the third person, and the first thing that it bids do."""
    name = given.agent_name
    now = moment_of(given.now)
    said = straight(given.voice)
    at_once = _AT_ONCE.search(said) is not None
    plain = _AT_ONCE.sub("", said)
    if now is not None:
        plain = written(plain, now.date() if now else date.min)
    sentences = [part.strip(" .!?;") for part in _END.split(plain)]
    thoughts = [_thought(sentence, name) for sentence in sentences if sentence]
    deeds = [deed for thought in thoughts if (deed := _deed(thought, name))]
    thought = ". ".join(thoughts) or f"{name} thought of nothing in particular"
    if name not in thought:
        thought = f"{name} thinks: {thought}"
    deed = deeds[0] if deeds else ""
    now_or_later = AT_ONCE_MINUTES if at_once and deed and not WORDS.match(deed) else 0
    is_errand = _ERRAND.match(deed) is not None and _AGAIN.search(deed) is None
    day = _day_of(deed, now) if now is not None and is_errand and not now_or_later else ""
    return OwnThought(
        thought=thought[:THOUGHT_CHARACTERS_MAX],
        deed=f"{deed[: DEED_CHARACTERS_MAX - DATE_CHARACTERS_MAX]}{day}",
        place=place_in(deed),
        minutes_now=now_or_later,
    )


def _day_of(errand: str, now: datetime) -> str:
    """Return the day on which an errand is run that names none: "" for one that does."""
    if dates(errand):
        return ""
    start = hours_in(errand)[0]
    is_over = start is not None and start <= now.hour * 60 + now.minute
    day = now + timedelta(days=1 if is_over or now.hour >= LATE_HOUR else 0)
    return f" on {day:%B} {day.day}, {day.year}"


def _thought(sentence: str, name: str) -> str:
    """Return the sentence about the person; an imperative is what they are going to do."""
    sentence = _FROM_NOW_ON.sub("", sentence)
    plain = _POLITE.sub("", sentence)
    first = plain.partition(" ")[0].lower()
    if base_verb(first) == first or first in _MORE_VERBS or _ERRAND.match(first):
        bidden = f"You are going to {first}{plain[len(first) :]}"
        return in_third_person(bidden, name, name)
    return in_third_person(sentence, name, name)


def _deed(thought: str, name: str) -> str:
    if not thought.startswith(f"{name} "):
        return ""
    said = thought.removeprefix(f"{name} ")
    bids, already = _BIDS.match(said), _ALREADY.match(said)
    deed = bids["deed"] if bids else ""
    if already and not bids:
        verb = base_verb(already["doing"])
        deed = f"{verb} {already['rest']}" if verb else ""
    if _NO_DEED.match(deed):
        return ""
    # Whose it is, of what is to be said, is said again in other words: names are clear.
    most = 1 if WORDS.match(deed) else 0
    return re.sub(rf"\b{re.escape(name)}'s\b", "their", deed, count=most)
