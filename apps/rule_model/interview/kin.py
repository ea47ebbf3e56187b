"""What somebody says of their family (stand-in, not a language model)."""

import re

from apps.rule_model.interview import themself
from apps.rule_model.interview.matter import Matter
from apps.rule_model.interview.others import named_in
from apps.rule_model.reading.names import first_name
from apps.rule_model.reading.ties import tie_to

# Who is asked for by one of these words is found by the others.
_KIN = (
    "child|children|kids?|sons?|daughters?",
    "wife|husband|spouse|married",
    "parents?|father|mother|dad|mom",
    "brothers?|sisters?|siblings?",
)
ANY = "|".join(_KIN)
_ONE_OF = r"(?:his|her|their|an?|one|two|three|four) (?:\w+ )?"
_TIMED = re.compile(r"\b\d{1,2}(?::\d\d)? ?[ap]m\b")
_AGE = re.compile(r"\b(?P<age>\d{1,3}) years old\b|\b(?:aged?:?) (?P<number>\d{1,3})\b")
SENTENCES_MAX = 2


def family(matter: Matter) -> str:
    """Tell of the kin that the question names, "" where it names none."""
    kin = _kin_in(matter.question)
    if not kin:
        return ""
    named = re.compile(rf"\b(?:{_ONE_OF}(?:{kin})\b(?!')|(?:{kin}) to\b)")
    found = [core for core in matter.own() if named.search(core) and not _TIMED.search(core)]
    told = list(dict.fromkeys(matter.say(core) for core in found))
    return " ".join(told[:SENTENCES_MAX]) or "There is nobody that I could name."


def age(matter: Matter) -> str:
    """Tell how old somebody else is, as far as one has heard."""
    name = named_in(matter) or _called(matter)
    if name == matter.me:
        return themself.age(matter)
    ages = [
        found["age"] or found["number"]
        for told in matter.about(name)
        if name and told.core.startswith(name) and (found := _AGE.search(told.core))
    ]
    first = first_name(name)
    if ages:
        return f"{first} is {ages[0]}."
    return f"I couldn't tell you how old {first} is." if name else "I couldn't tell you that."


def _kin_in(question: str) -> str:
    words = question.lower()
    return next((kin for kin in _KIN if re.search(rf"\b(?:{kin})\b", words)), "")


def _called(matter: Matter) -> str:
    """Return the name of the kin that the question speaks of: "your son"."""
    kin = _kin_in(matter.question)
    sentences = [told.core for told in matter.told]
    of_kin = (
        name
        for name in matter.people()
        if kin and re.fullmatch(kin, tie_to(name, matter.me, sentences).kin)
    )
    return next(of_kin, "")
