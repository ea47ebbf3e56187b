"""Knows news of what is no person in a plain sentence (stand-in, not a language model).

"The library is closed", "There is a fire at Johnson Park", "Vera Novak's sister Anna has moved
to Paris". The people of a town do not talk like this among themselves: who comes from outside
does.
"""

import re

from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.talk import Said
from apps.rule_model.reading.names import PERSON
from apps.rule_model.reading.news import EVENT_WORDS

WORDS_MIN = 4
_VERB = (
    r"(?:is|are|was|were|has|have|had|will|won't|opens?|closes?|burns?|starts?|begins?|stole|won|"
    r"lost|died|broke|fell|ran|left|came|went|sold|bought|found|got|became|\w{2,}ed)"
)
_BEGINNINGS = (
    r"(?:[Tt]he|[Aa]n?) (?!(?:weather|coffee|food|same|more|little)\b)(?:[\w'-]+ ){1,5}?VERB",
    r"[Tt]here(?: is|'s| was| are| were| will be| has been) (?!.*(?:EVENT)\b)",
    r"(?:[Ss]ome|[Nn]o|[Ee]very)(?:one|body) (?:\w+ )?VERB",
    rf"{PERSON}'s (?!name\b)(?:[\w'-]+ ){{1,4}}?VERB",
)
_THING = re.compile(
    rf"^(?:{'|'.join(_BEGINNINGS)}) ?\w".replace("VERB", _VERB).replace("EVENT", EVENT_WORDS)
)
_TELLING = (Act.NEWS, Act.STATEMENT, Act.REMARK)
_CAPITAL = re.compile(r"^(?:The|An?|There|(?:Some|No|Every)(?:one|body))\b")
_COMES = re.compile(
    rf"^(?P<who>{PERSON}) (?:will|would (?:\w+ )?(?:love|like|be \w+) to) (?:\w+ly )?"
    rf"come to (?P<what>.*\b(?:{EVENT_WORDS})\b.*)$"
)


def plain_news_in(one: Said) -> str:
    """Return what the sentence tells, as it stands behind "that", "" if it is no such news."""
    asks = one.heard.sentence.endswith("?") and one.act is not Act.NEWS
    if one.act not in _TELLING or asks or len(one.core.split()) < WORDS_MIN:
        return ""
    if not _THING.match(one.core):
        return ""
    told = _CAPITAL.sub(lambda match: match[0].lower(), one.core)
    return told.replace("there's", "there is", 1)


def coming_in(one: Said) -> str:
    """Return "X will come to Y's party" where somebody says so unasked, else ""."""
    match = _COMES.match(one.core) if one.act is Act.YES else None
    return f"{match['who']} will come to {match['what']}" if match else ""
