"""What a conversation was about, and what one makes of it (stand-in, no language model)."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from apps.dialogue.chains.takeaways import SENTENCE_CHARACTERS_MAX
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.learning import makes_sense
from apps.rule_model.dialogue.plain_news import plain_news_in
from apps.rule_model.dialogue.talk import Talk
from apps.rule_model.model import Chance
from apps.rule_model.reading.concerns import is_answered, is_pursuit
from apps.rule_model.reading.gatherings import Gathering
from apps.rule_model.reading.names import first_name, subject_of
from apps.rule_model.reading.news import strength_of
from apps.rule_model.reading.topics import keys_of, topic_of

TOPICS_MAX = 3
EVENING_FROM, AFTERNOON_FROM = 17 * 60, 12 * 60
# How often one has a thought on the other that the talk does not force on one.
THINKS_OF_WORK = 0.35
_WANTED = re.compile(
    r"(?:.*, )?I (?:wanted to|should|must) tell you that|I want you to know that"
)
_KNEW = re.compile(r"\bwe know each other\b|\bwe've met before\b", re.IGNORECASE)


def gist(talk: Talk, place: str) -> str:
    """Return in a sentence what the two talked about."""
    both = f"{talk.me} and {talk.you}"
    topics = topics_of(talk)
    if not topics:
        words = "greeted each other and exchanged a few words"
        where = f" {'in' if place.startswith('the ') else 'at'} {place}" if place else ""
        return f"{both} {words}{where}"
    listed = topics[0] if len(topics) == 1 else f"{', '.join(topics[:-1])} and {topics[-1]}"
    return f"{both} talked about {listed}"[:SENTENCE_CHARACTERS_MAX]


def topics_of(talk: Talk) -> list[str]:
    """Return what was talked about, in the order in which it came up."""
    found: list[str] = []
    plain = (f"the news that {told}" for one in talk.said if (told := plain_news_in(one)))
    heard = (*map(_topic, *_cores(talk)), *_meant(talk), *plain)
    for topic in filter(None, (*_proposed(talk), *heard)):
        keys = keys_of(topic)
        if not any(keys and keys <= keys_of(other) for other in found):
            found.append(topic)
    asked = (one.heard.about for one in talk.said if one.act is Act.ASK_KNOWLEDGE)
    found.extend(question for question in asked if _is_open(question, found))
    if any(one.act is Act.MACHINE_QUESTION for one in talk.by(talk.you)):
        found.append(f"whether {talk.me} is a human being")
    return found[:TOPICS_MAX]


def _is_open(question: str, topics: Sequence[str]) -> bool:
    """Whether nothing that was talked about answers the question."""
    return bool(question) and not is_answered(question, topics)


def about_other(talk: Talk, chance: Chance) -> str:
    """Return what one now thinks of the other, "" where there is nothing new."""
    for proposal in talk.proposals(by=talk.me):
        if proposal.gathering is not None and proposal.answer in (Act.YES, Act.NO):
            comes = proposal.answer is Act.YES
            feeling = "is glad" if comes else "is sorry"
            will = "will" if comes else "will not"
            return f"{talk.me} {feeling} that {talk.you} {will} {proposal.gathering.deed}"
    if any(one.act is Act.MEDDLING for one in talk.by(talk.you)):
        return f"{talk.me} thinks that {talk.you} says odd things"
    knew = any(_KNEW.search(one.heard.sentence) for one in talk.said)
    if not knew and any(one.act is Act.INTRODUCTION for one in talk.said):
        again = f"would talk with {first_name(talk.you)} again"
        return f"{talk.me} has got to know {talk.you} and {again}"
    return _about_work(talk, chance)


def for_plans(talk: Talk) -> str:
    """Return what it means for one's own plans, "" where it means nothing."""
    for proposal in talk.proposals(by=talk.you):
        gathering = proposal.gathering
        if gathering is None or proposal.said.act is not Act.INVITATION:
            continue
        if proposal.answer is Act.YES and gathering.when.day:
            what = "" if gathering.activity else f" for {gathering.title}"
            return f"{talk.me} wants to keep {_part(gathering)} free{what}"
        if proposal.answer is Act.MAYBE:
            return f"{talk.me} has not decided yet whether to {gathering.deed}"
    return ""


def _cores(talk: Talk) -> tuple[list[str], list[str]]:
    told = (one for one in talk.said if one.act in (Act.NEWS, Act.STATEMENT))
    telling = [one for one in told if makes_sense(one)]
    return [one.core for one in telling], [subject_of(one.core, talk.names) for one in telling]


def _meant(talk: Talk) -> Iterator[str]:
    """Yield what one had wanted to say, news or not."""
    for one in talk.said:
        if one.act is Act.NEWS and _WANTED.match(one.heard.sentence):
            yield topic_of(one.core, subject_of(one.core, talk.names))


def _topic(core: str, subject: str) -> str:
    if not subject or not (strength_of(core, subject) or is_pursuit(core, subject)):
        return ""
    return topic_of(core, subject)


def _proposed(talk: Talk) -> list[str]:
    gatherings = [
        proposal.gathering
        for speaker in (talk.me, talk.you)
        for proposal in talk.proposals(by=speaker)
    ]
    named = [each for each in gatherings if each is not None and not each.activity]
    return [f"{each.title} {each.where}".strip() for each in named]


def _about_work(talk: Talk, chance: Chance) -> str:
    for one in talk.by(talk.you):
        if not one.core.startswith(talk.you) or not is_pursuit(one.core, talk.you):
            continue
        topic = topic_of(one.core, talk.you)
        thing = re.sub(r" at .+", "", topic.removeprefix(f"{talk.you}'s "))
        if thing != topic and chance.unit("thinks", one.core) < THINKS_OF_WORK:
            wording = chance.choice(
                ("cares a lot about", "puts much work into", "is taken up by")
            )
            return f"{talk.me} thinks that {talk.you} {wording} the {thing}"
    return ""


def _part(gathering: Gathering) -> str:
    """Return "the evening of February 14"."""
    day: date | None = gathering.when.day
    assert day is not None, "only what has a day is kept free"
    start = gathering.when.start
    named = f"{day:%B} {day.day}"
    if start is None:
        return named
    part = (
        "evening"
        if start >= EVENING_FROM
        else "afternoon"
        if start >= AFTERNOON_FROM
        else "morning"
    )
    return f"the {part} of {named}"
