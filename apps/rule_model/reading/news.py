"""Finds what is news in memories, and how much it is worth telling (stand-in).

Not a language model: a sentence is news when what follows its subject fits one of a few
patterns. Nothing here knows of any party or candidacy in particular.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.rule_model.reading.moments import is_over
from apps.rule_model.reading.names import PERSON, subject_of
from apps.rule_model.reading.topics import keys_of, stems_of, topic_of

# What comes to mind last is worth this share of what comes to mind first.
LAST_IN_MIND = 0.5
NEWS_MIN = 3.0

_TOLD = re.compile(
    rf"^(?P<teller>{PERSON}|[A-Z]\w+) told (?P<listener>{PERSON}|[A-Z]\w+) that (?P<core>.+?)"
    rf"(?:, which (?P=teller) had heard from (?P<source>{PERSON}|[A-Z]\w+))?\.?$"
)
_QUOTED = re.compile(r"^[A-Z][\w' -]+ said to [A-Z][\w' -]+: ")
_INVITED = re.compile(
    rf"^(?P<by>{PERSON}|[A-Z]\w+) invited (?:{PERSON}|[A-Z]\w+) to "
    rf"(?P<host>{PERSON}|[A-Z]\w+)'s (?P<what>.+?)\.?$"
)
_DATED = re.compile(r"\b(?:\d{4}|[A-Z]\w+ \d{1,2}|next (?:week|month|year)|this week)\b")
_AGREED = re.compile(r"^(?P<who>.+?) agreed to (?:come|go) to (?P<what>.+)$")
EVENT_WORDS = (
    "party|celebration|concert|exhibition|wedding|funeral|dinner|picnic|reading|show|debate|"
    "festival|barbecue|dance|premiere|launch|meeting|gathering|competition|match"
)
# What somebody means to say to one is no news for the others.
_TO_SAY = r"(?:tell|thank|apologi[sz]e|say sorry|ask (?:his|her|their|[A-Z]))"
# From the strongest to the mildest: how strong a piece of news is that begins like this
# behind its subject. What is dated ahead gains DATED.
DATED = 3.5
_PATTERNS = tuple(
    (strength, re.compile(pattern))
    for strength, pattern in (
        (10.0, r"(?:has |have |had |was )?(?:died|robbed|disappeared)\b"),
        (
            9.0,
            r"(?:is|are|got|has been|was) (?:very |badly )?(?:ill|sick|hurt|injured|robbed)\b",
        ),
        (
            9.0,
            r"(?:broke (?:his|her|their|a|up)|had an accident|collapsed|is in the hospital)\b",
        ),
        (9.0, r"(?:is|are) (?:getting (?:married|divorced)|expecting|engaged to)\b"),
        (9.0, r"(?:has |have )?(?:got|gotten|become) (?:engaged|married|divorced)\b"),
        (
            5.0,
            r"(?:is running|will run|is going to run|runs|wants to run|ran) (?:for|against)\b",
        ),
        (8.0, r"(?:has )?(?:lost|won|quit|inherited)\b"),
        (
            8.0,
            r"(?:has been|was|got) (?:accepted|hired|fired|promoted|elected|dismissed)\b",
        ),
        (7.0, r"(?:has )?(?:got|found|bought|sold|passed|failed) (?:a|an|the|his|her|their)\b"),
        (
            4.5,
            r"(?:is|are) (?:planning|organi[sz]ing|giving|having|holding|hosting|throwing|"
            rf"preparing) (?:a|an|the|his|her|their) (?:[\w'-]+ ){{0,4}}?(?:{EVENT_WORDS})\b",
        ),
        (0.9, r"(?:(?:will|may) (?:not )?come|is going) to (?:the\b|[A-Z])"),
        (6.0, rf"will\b(?! (?:be )?(?:see|try|have to|think|{_TO_SAY}))"),
        (6.0, rf"(?:is|are) going to\b(?! {_TO_SAY})"),
        (
            6.0,
            r"(?:is|are) (?:moving (?:to|away|in|out|house)|leaving (?:town|for)|"
            r"closing down|giving up)\b",
        ),
        (
            4.0,
            rf"(?:has|have) (?:just )?(?:moved|started|finished|decided(?! to {_TO_SAY})|"
            r"opened)\b",
        ),
        (4.0, r"(?:is|are) (?:planning|preparing) (?:a|an|his first|her first)\b"),
        (4.0, r"(?:is|are) looking for (?:a|an|someone|somebody)\b"),
        (3.0, r"(?:is|are) (?:training|studying) for (?:a|an|his|her|their|the)\b"),
    )
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a memory says, and who said it: `teller` and `source` are "" where nobody did."""

    core: str
    teller: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class News:
    """A piece of news: whom it is about, in few words, by what words it is known again."""

    told: Told
    subject: str
    topic: str
    keys: frozenset[str]
    worth: float

    @property
    def core(self) -> str:
        """What is the case, in the third person."""
        return self.told.core

    def is_known_to(self, name: str) -> bool:
        """Whether the person is in it, or was the one to tell it."""
        return name in self.core or name in (self.told.teller, self.told.source)

    def is_in(self, text: str) -> bool:
        """Whether the text speaks of the same."""
        return bool(self.keys) and self.keys <= stems_of(text)


