"""Importance of new memories by general properties: origin, subject, dates, strong words."""

import re

from apps.memory.chains.importance import Importances
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.inputs import ImportanceInput, NewMemory
from apps.memory.rules import IMPORTANCE_MAX, IMPORTANCE_MIN
from apps.rule_model.knowledge.news import strength_of
from apps.rule_model.language.names import subject_of
from apps.rule_model.language.words import vocabulary
from apps.rule_model.model import Chance

_DATA = vocabulary("phrases_importance")
_ORIGINS = {MemoryOrigin(name): value for name, value in _DATA["origins"].items()}
_WORDS = tuple(
    (value, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for value, words in _DATA["words"]
)
_MUNDANE = re.compile(_DATA["mundane"], re.IGNORECASE)
_HOURS = re.compile(r"\b(?:at|from|around|until) \d{1,2}(?::\d{2})? ?[ap]m\b", re.IGNORECASE)
# Sights are not about what they name: words count for them, news does not.
_SIGHTS = frozenset(map(MemoryOrigin, _DATA["sights"]))


def importance(given: ImportanceInput, chance: Chance) -> Importances:  # noqa: ARG001
    """Rate each memory (M3); the same memory is always rated the same."""
    return Importances(importances=tuple(map(_rating, given.memories)))


def _rating(memory: NewMemory) -> int:
    text = memory.description
    rating: float = max(_ORIGINS[memory.origin], _of_words(text))
    if memory.origin in _SIGHTS:
        if _MUNDANE.search(text) and rating <= _ORIGINS[memory.origin] + 1:
            rating = IMPORTANCE_MIN
    elif memory.scheduled is not None and memory.kind is MemoryKind.PLAN:
        rating = max(rating, _DATA["ahead"])
    else:
        rating = max(rating, min(strength_of(_core(text), subject_of(_core(text))), 8))
        if memory.origin is MemoryOrigin.DESCRIPTION and _HOURS.search(text):
            rating = max(rating, _DATA["habit"])
    return round(max(IMPORTANCE_MIN, min(IMPORTANCE_MAX, rating)))


def _core(text: str) -> str:
    """Return what was told, of a memory of words."""
    return text.partition(" told ")[2].partition(" that ")[2] or text


def _of_words(text: str) -> int:
    return next((value for value, words in _WORDS if words.search(text)), 0)
