"""Forms of English verbs and activities, and the grammatical person of sentences.

A verb behind "and" is known from a list, or by the article or pronoun that follows it. A change
of person changes names, pronouns and verbs: "Ada Finch is writing" <-> "I'm writing".
"""

import re
from collections.abc import Callable, Sequence

from apps.rule_model.content import english, patterns, vocabulary
from apps.rule_model.language.subjects import people_in

_PATTERNS = patterns("inflection")
_ENGLISH = vocabulary("phrases_english")
_IRREGULAR: dict[str, str] = _ENGLISH["irregular_infinitives"]
_THIRD_PERSONS: dict[str, str] = _ENGLISH["irregular_third_persons"]
_UNDOUBLED = english("undoubled_verbs")
_NO_VERB = english("no_verbs")
_PERSONS = patterns("persons")

_VERBS, _UNCHANGED = english("verbs"), english("past_forms") | english("modals")
_AND = re.compile(r"(\band (?:then )?)([a-z]+)\b")
# A name behind one of these is no subject, whatever follows it.
_PREPOSITIONS = ("of", "with", "to", "for", "from", "about", "at", "by", "than", "like", "near")
_NO_SUBJECT = "".join(rf"(?<!\b{word} )" for word in _PREPOSITIONS)
_SECOND = {"is": "are", "has": "have", "does": "do", "was": "were"}
_FIRST = {**_SECOND, "is": "am", "was": "was"}
_VERB_BEHIND = _PERSONS["verb_behind"].pattern
_NAME = r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)+"
_OWN = tuple((re.compile(text), put) for text, put in _ENGLISH["own_pronouns"])


