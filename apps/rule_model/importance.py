"""The stand-in's answers for the memory stream: importance by words, not by understanding.

The strongest word that a description holds decides; a description with none of them is a
little more than mundane. Nothing is left to chance: the same words matter the same.
"""

import re

from apps.memory.chains.importance import IMPORTANCE, Importances, NewMemories
from apps.rule_model.model import Chance, TaskRule

PLAIN_IMPORTANCE = 2

# From the strongest to the mundane; the first that is found decides.
_WORDS = (
    (10, r"died|death|funeral|wedding|married|pregnant|divorce|broke up|break(?:s|ing)? up"),
    (9, r"fire|burning|in flames|flood(?:s|ed|ing)?|accident|in love|engaged to"),
    (
        8,
        r"mayor|election|candida\w+|crush|on a date|out on|loves (?:his|her|their)\b.*|lost "
        r"(?:his|her|their)|grie[fv]\w*|fights?|fighting|robbed|collapsed",
    ),
    (
        7,
        r"party|invit\w+|quarrel\w*|argu(?:es|ed|ing|ment)|secret|valentine's day|leaking|"
        r"news (?:of|that|about)|promis\w+|agreed|declined|gossip\w*|dislikes|hates|"
        r"celebrat\w+",
    ),
    (6, r"reali[sz]\w+|worri\w+|excited|proud|deadline|due this week|exhibition|debate"),
    (
        5,
        r"(?:talk|convers|chat)\w*|tells?|told|asks?|asked|said|says|friends?|helps?|helped",
    ),
    (
        4,
        r"meet(?:s|ing)?|met|greet\w*|visit\w*|knows|neighbou?rs?|hous?emates?|thesis|research|"
        r"exam|novel|compos\w+|customers?|greeting",
    ),
    (
        3,
        r"work\w*|stud(?:y|ies|ying)|teach\w*|writ\w+|paint\w*|serv\w+|open(?:s|ing)|class(?:es)?|"
        r"lecture|plan\w*|prepar\w+|student|owner|rehears\w+",
    ),
    (
        1,
        r"idle|asleep|sleep\w*|brush\w*|mak(?:es|ing) (?:\w+ )?bed|shower\w*|wak(?:es|ing)|"
        r"get(?:s|ting)? (?:up|dressed|ready)|breakfast|wash\w*|closed|locked",
    ),
)
# What somebody does at set hours is what their days are made of, however mundane it is; a
# plan of one day is not, and what is done in a moment has no hours.
ROUTINE_IMPORTANCE = 7
_ROUTINE = re.compile(
    r"^(?!.*\bplans (?:to|on)\b).*\b(?:at|from|around|until) \d{1,2}(?::\d{2})? ?[ap]m\b",
    re.IGNORECASE,
)
_STRENGTHS = tuple(
    (importance, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for importance, words in _WORDS
)


def importance_by_words(given: NewMemories, chance: Chance) -> Importances:  # noqa: ARG001
    """Rate each memory by the strongest word in it (M3)."""
    return Importances(importances=tuple(map(_importance, given.descriptions)))


def _importance(description: str) -> int:
    least = ROUTINE_IMPORTANCE if _ROUTINE.search(description) else 0
    for importance, words in _STRENGTHS:
        if words.search(description):
            return max(importance, least)
    return max(PLAIN_IMPORTANCE, least)


TASK_RULES: dict[str, TaskRule] = {IMPORTANCE.name: importance_by_words}
