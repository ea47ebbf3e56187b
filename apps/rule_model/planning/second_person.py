"""Turns what is said to an agent into a sentence about it: "you are" -> "Ada Finch is"."""

import re
from functools import lru_cache

from apps.rule_model.content import Vocabulary, words
from apps.rule_model.language.words import patterns
from apps.rule_model.planning.inflection import gerund_of

_PATTERNS = patterns("own_thought")

_CONTRACTIONS = (
    (r"\byou're\b", "you are"),
    (r"\byou've\b", "you have"),
    (r"\byou'll\b", "you will"),
    (r"\byou'd better\b", "you had better"),
    (r"\byou'd\b", "you would"),
    (r"\bi'm\b", "I am"),
    (r"\bi've\b", "I have"),
    (r"\bi'll\b", "I will"),
    (r"\bcan't\b", "cannot"),
    (r"\bwon't\b", "will not"),
    (r"\b(do|does|did|have|has|is|are|was|would|could|should|must)n't\b", r"\1 not"),
)
_THIRD = {"are": "is", "am": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}
_UNCHANGED = words("verbs_without_s")
_NO_IMPERATIVE = words("no_imperatives")


def about(sentence: str, name: str) -> str:
    """Return the sentence with the agent's full name for "you" and "I"."""
    for short, long in _CONTRACTIONS:
        sentence = re.sub(short, long, sentence, flags=re.IGNORECASE)
    text = _PATTERNS["subject"].sub(lambda match: _with_name(match, name), sentence)
    text = re.sub(r"\b(?:yourself|myself)\b", "themself", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:your|yours|my|mine)\b", f"{name}'s", text, flags=re.IGNORECASE)
    return re.sub(r"\b(?:you|me|I)\b(?!')", name, text, flags=re.IGNORECASE)


def is_imperative(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether the sentence begins with a verb that bids something.

    It has neither a subject nor a finite verb in front; before a word that ends in "s" only
    verbs of the vocabulary count, since "Ada likes you" bids nothing.
    """
    first, _, rest = sentence.partition(" ")
    second = rest.partition(" ")[0].strip(",.")
    if first.strip(",").lower() in _NO_IMPERATIVE or not first.isalpha():
        return False
    if _PATTERNS["finite"].match(second) or (second[:1].isupper() and first[-1:] == "s"):
        return False
    looks_finite = second.endswith("s") and second not in {"his", "its", "this", "us"}
    return not looks_finite or gerund_of(first.lower()) in _verbs(vocabulary)


def _with_name(match: re.Match[str], name: str) -> str:
    verb = match["verb"].lower()
    if verb in _UNCHANGED or verb.endswith("ed"):
        third = verb
    else:
        third = _THIRD.get(verb) or _with_s(verb)
    return f"{match['before']}{name}{match['adverb']} {third}"


def _with_s(verb: str) -> str:
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "ch", "sh", "z")) else f"{verb}s"


@lru_cache(maxsize=8)
def _verbs(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the first words of all steps: "buying", "baking"."""
    return frozenset(
        step.doing.partition(" ")[0]
        for activity in vocabulary.activities
        for hour in activity.hours
        for step in hour.steps
    )
