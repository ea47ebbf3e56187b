"""Importance of new memories by general properties (M3), and summaries of an agent (S1)."""

import re
from collections.abc import Iterable, Sequence

from apps.kernel.text import clip
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.inputs import ImportanceInput, NewMemory, SummaryInput
from apps.memory.items import MemoryItem
from apps.memory.llm_tasks.importance import Importances
from apps.memory.rules import IMPORTANCE_MAX, IMPORTANCE_MIN
from apps.memory.summary.llm_tasks import SUMMARY_CHARACTERS_MAX, Summaries
from apps.rule_model.knowledge.gatherings import is_outdated
from apps.rule_model.knowledge.news import strength_of
from apps.rule_model.language.subjects import first_name, subject_of
from apps.rule_model.language.words import patterns, vocabulary
from apps.rule_model.model import Chance

_DATA = vocabulary("phrases_importance")
_ORIGINS = {MemoryOrigin(name): value for name, value in _DATA["origins"].items()}
_WORDS = tuple(
    (value, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for value, words in _DATA["words"]
)
_PATTERNS = patterns("importance")
# Sights are not about what they name: words count for them, news does not.
_SIGHTS = frozenset(map(MemoryOrigin, _DATA["sights"]))
SENTENCES_MAX = 3
SENTENCE_CHARACTERS_MAX = 240
_SIGNS = patterns("summary")
# What a memory is about by its origin, whatever its words are.
_BY_ORIGIN: dict[str, str] = vocabulary("phrases_summary")["origins"]
_GOING_ON = re.compile(r"^ (?:is|are) (?:now |just |currently )?")


def importance(inputs: ImportanceInput, chance: Chance) -> Importances:  # noqa: ARG001
    """Rate each memory (M3); the same memory is always rated the same."""
    return Importances(importances=tuple(map(rating, inputs.memories)))


def importance_of(text: str, origin: MemoryOrigin) -> int:
    """Return the importance of a memory that is rated where it is created."""
    return rating(NewMemory(kind=MemoryKind.REFLECTION, origin=origin, description=text))


def rating(memory: NewMemory) -> int:
    """Return the importance of a memory (M3)."""
    text = memory.description
    of_words = next((value for value, words in _WORDS if words.search(text)), 0)
    rating: float = max(_ORIGINS[memory.origin], of_words)
    if memory.origin in _SIGHTS:
        if _PATTERNS["mundane"].search(text) and rating <= _ORIGINS[memory.origin] + 1:
            rating = IMPORTANCE_MIN
    elif memory.scheduled is not None and memory.kind is MemoryKind.PLAN:
        rating = max(rating, _DATA["ahead"])
    else:
        rating = max(rating, min(strength_of(_core(text), subject_of(_core(text))), 8))
        if memory.origin is MemoryOrigin.DESCRIPTION and _PATTERNS["hours"].search(text):
            rating = max(rating, _DATA["habit"])
    return round(max(IMPORTANCE_MIN, min(IMPORTANCE_MAX, rating)))


def _core(text: str) -> str:
    """Return the news in a memory of words."""
    return text.partition(" told ")[2].partition(" that ")[2] or text


def summaries(inputs: SummaryInput, _: Chance) -> Summaries:
    """Return the best memories about the first of the preferred things of each summary."""
    work = inputs.lasting.occupation[:1] + inputs.lasting.pursuits + inputs.lasting.occupation
    return Summaries(
        core=_summary_of(inputs, ("core", "tie"), ("occupation",)),
        occupation=_told(work, inputs.agent_name)
        or _summary_of(inputs, ("occupation", "routine"), ("moment",), ("core",)),
        feeling=_summary_of(inputs, ("feeling",), ("moment",), ("occupation",)),
    )


def _summary_of(inputs: SummaryInput, *preferred: Sequence[str]) -> str:
    own = [
        one
        for one in inputs.memories
        if one.description.startswith(inputs.agent_name)
        and not is_outdated(one, one.description, inputs.now)
    ]
    sorted_out = [(_about(one, inputs.agent_name), one) for one in own]
    for things in preferred:
        chosen = [one for thing in things for about, one in sorted_out if about == thing]
        if chosen:
            return _sentences(chosen, inputs.agent_name)
    return _sentences(own or inputs.memories[:1], inputs.agent_name)


def _about(memory: MemoryItem, name: str) -> str:
    by_origin = _BY_ORIGIN.get(memory.origin.value)
    if by_origin is not None:
        return by_origin
    return sign_of(" ".join(memory.description.split()).removeprefix(name))


def sign_of(said: str) -> str:
    """Return what a statement is about, by the words behind the name of its subject."""
    return next((about for about, signs in _SIGNS.items() if signs.search(said)), "core")


def _sentences(memories: Sequence[MemoryItem], name: str) -> str:
    """Return the memories as sentences; after the first the given name will do."""
    return _told([_went_on(one, name) for one in memories], name)


def _told(texts: Iterable[str], name: str) -> str:
    """Return the texts as sentences, each once."""
    sentences: list[str] = []
    for sentence in tuple(dict.fromkeys(map(_sentence, texts)))[:SENTENCES_MAX]:
        said = sentence.replace(name, first_name(name), 1) if sentences else sentence
        if sum(map(len, sentences)) + len(said) + len(sentences) > SUMMARY_CHARACTERS_MAX:
            break
        sentences.append(said)
    return " ".join(sentences)


def _went_on(memory: MemoryItem, name: str) -> str:
    """Return the memory; what is going on becomes what has been going on."""
    text = " ".join(memory.description.split())
    said = text.removeprefix(name)
    if said != text and _about(memory, name) == "moment":
        return name + _GOING_ON.sub(" has been ", said)
    return text


def _sentence(text: str) -> str:
    shortened = clip(text, SENTENCE_CHARACTERS_MAX).rstrip(" .;,")
    return f"{shortened[:1].upper()}{shortened[1:]}."
