"""What an agent takes from a conversation that is over (D3, R4)."""

from collections.abc import Iterator

from apps.dialogue.chains.takeaways import (
    COMMITMENTS_MAX,
    LEARNT_MAX,
    SENTENCE_CHARACTERS_MAX,
    Commitment,
    Learnt,
    Takeaways,
)
from apps.dialogue.inputs import TakeawaysInput
from apps.rule_model.dialogue.talk import Proposal, Sentence, Talk, talk_of
from apps.rule_model.knowledge.gatherings import Gathering
from apps.rule_model.knowledge.news import strength_of
from apps.rule_model.knowledge.pursuits import is_pursuit
from apps.rule_model.language.moments import MINUTES_OF_DAY
from apps.rule_model.language.names import first_name, subject_of
from apps.rule_model.language.topics import is_about, keys_of, stems_of, topic_of
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import REPORTS

TOPICS_MAX = 3
HOUR = 60
AFTERNOON, EVENING = 12 * HOUR, 17 * HOUR
# How often an agent has a thought on the other one's work.
THINKS_OF_WORK = 0.35


def takeaways(given: TakeawaysInput, chance: Chance) -> Takeaways:
    """Return the gist, what was learnt and agreed to, and thoughts on it."""
    talk = talk_of(given)
    return Takeaways(
        gist=_cut(_gist(talk, given.place)),
        learnt=tuple(_learnt(talk))[:LEARNT_MAX],
        agreed=tuple(_agreed(talk))[:COMMITMENTS_MAX],
        declined=tuple(
            dict.fromkeys(one.gathering.deed for one in _answered(talk, talk.you, "decline"))
        ),
        about_other=_cut(_about_other(talk, chance)),
        for_plans=_cut(_for_plans(talk)),
    )


def _gist(talk: Talk, place: str) -> str:
    both = f"{talk.me} and {talk.you}"
    topics = _topics(talk)
    if not topics:
        where = f" at {place}" if place else ""
        return f"{both} greeted each other and exchanged a few words{where}"
    listed = topics[0] if len(topics) == 1 else f"{', '.join(topics[:-1])} and {topics[-1]}"
    return f"{both} talked about {listed}"


def _topics(talk: Talk) -> list[str]:
    """Return what was talked about: what was proposed, then what was told."""
    found: list[str] = []
    for topic in (*_proposed(talk), *_told_topics(talk)):
        keys = keys_of(topic)
        if keys and not any(is_about(other, keys) for other in found):
            found.append(topic)
    if any(one.act == "machine" for one in talk.by(talk.you)):
        found.append(f"whether {talk.me} is a human being")
    return found[:TOPICS_MAX]


def _proposed(talk: Talk) -> Iterator[str]:
    for speaker in (talk.me, talk.you):
        for proposal in talk.proposals(by=speaker):
            gathering = proposal.gathering
            if not gathering.activity:
                yield f"{gathering.title} {gathering.where}".strip()


def _told_topics(talk: Talk) -> Iterator[str]:
    for one in talk.sentences:
        subject = subject_of(one.core, (talk.me, talk.you)) if one.core else ""
        is_news = one.act == "news" and one.core
        if is_news or (one.act == "statement" and _is_worth_keeping(one.core, subject)):
            yield topic_of(one.core, subject)


def _is_worth_keeping(core: str, subject: str) -> bool:
    return bool(strength_of(core, subject)) or is_pursuit(core, subject)


def _learnt(talk: Talk) -> Iterator[Learnt]:
    """Yield what the other one told, with the line in which it was told."""
    known: list[frozenset[str]] = []
    for one in talk.by(talk.you):
        sentence, words = _report(talk, one)
        if sentence and words not in known and len(sentence) <= SENTENCE_CHARACTERS_MAX:
            known.append(words)
            yield Learnt(sentence=sentence, line=one.line)


