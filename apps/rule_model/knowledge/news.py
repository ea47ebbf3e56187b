"""News among memories: changes of life, dates and gatherings, and what each is worth."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from apps.agents.status import LastTalk
from apps.agents.summary import LastingFacts
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.memory.passing_on import may_be_told
from apps.memory.rules import IMPORTANCE_MAX
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.knowledge import gatherings
from apps.rule_model.knowledge.gatherings import Gathering, gathering_in
from apps.rule_model.language.moments import is_over
from apps.rule_model.language.subjects import is_about, keys_of, subject_of, topic_of
from apps.rule_model.phrasebook import REPORTS

# What is remembered last is worth this share of what is remembered first.
LAST_IN_MIND = 0.5
NEWS_MIN = 3.0
# How long a subject that is no person's name may be.
WORDS_OF_SUBJECT_MAX = 6
_DATA = vocabulary("phrases_knowledge")["news"]
_STRENGTHS = tuple((float(value), re.compile(text)) for value, text in _DATA["strengths"])
_PATTERNS = patterns("news")
# Memories about another agent that are no news.
_UNTOLD = frozenset({MemoryOrigin.DESCRIPTION, MemoryOrigin.DECIDED})
_SOURCES = frozenset(map(MemoryOrigin, _DATA["origins"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A piece of news: a sentence in the third person, and how it came to be known.

    `subject` is the agent that it is about, "" for anything else; `teller` told it and had it
    from `source`, "" where nobody did; `presses` says that its own subject has just decided
    it; `gathering` is the dated gathering that it tells of. News of what is over has the time
    of its end (`since`) and who was there, or was to be (`present`).
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
    since: datetime | None = None
    present: tuple[str, ...] = ()

    def is_known_to(
        self, name: str, memories: Iterable[MemoryItem], last: LastTalk | None, now: datetime
    ) -> bool:
        """Return whether another agent is its subject, its source, or has talked of it.

        `memories` are those of the agent that has the news, `last` is their last talk.
        """
        if name in self.core or name in (self.teller, self.source, *self.present):
            return True
        if last and any(self.is_in(text) for text in last.told):
            return True
        since = self.since or datetime.min.replace(tzinfo=now.tzinfo)
        if last and self.is_in(last.gist) and since < now - timedelta(minutes=last.minutes_ago):
            return True
        about = (m for m in memories if m.subject_name == name and m.origin not in _UNTOLD)
        return any(self.is_in(m.description) for m in about if m.formed_at > since)

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of the same."""
        named = self.gathering.keys if self.gathering else frozenset()
        return is_about(text, self.keys) or is_about(text, named)


@dataclass(frozen=True, slots=True)
class Told:
    """The statement of a memory, and its sources ("" for none)."""

    core: str
    teller: str = ""
    source: str = ""


def told_in(memory: MemoryItem, now: datetime) -> Told:
    """Return the statement of a memory, without speaker and listener."""
    text = " ".join(memory.description.split()).rstrip(".")
    if memory.origin is not MemoryOrigin.LEARNED:
        reported = _PATTERNS["reported"].match(text)
        return Told(reported["core"] if reported else text)
    report = REPORTS.read(text)
    if report is None:
        return Told(text, memory.subject_name)
    slots = report.slots
    if report.act == "invited":
        return Told(announced(slots["gathering"], slots["teller"], now.date()), slots["teller"])
    return Told(slots["news"], slots["teller"], slots.get("source", ""))


def announced(invited_to: str, by: str, today: date) -> str:
    """Return the news of the gathering that an agent has invited another one to."""
    gathering = gathering_in(invited_to, today)
    host = gathering.host if gathering else ""
    what = invited_to.removeprefix(f"{host}'s ").removeprefix("the ")
    return f"{host or by} is having {'an' if what[:1].lower() in 'aeiou' else 'a'} {what}"


def news_in(
    memories: Sequence[MemoryItem], now: datetime, names: Iterable[str], agent: str
) -> list[News]:
    """Return the news that the memories of an agent hold, what is most worth telling first.

    `names` are full names of people, to be found whatever they look like. What is over is
    none, but for what the agent has lately been at, nor is a gathering that it calls off.
    """
    known = tuple(filter(None, names))
    shares = (1 - (1 - LAST_IN_MIND) * rank / len(memories) for rank in range(len(memories)))
    found = (
        _news(memory, share, now, known, agent)
        for memory, share in zip(memories, shares, strict=True)
        if memory.origin in _SOURCES
    )
    is_off = gatherings.called_off(gatherings.own_thoughts(memories), now.date())
    ahead = [one for one in found if one and (one.since or not is_over(one.core, now))]
    ahead = [one for one in ahead if not (one.gathering and is_off(one.core))]
    best: list[News] = []
    told: set[object] = set()
    for news in sorted(ahead, key=lambda one: -one.worth):
        marks = {news.topic, (news.subject, news.keys) if news.keys else news.topic}
        if told.isdisjoint(marks):
            told |= marks
            best.append(news)
    return best