def listed(items: Sequence[str]) -> str:
    """Return "a, b and c", in English whatever the active language is; "" without items."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


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
    if closed and verb not in _UNDOUBLED and _PATTERNS["last_stressed"].search(verb):
        return f"{verb}{verb[-1]}ing" if verb[-1] != "v" else f"{verb}ing"
    return f"{verb}king" if verb.endswith("ic") else f"{verb}ing"


def in_progress(activity: str) -> str:
    """Return an infinitive as a present participle: "open the gate and pray"."""
    first, space, rest = activity.strip().partition(" ")
    told = _PATTERNS["and_verb"].sub(lambda match: f"{match[1]} {gerund_of(match[2])}", rest)
    told = _AND.sub(lambda m: m[1] + (gerund_of(m[2]) if m[2] in _VERBS else m[2]), told)
    return f"{gerund_of(first.lower())}{space}{told}"


def as_infinitive(clause: str) -> str:
    """Return a clause in the third person as an infinitive: "grinds ink and paints a leaf"."""
    first, space, rest = clause.strip().partition(" ")

    def joined(match: re.Match[str]) -> str:
        is_verb = match[2] not in _NO_VERB and not match[2].endswith("ss")
        return f"{match[1]} {infinitive_of(match[2])}" if is_verb else match[0]

    return f"{infinitive_of(first.lower())}{space}{_PATTERNS['and_third'].sub(joined, rest)}"


def in_first_person(sentence: str, speaker: str, listener: str = "") -> str:
    """Return the sentence as the speaker says it to the listener, with short forms."""
    said = _own_pronouns(sentence, speaker) if sentence.startswith(speaker) else sentence
    surname = re.escape(speaker.rpartition(" ")[2])
    said = re.sub(rf"\b(?:the )?{surname} family's\b", "my", said)
    said = _as_person(said, speaker, ("I", "me", "my"), _FIRST)
    if listener:
        said = _as_person(said, listener, ("you", "you", "your"), _SECOND)
    for long, short in _ENGLISH["contracted"]:
        said = re.sub(long, short, said)
    return said


def activity_in_first_person(activity: str, speaker: str, listener: str = "") -> str:
    """Return an activity ("mend her nets") as the speaker says it of itself."""
    said = _own_pronouns(f"{speaker} {activity}", speaker).removeprefix(f"{speaker} ")
    return in_first_person(said, speaker, listener)


def in_third_person(said: str, speaker: str, listener: str) -> str:
    """Return what the speaker said to the listener as a sentence with names."""
    text = said
    for short, long in _ENGLISH["in_full"]:
        text = re.sub(short, long, text, flags=re.IGNORECASE)
    text = re.sub(r"^i\b", "I", text).replace("by myself", "alone")
    verbs = _VERBS | {"am"}
    text = _conjoined(text, "I", lambda verb: third_person_of(verb) if verb in verbs else verb)
    text = _named(text, "I", speaker)
    text = _named(text, "[Yy]ou", listener)
    text = re.sub(r"\b(?:[Mm]y|mine)\b", f"{speaker}'s", text)
    text = re.sub(r"\b[Yy]ours?\b", f"{listener}'s", text)
    return re.sub(r"\b(?:me|myself)\b", speaker, text)


def base_of(verb: str) -> str | None:
    """Return the infinitive of "studies", None for what is no known verb."""
    base = infinitive_of(verb)
    return base if base != verb and (base in _VERBS or verb in _IRREGULAR) else None


def _as_person(text: str, name: str, pronouns: Sequence[str], forms: dict[str, str]) -> str:
    """Put pronouns for the name: as a subject, an object, and for what is its own or shared."""
    called, (subject, thing, whose) = re.escape(name), pronouns
    text = re.sub(rf"({_NAME}) and {called}'s\b", rf"\1's and {whose}", text)
    text = re.sub(rf"\b{called} and ({_NAME})'s\b", rf"\1's and {whose}", text)
    text = re.sub(rf"\b{called}(?:'s|'(?= ))", whose, text)

    def as_subject(match: re.Match[str]) -> str:
        if match.start() and not _is_verb(match["verb"]):
            return match[0]
        return f"{subject}{match['adverb']} {_agreeing(match['verb'], forms)}"

    text = re.sub(rf"{_NO_SUBJECT}\b{called}{_VERB_BEHIND}", as_subject, text)
    text = _conjoined(
        text,
        subject,
        lambda verb: _agreeing(verb, forms) if verb[-1] == "s" and _is_verb(verb) else verb,
    )
    return re.sub(rf"\b{called}\b", thing, text)


def _is_verb(word: str) -> bool:
    return word in _UNCHANGED or word in {"is", "has", "does"} or base_of(word) is not None


def _agreeing(verb: str, forms: dict[str, str]) -> str:
    """Return the verb of a third person as another person wants it."""
    if verb in forms:
        return forms[verb]
    if verb in _UNCHANGED or verb.endswith("ss") or not verb.endswith("s"):
        return verb
    return base_of(verb) or re.sub(r"(?<=[sxz])es$|(?<=[cs]h)es$|s$", "", verb)


def _conjoined(text: str, subject: str, change: Callable[[str], str]) -> str:
    """Change the verbs behind "and" whose subject stands at the beginning.

    Behind "who" or "which" the verbs are somebody else's.
    """
    if not re.match(rf"{subject}\b", text):
        return text
    own = re.split(r"(?=\b(?:who|which|whom|whose)\b)", text, maxsplit=1)
    behind_and = _PERSONS["conjoined"]
    own[0] = behind_and.sub(lambda match: match["before"] + change(match["verb"]), own[0])
    return "".join(own)


def _named(text: str, pronoun: str, name: str) -> str:
    """Put the name for the pronoun, with the verb behind it as the name wants it."""

    def as_name(match: re.Match[str]) -> str:
        verb = match["verb"]
        is_fixed = verb in _UNCHANGED or verb.endswith(("ed", "ly"))
        is_known = verb in _VERBS or verb in _THIRD_PERSONS
        is_changed = is_known or (pronoun == "I" and not is_fixed)
        return f"{name}{match['adverb']} {third_person_of(verb) if is_changed else verb}"

    text = re.sub(rf"\b{pronoun}\b{_VERB_BEHIND}", as_name, text)
    return re.sub(rf"\b{pronoun}\b", name, text)


def _own_pronouns(sentence: str, speaker: str) -> str:
    """Return the sentence with the speaker's pronouns named, up to another one's name.

    What refers back to a subject is not "him" or "her": these are somebody else.
    """
    others = (sentence.find(name) for name in people_in(sentence) if name != speaker)
    end = min(others, default=len(sentence))
    own = sentence[:end]
    for pattern, put in _OWN:
        if put:
            own = pattern.sub(put.format(speaker), own)
        elif pattern.search(own):
            break
    return own + sentence[end:]
