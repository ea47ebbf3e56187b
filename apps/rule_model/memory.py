"""Importance of new memories by general properties (M3), and summaries of an agent (S1)."""

import re
from collections.abc import Iterable, Sequence

from apps.kernel.text import clip
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import ImportanceInput, MemoryItem, NewMemory, SummaryInput
from apps.memory.llm_tasks.importance import Importances
from apps.memory.llm_tasks.summaries import SUMMARY_CHARACTERS_MAX, Summaries
from apps.memory.rules import IMPORTANCE_MAX, IMPORTANCE_MIN
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.knowledge.gatherings import is_outdated
from apps.rule_model.knowledge.news import strength_of
from apps.rule_model.language.subjects import first_name, people_in, subject_of
from apps.rule_model.model import Chance

_DATA = vocabulary("phrases_importance")
_ORIGINS = {MemoryOrigin(name): value for name, value in _DATA["origins"].items()}
_WORDS = tuple((value, re.compile(rf"(?i)\b(?:{words})\b")) for value, words in _DATA["words"])
_PATTERNS = patterns("importance")
# A sight is not about the things that it names: only striking words count.
_SIGHTS = frozenset(map(MemoryOrigin, _DATA["sights"]))
# Another name in the description or in a thought is that of a relationship.
_THOUGHTS = frozenset(map(MemoryOrigin, _DATA["thoughts"]))
SENTENCES_MAX, SENTENCE_CHARACTERS_MAX = 3, 240
_SIGNS = patterns("summary")
# What a memory is about by its origin, whatever its words are.
_BY_ORIGIN: dict[str, str] = vocabulary("phrases_summary")["origins"]
_GOING_ON = re.compile(r"^ (?:is|are|was) (?:now |just |currently )?")


def importance(inputs: ImportanceInput, chance: Chance) -> Importances:  # noqa: ARG001
    """Rate each memory (M3); the same memory is always rated the same."""
    rated = (_rating(memory, inputs.agent_name) for memory in inputs.memories)
    return Importances(importances=tuple(rated))


def importance_of(text: str, origin: MemoryOrigin) -> int:
    """Return the importance of a memory that is rated where it is created."""
    memory = NewMemory(kind=MemoryKind.REFLECTION, origin=origin, description=text)
    return _rating(memory, subject_of(text))


def _rating(memory: NewMemory, name: str) -> int:
    """Return the importance of a memory of the agent of the name (M3)."""
    text, origin = memory.description, memory.origin
    base: int = _ORIGINS[origin]
    of_words: int = next((value for value, words in _WORDS if words.search(text)), 0)
    if origin in _SIGHTS:
        if of_words >= _DATA["striking"]:
            return of_words
        return IMPORTANCE_MIN if _PATTERNS["mundane"].search(text) else base
    if memory.scheduled is not None and memory.kind is MemoryKind.PLAN:
        base = _DATA["ahead"]
    elif origin is MemoryOrigin.DESCRIPTION and _PATTERNS["hours"].search(text):
        base = _DATA["habit"]
    elif origin in _THOUGHTS and len(people_in(text)) > bool(name):
        base = _DATA["tie"]
    news: float = min(strength_of(_core(text), subject_of(_core(text))), _DATA["news_max"])
    return round(min(IMPORTANCE_MAX, max(base, of_words, news)))


def _core(text: str) -> str:
    """Return the news in a memory of words."""
    return text.partition(" told ")[2].partition(" that ")[2] or text


def summaries(inputs: SummaryInput, _: Chance) -> Summaries:
    """Return the best memories about the first of the preferred things of each summary."""
    name = inputs.agent_name
    work = inputs.lasting.occupation[:1] + inputs.lasting.pursuits + inputs.lasting.occupation
    named = (m for m in inputs.memories if m.description.startswith(name))
    own = [(_about(m, name), m) for m in named if not is_outdated(m, m.description, inputs.now)]

    def summary_of(*preferred: Sequence[str]) -> str:
        for things in preferred:
            chosen = [one for thing in things for about, one in own if about == thing]
            if chosen:
                return _sentences(chosen, name)
        return _sentences([one for _, one in own] or inputs.memories[:1], name)

    return Summaries(
        core=summary_of(("core", "tie"), ("occupation",)),
        occupation=_told(work, name)
        or summary_of(("occupation", "routine"), ("moment",), ("core",)),
        feeling=summary_of(("feeling",), ("moment",), ("occupation",)),
    )


def _about(memory: MemoryItem, name: str) -> str:
    by_origin = _BY_ORIGIN.get(memory.origin.value)
    if by_origin is not None:
        return by_origin
    return sign_of(" ".join(memory.description.split()).removeprefix(name))


def sign_of(said: str) -> str:
    """Return the topic of a statement by the words behind the name of its subject."""
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
    """Return the memory; a momentary activity is put in the perfect."""
    text = " ".join(memory.description.split())
    said = text.removeprefix(name)
    if said != text and _about(memory, name) == "moment":
        return name + _GOING_ON.sub(" has been ", said)
    return text


def _sentence(text: str) -> str:
    shortened = clip(text, SENTENCE_CHARACTERS_MAX).rstrip(" .;,")
    return f"{shortened[:1].upper()}{shortened[1:]}."
