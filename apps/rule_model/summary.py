"""Summaries of an agent: sentences picked from its memories, by what they are about (S1)."""

import re
from collections.abc import Sequence

from apps.memory.inputs import SummaryInput
from apps.memory.items import MemoryItem
from apps.memory.summary.chains import (
    SUMMARY_CHARACTERS_MAX,
    Summary,
)
from apps.rule_model.language.names import first_name
from apps.rule_model.language.words import vocabulary
from apps.rule_model.model import Chance

SENTENCES_MAX = 3
SENTENCE_CHARACTERS_MAX = 240
_FINDERS = tuple(
    (about, re.compile(signs, re.IGNORECASE))
    for about, signs in vocabulary("phrases_summary")["signs"].items()
)
# What a memory is about by its origin, whatever its words are.
_BY_ORIGIN: dict[str, str] = vocabulary("phrases_summary")["origins"]
_GOING_ON = re.compile(r"^ (?:is|are) (?:now |just |currently )?")


def core_characteristics(given: SummaryInput, chance: Chance) -> Summary:  # noqa: ARG001
    """Return what the agent is and whom it knows; its work, if nothing else."""
    return _told(given, ("core", "tie"), ("occupation",))


def daily_occupation(given: SummaryInput, chance: Chance) -> Summary:  # noqa: ARG001
    """Return the agent's work and routine; what it was doing, if nothing else."""
    return _told(given, ("occupation", "routine"), ("moment",), ("core",))


def recent_progress(given: SummaryInput, chance: Chance) -> Summary:  # noqa: ARG001
    """Return what the agent feels and plans; what it has been doing, if nothing else."""
    return _told(given, ("feeling",), ("moment",), ("occupation",))


def _told(given: SummaryInput, *preferred: tuple[str, ...]) -> Summary:
    """Return the best memories about the first of the preferred things."""
    own = [one for one in given.memories if one.description.startswith(given.agent_name)]
    sorted_out = [(_about(one, given.agent_name), one) for one in own]
    for things in preferred:
        chosen = [one for thing in things for about, one in sorted_out if about == thing]
        if chosen:
            return _summary(chosen, given.agent_name)
    return _summary(own or given.memories[:1], given.agent_name)


def _about(memory: MemoryItem, name: str) -> str:
    by_origin = _BY_ORIGIN.get(memory.origin.value)
    if by_origin is not None:
        return by_origin
    said = " ".join(memory.description.split()).removeprefix(name)
    return next((about for about, signs in _FINDERS if signs.search(said)), "core")


def _summary(memories: Sequence[MemoryItem], name: str) -> Summary:
    """Return the memories as sentences; after the first the given name will do."""
    texts = dict.fromkeys(_sentence(one, name) for one in memories)
    sentences: list[str] = []
    for sentence in tuple(texts)[:SENTENCES_MAX]:
        said = sentence.replace(name, first_name(name), 1) if sentences else sentence
        if sum(map(len, sentences)) + len(said) + len(sentences) > SUMMARY_CHARACTERS_MAX:
            break
        sentences.append(said)
    return Summary(summary=" ".join(sentences))


def _sentence(memory: MemoryItem, name: str) -> str:
    """Return the memory as a sentence; what is going on becomes what has been going on."""
    text = " ".join(memory.description.split())
    said = text.removeprefix(name)
    if said != text and _about(memory, name) == "moment":
        text = name + _GOING_ON.sub(" has been ", said)
    shortened = text[:SENTENCE_CHARACTERS_MAX].rstrip(" .;,")
    return f"{shortened[:1].upper()}{shortened[1:]}."
