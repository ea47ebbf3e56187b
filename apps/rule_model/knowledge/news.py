"""News among memories, and how much each piece is worth telling.

What makes news is general: a change of somebody's life, something ahead, a date, a gathering.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.knowledge.gatherings import Gathering, gathering_in
from apps.rule_model.language.moments import is_over, written
from apps.rule_model.language.names import subject_of
from apps.rule_model.language.topics import is_about, keys_of, topic_of
from apps.rule_model.language.words import vocabulary
from apps.rule_model.phrasebook import REPORTS

# What is remembered last is worth this share of what is remembered first.
LAST_IN_MIND = 0.5
NEWS_MIN = 3.0
# How long a subject that is no person's name may be.
WORDS_OF_SUBJECT_MAX = 6
_WORDS = vocabulary("phrases_knowledge")["news"]
_STRENGTHS = tuple((value, re.compile(text)) for value, text in _WORDS["strengths"])
_AHEAD, _JOINS, _HOSTS = (re.compile(_WORDS[name]) for name in ("ahead", "joins", "hosts"))
_DATED, _NOT_TOLD = re.compile(_WORDS["dated"]), re.compile(_WORDS["not_told"])
_REPORTED, _TO_EVERYBODY = re.compile(_WORDS["reported"]), re.compile(_WORDS["to_everybody"])
_BEHIND = re.compile(_WORDS["behind"])
_BAD = re.compile(_WORDS["bad"])
_PRONOUN = re.compile(r"^(?:he|she|they|it|his|her|their|I|you|who|what)\b")
# Memories about another agent that say nothing of what it was told.
_UNTOLD = frozenset({MemoryOrigin.DESCRIPTION, MemoryOrigin.DECIDED})
_SOURCES = frozenset(
    {
        MemoryOrigin.UNKNOWN,
        MemoryOrigin.DESCRIPTION,
        MemoryOrigin.LEARNED,
        MemoryOrigin.AGREED,
        MemoryOrigin.INNER_VOICE,
        MemoryOrigin.TOLD_OBSERVATION,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A piece of news: a sentence in the third person, and how it came to be known.

    `subject` is the agent that it is about, "" for anything else; `teller` told it, "" where
    nobody did; `presses` says that its own subject has just decided it.
    """

    core: str
    subject: str
    topic: str
    keys: frozenset[str]
    strength: float
    worth: float
    teller: str = ""
    source: str = ""
    presses: bool = False
    gathering: Gathering | None = None

    def is_known_to(self, name: str, memories: Iterable[MemoryItem], last_gist: str) -> bool:
        """Return whether another agent is in it, has told it, or has talked of it.

        `memories` are those of the agent that has the news, `last_gist` is what it has last
        talked about with the other one.
        """
        if name in self.core or name in (self.teller, self.source) or self.is_in(last_gist):
            return True
        return any(
            one.subject_name == name
            and one.origin not in _UNTOLD
            and self.is_in(one.description)
            for one in memories
        )

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of the same."""
        named = self.gathering.keys if self.gathering else frozenset()
        return is_about(text, self.keys) or is_about(text, named)


@dataclass(frozen=True, slots=True)
class Told:
    """What a memory says, and which agents told it ("" for none)."""

    core: str
    teller: str = ""
    source: str = ""


def told_in(memory: MemoryItem, now: datetime) -> Told:
    """Return the statement of a memory, without who told whom."""
    text = " ".join(memory.description.split()).rstrip(".")
    if memory.origin is MemoryOrigin.LEARNED:
        report = REPORTS.read(text)
        if report is None:
            return Told(text, memory.subject_name)
        if "gathering" in report.slots:
            gathering = gathering_in([report.slots["gathering"]], now.date())
            host = gathering.host if gathering else ""
            whose = host or report.slots["teller"]
            what = report.slots["gathering"].removeprefix(f"{whose}'s ").removeprefix("the ")
            article = "an" if what[:1].lower() in "aeiou" else "a"
            return Told(f"{whose} is having {article} {what}", report.slots["teller"])
        return Told(
            report.slots["news"], report.slots["teller"], report.slots.get("source", "")
        )
    reported = _REPORTED.match(text)
    return Told(reported["core"] if reported else text)


def news_in(
    memories: Sequence[MemoryItem], now: datetime, names: Iterable[str], agent: str = ""
) -> list[News]:
    """Return the news that the memories hold, what is most worth telling first.

    `names` are full names of people, to be found whatever they look like; `agent` is whose
    memories these are. What is over is none.
    """
    known = tuple(names)
    found: list[News] = []
    for rank, memory in enumerate(memories):
        share = 1 - (1 - LAST_IN_MIND) * rank / len(memories)
        news = _news(memory, share, now, known, agent)
        if news is not None and not is_over(news.core, now):
            found.append(news)
    best: list[News] = []
    for news in sorted(found, key=lambda one: -one.worth):
        if not any(_is_same(news, other) for other in best):
            best.append(news)
    return best


def tells_everybody(memories: Iterable[MemoryItem], agent: str, news: News) -> bool:
    """Return whether the agent's description says that it tells everybody of the news."""
    phrases = (
        one.description
        for one in memories
        if one.origin is MemoryOrigin.DESCRIPTION and one.description.startswith(agent)
    )
    return any(_TO_EVERYBODY.search(text) and news.keys & keys_of(text) for text in phrases)