def told_in(memory: str) -> Told:
    """Return what the memory says, without who told whom.

    Words that are quoted say nothing here: whoever "I" is in them is not who remembers.
    """
    if _QUOTED.match(memory):
        return Told("")
    match = _TOLD.match(memory.strip())
    if match is None:
        invited = _INVITED.match(memory.strip())
        if invited is not None:
            article = "an" if invited["what"][0].lower() in "aeiou" else "a"
            return Told(
                f"{invited['host']} is having {article} {invited['what']}", invited["by"]
            )
        return Told(_as_plan(memory.strip().rstrip(".")))
    return Told(_as_plan(match["core"]), match["teller"], match["source"] or "")


def news_in(memories: Sequence[str], now: datetime | None, known: Iterable[str]) -> list[News]:
    """Return the news that the memories hold, what is most worth telling first.

    What is over is none any more; `known` are names of people whatever they look like.
    """
    names = tuple(known)
    found: list[News] = []
    for rank, memory in enumerate(memories):
        news = _news(told_in(memory), 1 - (1 - LAST_IN_MIND) * rank / len(memories), names)
        if news is None or (now is not None and is_over(news.core, now)):
            continue
        found.append(news)
    best: list[News] = []
    for news in sorted(found, key=lambda news: -news.worth):
        if not any(_is_same(news, other) for other in best):
            best.append(news)
    return best


def strength_of(core: str, subject: str) -> float:
    """Return how strong a piece of news the sentence is, 0 if it is none."""
    said = core.removeprefix(subject).strip()
    strength = next((value for value, pattern in _PATTERNS if pattern.match(said)), 0.0)
    return strength + DATED if strength and _is_dated(core) else strength


def _news(told: Told, share: float, names: Sequence[str]) -> News | None:
    subject = subject_of(told.core, names)
    strength = strength_of(told.core, subject) if subject else 0.0
    if strength < NEWS_MIN:
        return None
    topic = topic_of(told.core, subject)
    return News(told, subject, topic, keys_of(topic), strength * share)


def _as_plan(core: str) -> str:
    """Return "X is going to Y's party" for what X has agreed to come to."""
    match = _AGREED.match(core)
    return f"{match['who']} is going to {match['what']}" if match else core


def _is_dated(core: str) -> bool:
    return _DATED.search(core) is not None


def _is_same(news: News, other: News) -> bool:
    return news.topic == other.topic or (
        news.subject == other.subject and bool(news.keys) and news.keys == other.keys
    )