def _report(talk: Talk, one: Sentence) -> tuple[str, frozenset[str]]:
    """Return the sentence that reports what was told, "" for nothing, and its words."""
    names = {"teller": talk.you, "listener": talk.me}
    if one.act == "invitation":
        found = next((p.gathering for p in talk.proposals(by=talk.you) if p.by == one), None)
        if found is not None and not found.activity:
            text = REPORTS.fill("invited", gathering=found.in_full, **names)
            return text, found.keys
    subject = subject_of(one.core, (talk.me, talk.you)) if one.core else ""
    is_own = one.act == "statement" and subject == talk.you
    if not (is_own or (one.act == "news" and one.core)) or subject == talk.me:
        return "", frozenset()
    source = one.in_full(one.heard.slots.get("teller", ""))
    kind = "told_from" if source and source not in (talk.you, talk.me) else "told"
    return REPORTS.fill(kind, news=one.core, source=source, **names), stems_of(one.core)


def _agreed(talk: Talk) -> Iterator[Commitment]:
    """Yield what the agent agreed to at a time, or asked the other one to come along to."""
    found = [
        *_answered(talk, talk.you, "accept"),
        *(p for p in _answered(talk, talk.me, "accept") if _is_shared(talk, p)),
    ]
    deeds: set[str] = set()
    for proposal in found:
        commitment = _commitment(talk, proposal.gathering)
        if commitment is not None and commitment.activity not in deeds:
            deeds.add(commitment.activity)
            yield commitment


def _answered(talk: Talk, by: str, answer: str) -> list[Proposal]:
    return [one for one in talk.proposals(by=by) if one.answer == answer]


def _is_shared(talk: Talk, proposal: Proposal) -> bool:
    """Return whether the agent itself comes to what it has asked the other one to."""
    host = proposal.gathering.host
    return proposal.by.act != "request" and host not in (talk.me, talk.you)


def _commitment(talk: Talk, gathering: Gathering) -> Commitment | None:
    when = gathering.when
    if when.start is None:
        return None
    end = when.end if when.end is not None else when.start + HOUR
    return Commitment(
        activity=gathering.deed,
        place=gathering.place,
        date=(when.day or talk.today).isoformat(),
        starts=_clock(when.start),
        ends=_clock(end),
    )


def _about_other(talk: Talk, chance: Chance) -> str:
    """Return what the agent now thinks of the other one, "" for nothing new."""
    if any(one.act == "meddling" for one in talk.by(talk.you)):
        return f"{talk.me} thinks that {talk.you} says odd things"
    for proposal in talk.proposals(by=talk.me):
        if proposal.answer in ("accept", "decline"):
            comes = proposal.answer == "accept"
            feels, will = ("is glad", "will") if comes else ("is sorry", "will not")
            return f"{talk.me} {feels} that {talk.you} {will} {proposal.gathering.deed}"
    if any(one.act == "introduction" for one in talk.by(talk.you)):
        again = f"would talk with {first_name(talk.you)} again"
        return f"{talk.me} has got to know {talk.you} and {again}"
    return _about_work(talk, chance)


def _about_work(talk: Talk, chance: Chance) -> str:
    for one in talk.by(talk.you):
        if not is_pursuit(one.core, talk.you):
            continue
        topic = topic_of(one.core, talk.you)
        thing = topic.removeprefix(f"{talk.you}'s ").partition(" at ")[0]
        if topic.startswith(f"{talk.you}'s ") and chance.unit("thinks") < THINKS_OF_WORK:
            cares = chance.choice(("cares a lot about", "puts much work into"), "cares")
            return f"{talk.me} thinks that {talk.you} {cares} the {thing}"
    return ""


def _for_plans(talk: Talk) -> str:
    """Return what it means for the agent's own plans, "" for nothing."""
    for proposal in talk.proposals(by=talk.you):
        gathering = proposal.gathering
        if proposal.answer == "accept" and gathering.when.day:
            day = gathering.when.day
            part = _part_of_day(gathering.when.start)
            what = "" if gathering.activity else f" for {gathering.title}"
            return f"{talk.me} wants to keep {part}{day:%B} {day.day} free{what}"
        if proposal.answer == "maybe":
            return f"{talk.me} has not decided yet whether to {gathering.deed}"
    return ""


def _part_of_day(start: int | None) -> str:
    if start is None:
        return ""
    part = "evening" if start >= EVENING else "afternoon" if start >= AFTERNOON else "morning"
    return f"the {part} of "


def _clock(minute: int) -> str:
    hour, rest = divmod(minute % MINUTES_OF_DAY, HOUR)
    return f"{hour:02d}:{rest:02d}"


def _cut(text: str) -> str:
    return text[:SENTENCE_CHARACTERS_MAX]
