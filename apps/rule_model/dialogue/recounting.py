"""Turns what somebody said into sentences that stay true without the talk (stand-in).

"I'm having a party tomorrow" -> "Isabella Rodriguez is having a party on February 14, 2023".
Not a language model: names for pronouns, dates for "tomorrow", nothing else.
"""

import re
from collections.abc import Sequence
from datetime import date

from apps.dialogue.chains.utterance import Line
from apps.rule_model.dialogue.hearing import news_of, without_lead
from apps.rule_model.reading.moments import written
from apps.rule_model.reading.names import first_name, people_in, with_full_names
from apps.rule_model.reading.persons import in_third_person

_TRAILS = re.compile(r",? (?:you know|by the way|that's all|these days|to be honest|I think)$")
_THEY = re.compile(r"^(?:he|she)\b")
_SHORT_NAME = re.compile(r"^(?P<name>[A-Z][\w'-]+(?: [A-Z][\w-]+)*)'s (?=\w+ing\b|going\b)")


def names_in(lines: Sequence[Line]) -> list[str]:
    """Return the full names of all who speak or are spoken of, in order."""
    speakers = list(dict.fromkeys(line.speaker for line in lines))
    named = (name for line in lines for name in people_in(line.text, speakers))
    return list(dict.fromkeys([*speakers, *named]))


def recounted(
    sentence: str, *, speaker: str, listener: str, today: date, names: Sequence[str]
) -> str:
    """Return a said sentence in the third person, without what led to it."""
    news, teller = news_of(sentence)
    text = (news or without_lead(sentence)).strip(" .!?…")
    text = _TRAILS.sub("", text)
    text = _SHORT_NAME.sub(r"\g<name> is ", text)
    if teller and news:
        text = _with_subject(text, teller)
    text = in_third_person(text, speaker, listener)
    text = with_full_names(text, _unmistakable(names))
    return _shortly(written(text, today), names)


def told_by(sentence: str, names: Sequence[str]) -> str:
    """Return the full name of whom the sentence is passed on from, "" for none."""
    teller = news_of(sentence)[1]
    after = re.match(r"^(?P<name>[A-Z]\w+(?: [A-Z]\w+)?) (?:told me|said so)\W*$", sentence)
    said = teller or (after["name"] if after else "")
    return next((name for name in names if said and said in (name, first_name(name))), "")


def _with_subject(text: str, teller: str) -> str:
    """Return "X is ..." for the "she's ..." of "X told me that she's ..."."""
    if not _THEY.match(text):
        return text
    pronoun, _, rest = text.partition(" ")
    verb = " is" if "'s" in pronoun else ""
    return f"{teller}{verb} {rest}"


def _unmistakable(names: Sequence[str]) -> list[str]:
    """Return the names whose given name is nobody else's, and no part of a place."""
    given = [first_name(name) for name in names]
    return [name for name in names if given.count(first_name(name)) == 1]


def _shortly(text: str, names: Sequence[str]) -> str:
    """Return the text with the given name alone where a full name comes again."""
    for name in names:
        head, found, tail = text.partition(name)
        text = head + found + tail.replace(name, first_name(name)) if found else text
    return text
