"""Hears what a sentence does in a conversation: greets, asks, invites, tells (stand-in).

Not a language model: the first act whose cue is found is taken, and what has none is a
statement or a question like any other.
"""

import re
from dataclasses import dataclass

from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.cues import CUES

LEAST_WORDS = 4
_SENTENCE = re.compile(r"(?<=[.!?…])\"?\s+(?=[A-Z\"0-9])")
# What only leads to a sentence; a name, as long as it is no yes or no.
_LEADS = "|".join(
    (
        r"hi|hey|hello|good (?:morning|afternoon|evening)|morning|dear|dad|mom",
        r"oh|ah|well|so|and|but|now|listen|look|okay|ok|actually|anyway",
        r"by the way|you know(?: what)?|guess what|i have (?:some )?news|speaking of which",
        r"to be honest|honestly|i mean",
        r"(?-i:(?!Yes|No|Sure|Maybe|Perhaps|Thanks|Sorry|Absolutely|Definitely|Certainly|Yep|Yup)"
        r"[A-Z][a-z]+)",
    )
)
_BEFORE = re.compile(rf"^(?:(?:{_LEADS})[,:!-]+ )+", re.IGNORECASE)
_NAME = r"[A-Z]\w+(?: [A-Z]\w+){0,2}"
_PASSED_ON = "|".join(
    (
        r"(?:did|have) you (?:hear|heard|know)(?: about it| already| yet)?(?: that|:)",
        r"i(?: have|'ve)? (?:just )?(?:heard|hear) that",
        rf"i(?: have|'ve)? (?:just )?(?:heard|hear) from (?P<source>{_NAME}) that",
        rf"(?P<teller>{_NAME}) (?:has )?(?:told|says to) me(?: that|,)?",
        r"they say(?: that)?|people say(?: that)?|word is(?: that)?|rumor has it that",
        r"i (?:wanted to|should|must) tell you that|i want you to know that",
    )
)
_NEWS = re.compile(rf"^(?:{_PASSED_ON}) (?P<news>.+)", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    r"(?:[Ii](?:'m|'ve|'ll)? |[Mm]y |[Tt]here(?:'s| is) |[A-Z]\w+ [A-Z]\w+ )"
)
_ALWAYS_HEARD = (Act.MEDDLING, Act.MACHINE_QUESTION)


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence, what it does, and what it is about ("" where that is all there is)."""

    act: Act
    sentence: str
    about: str = ""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of what was said."""
    return [part.strip() for part in _SENTENCE.split(" ".join(text.split())) if part.strip()]


def heard_in(text: str) -> list[Heard]:
    """Return what the sentences of a line do, in order."""
    return [_heard(sentence) for sentence in sentences_of(text)]


def acts_in(text: str) -> list[Act]:
    """Return the acts of a line, in order."""
    return [heard.act for heard in heard_in(text)]


def without_lead(sentence: str) -> str:
    """Return the sentence without what only leads to it: "Well, Tom, ..."."""
    return _BEFORE.sub("", sentence) or sentence


def news_of(sentence: str) -> tuple[str, str]:
    """Return what a sentence such as "Did you hear that ...?" tells, and who said it."""
    match = _NEWS.match(without_lead(sentence))
    if match is None:
        return "", ""
    return match["news"].strip(" .?!"), match["teller"] or match["source"] or ""


def _heard(sentence: str) -> Heard:
    plain = without_lead(sentence)
    news, _ = news_of(sentence)
    act, about = _act_of(plain)
    if act is None:
        act, about = _act_of(sentence)
    if news and act not in _ALWAYS_HEARD:
        return Heard(Act.NEWS, sentence, news)
    if act is not None:
        return Heard(act, sentence, about)
    if sentence.endswith("?"):
        return Heard(Act.QUESTION, sentence, plain.strip(" ?"))
    tells = _OF_SOMEBODY.match(plain) is not None and len(plain.split()) >= LEAST_WORDS
    return Heard(Act.STATEMENT if tells else Act.REMARK, sentence, plain.strip(" .!…"))


def _act_of(plain: str) -> tuple[Act | None, str]:
    """Return the first act with a cue in the sentence, and what the cue says it is about."""
    for act, finders in CUES:
        for finder in finders:
            match = finder.search(plain)
            if match is not None:
                about = next((value for value in match.groupdict().values() if value), "")
                return act, about.strip(" ?.!")
    return None, ""
