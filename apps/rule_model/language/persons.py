"""Grammatical person and inflection of English sentences.

"Ada Finch is writing her paper" <-> "I'm writing my paper": names, pronouns and the verbs
behind them are changed, and nothing else.
"""

import re
from collections.abc import Callable

from apps.rule_model.language.names import people_in
from apps.rule_model.language.words import english

_VERBS = english("verbs")
_PAST = english("past_forms")
_MODALS = english("modals")
_ADVERBS = (
    "(?:also|always|already|never|often|sometimes|usually|still|just|really|only|now|even|"
    "probably|mostly)"
)
# A name behind one of these is no subject, whatever follows it.
_PREPOSITIONS = ("of", "with", "to", "for", "from", "about", "at", "by", "than", "like", "near")
_NO_SUBJECT = "".join(rf"(?<!\b{word} )" for word in _PREPOSITIONS)
_CONTRACTED = (
    (r"\bI am\b", "I'm"),
    (r"\b(I|you) have (?=been|had|lived|known|shared|served|just|\w+ed\b)", r"\1've "),
    (r"\b(I|you) will\b", r"\1'll"),
    (r"\byou are\b", "you're"),
    (r"\b(do|does|did|have|has|is|are|would|could) not\b", r"\1n't"),
)
_FULL = (
    (r"\bI'm\b", "I am"),
    (r"\b(I|you|we|they)'ve\b", r"\1 have"),
    (r"\b(I|you|he|she|we|they)'ll\b", r"\1 will"),
    (r"\b(I|you|he|she|we|they)'d\b", r"\1 would"),
    (r"\b(you|we|they)'re\b", r"\1 are"),
    (r"\b(he|she)'s\b", r"\1 is"),
    (r"\bcan't\b", "cannot"),
    (r"\bwon't\b", "will not"),
    (r"\b(do|does|did|have|has|is|are|was|would|could)n't\b", r"\1 not"),
)
_VERB_BEHIND = rf"(?P<adverb>(?: {_ADVERBS})*) (?P<verb>[a-z]+)"
_HERS_IS_OBJECT = re.compile(
    r"her(?= (?:and|or|but|for|to|in|at|on|of|with|from|when|since|as|like|an?|the|well|kind)\b"
    r"|\W*$)"
)
_PRONOUN = re.compile(r"\b(?:he|she|him|her|hers|his|himself|herself)\b")
_MALE_PRONOUNS = "he him his himself"
_MALE = frozenset(_MALE_PRONOUNS.split())


def in_first_person(sentence: str, speaker: str, listener: str = "") -> str:
    """Return the sentence as the speaker says it to the listener, with short forms."""
    said = _own_pronouns(sentence, speaker) if sentence.startswith(speaker) else sentence
    said = _as_person(said, speaker, "I", "me", "my")
    if listener:
        said = _as_person(said, listener, "you", "you", "your")
    for long, short in _CONTRACTED:
        said = re.sub(long, short, said)
    return said


def in_third_person(said: str, speaker: str, listener: str) -> str:
    """Return what the speaker said to the listener as a sentence with names."""
    text = said
    for short, long in _FULL:
        text = re.sub(short, long, text, flags=re.IGNORECASE)
    text = re.sub(r"^i\b", "I", text).replace("by myself", "alone")
    text = _conjoined(text, "I", _third)
    text = _named(text, "I", speaker)
    text = _named(text, "[Yy]ou", listener)
    text = re.sub(r"\b(?:[Mm]y|mine)\b", f"{speaker}'s", text)
    text = re.sub(r"\b[Yy]ours?\b", f"{listener}'s", text)
    return re.sub(r"\b(?:me|myself)\b", speaker, text)


def base_of(verb: str) -> str | None:
    """Return the infinitive of "studies", None for what is no known verb."""
    if verb in {"has", "does", "goes"}:
        return {"has": "have", "does": "do", "goes": "go"}[verb]
    stems = (verb.removesuffix("s"), verb.removesuffix("es"), re.sub(r"ies$", "y", verb))
    return next((stem for stem in stems if stem != verb and stem in _VERBS), None)


