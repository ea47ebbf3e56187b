"""Forms of English verbs and activities: infinitive, third person, progress form.

The rules are regular spelling with a few irregular verbs; no list of verbs decides what is
one. A verb behind "and" is known by the article or pronoun that follows it.
"""

import re

from apps.rule_model.language.words import english, patterns, vocabulary

_PATTERNS = patterns("inflection")

_ENGLISH: dict[str, dict[str, str]] = vocabulary("phrases_english")
_IRREGULAR = _ENGLISH["irregular_infinitives"]
_THIRD_PERSONS = _ENGLISH["irregular_third_persons"]
_UNDOUBLED = english("undoubled_verbs")
_NO_VERB = english("no_verbs")


def infinitive_of(verb: str) -> str:
    """Return the infinitive of a verb in the third person: "copies" -> "copy"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if re.search(r"(?:ss|sh|ch|x|zz|[^aeiou]o)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def third_person_of(verb: str) -> str:
    """Return the form of an infinitive behind a name: "copy" -> "copies"."""
    if verb in _THIRD_PERSONS:
        return _THIRD_PERSONS[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "ch", "sh", "z")) else f"{verb}s"


def gerund_of(verb: str) -> str:
    """Return the progress form of an infinitive: "run" -> "running"."""
    if verb.endswith("ing") and len(verb) > 5:
        return verb
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    closed = re.search(r"(?:^|[^aeiou])[aeiou][bdgklmnprtv]$|^[^aeiou]*qui[tp]$", verb)
    if closed and verb not in _UNDOUBLED and (_is_short(verb) or _is_stressed(verb)):
        return f"{verb}{verb[-1]}ing" if verb[-1] != "v" else f"{verb}ing"
    return f"{verb}king" if verb.endswith("ic") else f"{verb}ing"


def in_progress(activity: str) -> str:
    """Return an infinitive as what somebody is doing: "open the gate and pray"."""
    first, space, rest = activity.strip().partition(" ")
    told = _PATTERNS["and_verb"].sub(lambda match: f"{match[1]} {gerund_of(match[2])}", rest)
    return f"{gerund_of(first.lower())}{space}{told}"


def as_infinitive(clause: str) -> str:
    """Return a clause in the third person as an infinitive: "grinds ink and paints a leaf"."""
    first, space, rest = clause.strip().partition(" ")

    def joined(match: re.Match[str]) -> str:
        is_verb = match[2] not in _NO_VERB and not match[2].endswith("ss")
        return f"{match[1]} {infinitive_of(match[2])}" if is_verb else match[0]

    return f"{infinitive_of(first.lower())}{space}{_PATTERNS['and_third'].sub(joined, rest)}"


def _is_short(verb: str) -> bool:
    return len(re.findall(r"[aeiouy]+", verb)) == 1


def _is_stressed(verb: str) -> bool:
    """Whether the last syllable is stressed: "begin", "prefer", "regret", but not "gather"."""
    return bool(
        re.search(r"(?:gin|fer|gret|mit|cur|get|set|pel|bat|tin)$", verb)
    ) and verb not in {
        "target",
        "budget",
        "market",
        "pilfer",
    }
