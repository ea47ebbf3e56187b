"""Takes an inner voice for one's own thought (stand-in, not a language model).

"You are going to run for mayor" becomes "John Lin is going to run for mayor", and what is
to be done is what stands behind "going to", "should" and their like, or a bare imperative.
"""

import re
from datetime import date

from apps.llm.offline import Chance
from apps.memory.reading.moments import moment_of, written
from apps.memory.reading.names import straight
from apps.memory.reading.persons import in_third_person
from apps.memory.reading.topics import place_in
from apps.planning.chains.own_thought import (
    DEED_CHARACTERS_MAX,
    THOUGHT_CHARACTERS_MAX,
    OwnThought,
    VoiceHeard,
)
from apps.planning.words import base_verb

AT_ONCE_MINUTES = 30
_END = re.compile(r"(?<=[.!?;])\s+")
_AT_ONCE = re.compile(
    r",?\s*\b(?:right now|now|at once|immediately|right away|this (?:minute|moment|instant))\b",
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
_POLITE = re.compile(
    r"^(?:please|just|then|and|so|remember to|do not forget to) ", re.IGNORECASE
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
    return OwnThought(
        thought=thought[:THOUGHT_CHARACTERS_MAX],
        deed=deed[:DEED_CHARACTERS_MAX],
        place=place_in(deed),
        minutes_now=AT_ONCE_MINUTES if at_once and deed else 0,
    )


def _thought(sentence: str, name: str) -> str:
    """Return the sentence about the person; an imperative is what they are going to do."""
    plain = _POLITE.sub("", sentence)
    first = plain.partition(" ")[0].lower()
    if base_verb(first) == first or first in _MORE_VERBS:
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
    return re.sub(rf"\b{re.escape(name)}'s\b", "their", deed)