def strength_of(core: str, subject: str) -> float:
    """Return how strong a piece of news the sentence is, 0 if it is none."""
    if _NOT_TOLD.search(core) or _PRONOUN.match(core):
        return 0.0
    dated = _WORDS["dated_strength"] if _DATED.search(core) else 0.0
    strength = _strength_behind(
        core.removeprefix(subject).strip() if subject else core, subject
    )
    return float(strength + dated) if strength else 0.0


def is_bad(core: str) -> bool:
    """Return whether the sentence tells of a misfortune."""
    return _BAD.search(core) is not None


def _strength_behind(said: str, subject: str) -> float:
    matches = _matcher(said, subject)
    strong = next((value for value, pattern in _STRENGTHS if matches(pattern)), 0)
    if _JOINS.match(said):
        return float(_WORDS["joins_strength"])
    if matches(_AHEAD):
        return float(max(strong, _WORDS["ahead_strength"]))
    if _HOSTS.match(said) and gathering_in([f"{subject} {said}"], date(2000, 1, 1)):
        return float(_WORDS["hosts_strength"])
    return float(strong)


def _matcher(said: str, subject: str) -> Callable[[re.Pattern[str]], bool]:
    """Return whether a pattern fits behind the subject, which may be "the old bishop"."""
    begins = [0]
    if not subject:
        begins = [match.end() for match in re.finditer(r"\S+ ", said)][:WORDS_OF_SUBJECT_MAX]
    return lambda pattern: any(pattern.match(said, at) for at in begins)


def _news(
    memory: MemoryItem, share: float, now: datetime, names: Sequence[str], agent: str
) -> News | None:
    if memory.origin not in _SOURCES:
        return None
    told = _agreed(memory, agent, now) or told_in(memory, now)
    core = _BEHIND.sub("", told.core)
    subject = subject_of(core, names)
    strength = strength_of(core, subject)
    if strength < NEWS_MIN:
        return None
    topic = topic_of(core, subject)
    gathering = gathering_in([core], now.date())
    return News(
        core=core,
        subject=subject,
        topic=topic,
        keys=keys_of(topic),
        strength=strength,
        worth=strength * share,
        teller=told.teller,
        source=told.source,
        presses=memory.origin is MemoryOrigin.INNER_VOICE and subject == agent,
        gathering=gathering if gathering and gathering.when.day else None,
    )


def _agreed(memory: MemoryItem, agent: str, now: datetime) -> Told | None:
    """Return that the agent will do what it has agreed to, None for any other memory."""
    if memory.origin is not MemoryOrigin.AGREED or memory.scheduled is None or not agent:
        return None
    agreed = memory.scheduled
    place = (
        f" at {agreed.place}" if agreed.place and agreed.place not in agreed.activity else ""
    )
    when = ""
    if agreed.starts is not None:
        when = f" on {agreed.starts:%B} {agreed.starts.day}, {agreed.starts.year:04d}"
        ends = f" to {agreed.ends:%H:%M}" if agreed.ends else ""
        when += f", {'from' if ends else 'at'} {agreed.starts:%H:%M}{ends}"
    return Told(written(f"{agent} will {agreed.activity}{place}{when}", now.date()))


def _is_same(news: News, other: News) -> bool:
    return news.topic == other.topic or (
        news.subject == other.subject and bool(news.keys) and news.keys == other.keys
    )