def tellable(
    memories: Sequence[MemoryItem], lasting: LastingFacts, now: datetime, to: str
) -> list[MemoryItem]:
    """Return what may be told to the agent of the full name: the memories after the pursuits.

    Pursuits are in mind whatever is retrieved.
    """
    pursuits = (
        MemoryItem(
            number=0,
            kind=MemoryKind.OBSERVATION,
            origin=MemoryOrigin.DESCRIPTION,
            description=text,
            importance=IMPORTANCE_MAX,
            formed_at=now,
        )
        for text in lasting.pursuits
    )
    free = (one for one in memories if may_be_told(one.passing_on, to, now))
    return list({one.description: one for one in (*pursuits, *free)}.values())


def tells_everybody(memories: Iterable[MemoryItem], agent: str, news: News) -> bool:
    """Return whether the agent's description says that it tells everybody of the news."""
    phrases = (m.description for m in memories if m.origin is MemoryOrigin.DESCRIPTION)
    own = (text for text in phrases if text.startswith(agent))
    telling = filter(_PATTERNS["to_everybody"].search, own)
    return any(news.keys & keys_of(text) for text in telling)


def strength_of(core: str, subject: str) -> float:
    """Return how strong a piece of news the sentence is, 0 if it is none.

    `subject` is the agent that it is about, "" for a sentence such as "the bishop will come".
    """
    if _PATTERNS["not_told"].search(core) or _PATTERNS["pronoun"].match(core):
        return 0.0
    said = core.removeprefix(subject).strip()
    begins = [0] if subject else [match.end() for match in re.finditer(r"\S+ ", said)]
    begins = begins[:WORDS_OF_SUBJECT_MAX]
    if _PATTERNS["joins"].match(said):
        strength = _DATA["joins_strength"]
    elif _PATTERNS["hosts"].match(said) and gathering_in(f"{subject} {said}", date(2000, 1, 1)):
        strength = _DATA["hosts_strength"]
    else:
        strengths = (v for v, p in _STRENGTHS if any(p.match(said, at) for at in begins))
        strength = next(strengths, 0.0)
    is_dated = strength and _PATTERNS["dated"].search(core)
    return float(strength + (_DATA["dated_strength"] if is_dated else 0.0))


def is_for_everybody(core: str) -> bool:
    """Return whether the sentence tells of a danger or a damage that concerns everybody."""
    return not subject_of(core) and strength_of(core, "") >= _DATA["public_strength"]


def is_bad(core: str) -> bool:
    """Return whether the sentence tells of a misfortune."""
    return _PATTERNS["bad"].search(core) is not None


def _news(
    memory: MemoryItem, share: float, now: datetime, names: Sequence[str], agent: str
) -> News | None:
    if memory.origin is MemoryOrigin.ENDED:
        return _of_the_past(memory, share, now, agent)
    told = told_in(memory, now)
    if memory.origin is MemoryOrigin.AGREED and memory.scheduled is not None:
        told = Told(f"{agent} will {_agreed(memory.scheduled)}")
    core = _PATTERNS["behind"].sub("", told.core)
    subject = subject_of(core, names)
    strength = strength_of(core, subject)
    if strength < NEWS_MIN:
        return None
    topic, gathering = topic_of(core, subject), gathering_in(core, now.date())
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


def _of_the_past(memory: MemoryItem, share: float, now: datetime, agent: str) -> News | None:
    """Return the news of a gathering of the last days, None for any other memory."""
    for one in gatherings.occasions([memory], agent):
        if one.attended and now - one.ends < timedelta(days=_DATA["past_days"]):
            return News(
                core=one.told_by(agent),
                subject=agent,
                topic=one.gathering.title,
                keys=one.gathering.keys,
                strength=_DATA["past_strength"],
                worth=_DATA["past_strength"] * share,
                since=one.ends,
                present=(*one.present, *one.absent),
            )
    return None


def _agreed(agreed: ScheduledActivity) -> str:
    place = f"at {agreed.place}" if agreed.place and agreed.place not in agreed.activity else ""
    when = gatherings.written_when(gatherings.when_of(agreed))
    return " ".join(filter(None, (agreed.activity, place, when)))