def gerund_of(verb: str) -> str:
    """Return "running" for "run"."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "be")):
        return f"{verb[:-1]}ing"
    doubles = re.search(r"^[^aeiou]*[aeiou][bdgmnprt]$", verb)
    return f"{verb}{verb[-1]}ing" if doubles else f"{verb}ing"


def _as_person(text: str, name: str, subject: str, thing: str, whose: str) -> str:
    """Put pronouns for the name: as a subject, as a thing, and for what is its own."""
    called = re.escape(name)
    text = re.sub(rf"\b{called}(?:'s|'(?= ))", whose, text)

    def as_subject(match: re.Match[str]) -> str:
        if match.start() and not _is_verb(match["verb"]):
            return match[0]
        return f"{subject}{match['adverb']} {_agreeing(match['verb'], subject)}"

    text = re.sub(rf"{_NO_SUBJECT}\b{called}{_VERB_BEHIND}", as_subject, text)
    text = _conjoined(text, subject, lambda other: _agreeing_or_none(other, subject))
    return re.sub(rf"\b{called}\b", thing, text)


def _agreeing_or_none(word: str, subject: str) -> str | None:
    return _agreeing(word, subject) if word.endswith("s") and _is_verb(word) else None


def _is_verb(word: str) -> bool:
    known = word in _PAST or word in _MODALS or word in {"is", "has", "does"}
    return known or base_of(word) is not None


def _agreeing(verb: str, subject: str) -> str:
    """Return the verb as it stands behind "I" or "you"."""
    special = {"is": "am" if subject == "I" else "are", "has": "have", "does": "do"}
    if verb == "was":
        return "was" if subject == "I" else "were"
    if verb in special:
        return special[verb]
    if verb in _PAST or verb in _MODALS or verb.endswith("ss") or not verb.endswith("s"):
        return verb
    return base_of(verb) or re.sub(r"(?<=[sxz])es$|(?<=[cs]h)es$|s$", "", verb)


def _conjoined(text: str, subject: str, change: Callable[[str], str | None]) -> str:
    """Change the verbs behind "and" whose subject stands at the beginning.

    Behind "who" or "which" the verbs are somebody else's.
    """
    if not re.match(rf"{subject}\b", text):
        return text

    def changed(match: re.Match[str]) -> str:
        return f"{match['before']}{change(match['verb']) or match['verb']}"

    own = re.split(r"(?=\b(?:who|which|whom|whose)\b)", text, maxsplit=1)
    before = rf"(?P<before>(?:\b(?:and|or|but)|,) (?:{_ADVERBS} )?)"
    own[0] = re.sub(rf"{before}(?P<verb>[a-z]+)\b", changed, own[0])
    return "".join(own)


def _third(verb: str) -> str | None:
    return _with_s(verb) if verb in _VERBS else None


def _with_s(verb: str) -> str:
    if verb in {"have", "do", "go"}:
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "ch", "sh")) else f"{verb}s"


def _named(text: str, pronoun: str, name: str) -> str:
    """Put the name for the pronoun, with the verb behind it as the name wants it."""

    def as_name(match: re.Match[str]) -> str:
        verb = match["verb"]
        special = {"am": "is", "are": "is", "have": "has", "do": "does", "were": "was"}
        if verb in special:
            third = special[verb]
        elif verb not in _VERBS and (verb in _PAST | _MODALS or verb.endswith(("ed", "ly"))):
            third = verb
        else:
            third = _with_s(verb) if pronoun == "I" else _third(verb) or verb
        return f"{name}{match['adverb']} {third}"

    text = re.sub(rf"\b{pronoun}\b{_VERB_BEHIND}", as_name, text)
    return re.sub(rf"\b{pronoun}\b", name, text)


def _own_pronouns(sentence: str, speaker: str) -> str:
    """Return the sentence with the speaker's own pronouns put into the first person.

    What refers back to a subject is not "him" or "her": these are somebody else, unless the
    clause has got another subject.
    """
    others = min(
        (sentence.find(name) for name in people_in(sentence) if name != speaker),
        default=len(sentence),
    )
    own: bool | None = None
    foreign_subject = False

    def put(match: re.Match[str]) -> str:
        nonlocal own, foreign_subject
        word, male = match[0], match[0] in _MALE
        is_object = word == "him" or bool(_HERS_IS_OBJECT.match(sentence, match.start()))
        if own is None and not is_object:
            # Behind somebody else's name nothing says whose the pronoun is.
            own = male if match.start() < others else not male
        if male is not own or (is_object and not foreign_subject):
            foreign_subject = foreign_subject or word in {"he", "she"}
            return word
        if word in {"he", "she"}:
            return speaker
        if word in {"himself", "herself"}:
            return "myself"
        return "me" if is_object else f"{speaker}'s"

    return _PRONOUN.sub(put, sentence)
