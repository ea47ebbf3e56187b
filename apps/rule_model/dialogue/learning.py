"""What of a conversation is worth remembering as a fact: only what the other one said.

A stand-in, not a language model. A sentence about the listener is not learnt: who is told
what they did themself has to remember it on their own.
"""

import re
from collections.abc import Iterator

from apps.dialogue.chains.takeaways import LEARNT_MAX, SENTENCE_CHARACTERS_MAX, Learnt
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.plain_news import coming_in, plain_news_in
from apps.rule_model.dialogue.recounting import told_by
from apps.rule_model.dialogue.talk import Proposal, Said, Talk
from apps.rule_model.reading.concerns import is_pursuit
from apps.rule_model.reading.names import subject_of
from apps.rule_model.reading.news import strength_of

CORE_WORDS_MIN = 4
_PURSUIT_STRENGTH, _PLAIN_STRENGTH = 2.0, 1.0
# What is said in passing and tells nothing that lasts.
_PASSING_WORDS = (
    r"(?:was|is) just",
    r"is (?:fine|sorry|glad|happy|afraid|looking forward|not sure|having)",
    r"has (?:to go|not heard|said yes|been (?:wondering|curious))",
    r"had better",
    r"should (?:get|go)",
    r"would (?:love|like|rather)",
    r"(?:can ?not|could not|could) (?:say|promise|tell|not)",
    r"does not (?:know|really|mind)",
    r"(?:wonders?|hopes?|hardly|did not|wants to get on|needs? the)",
    r"will (?:see|tell|pass|let|be there|come)",
)
_DOING = re.compile(r" (?:is|are|was|has been) \w+ing\b")
_PASSING = re.compile(rf" (?:{'|'.join(_PASSING_WORDS)})\b")


def learnt(talk: Talk) -> list[Learnt]:
    """Return what the other one told, the most telling, in the order in which it was said."""
    found: dict[str, tuple[float, Learnt]] = {}
    for strength, line, sentence in (*_told(talk), *_told_plainly(talk), *_proposed(talk)):
        if len(sentence) <= SENTENCE_CHARACTERS_MAX:
            found.setdefault(sentence, (strength, Learnt(sentence=sentence, line=line)))
    best = sorted(found.values(), key=lambda entry: -entry[0])[:LEARNT_MAX]
    kept = [entry[1] for entry in found.values() if entry in best]
    return sorted(kept, key=lambda each: each.line)


def _told(talk: Talk) -> Iterator[tuple[float, int, str]]:
    refusals = {one.line for one in talk.by(talk.you) if one.act is Act.NO}
    for one in talk.by(talk.you):
        if one.act not in (Act.NEWS, Act.STATEMENT) or one.line in refusals:
            continue
        subject = subject_of(one.core, talk.names)
        strength = strength_in(one.core, subject)
        if subject and subject != talk.me and strength and makes_sense(one):
            yield strength, one.line, _sentence(talk, one, subject)


def _told_plainly(talk: Talk) -> Iterator[tuple[float, int, str]]:
    """Yield what was told of what is no person, and that somebody comes who was not asked."""
    for one in talk.by(talk.you):
        told = plain_news_in(one)
        if told and not subject_of(one.core, talk.names):
            yield _PURSUIT_STRENGTH, one.line, f"{talk.you} told {talk.me} that {told}"
    if not talk.proposals(by=talk.me):
        for one in talk.by(talk.you):
            if coming := coming_in(one):
                yield _PURSUIT_STRENGTH, one.line, f"{talk.you} told {talk.me} that {coming}"


def strength_in(core: str, subject: str) -> float:
    """Return how telling the sentence is, 0 for what somebody is just doing."""
    if is_pursuit(core, subject):
        return max(strength_of(core, subject), _PURSUIT_STRENGTH)
    is_doing = _DOING.match(core.removeprefix(subject)) is not None
    return strength_of(core, subject) or (0.0 if is_doing else _PLAIN_STRENGTH)


def makes_sense(one: Said) -> bool:
    """Whether the sentence is one: long enough, no question, nothing said in passing."""
    is_question = one.heard.sentence.endswith("?") and one.act is not Act.NEWS
    too_short = len(one.core.split()) < CORE_WORDS_MIN + 1
    return not is_question and not too_short and _PASSING.search(one.core) is None


def _sentence(talk: Talk, one: Said, subject: str) -> str:
    source = _source(talk, one)
    told = f"{talk.you} told {talk.me} that {one.core}"
    if source in ("", talk.me, talk.you, subject):
        return told
    return f"{told}, which {talk.you} had heard from {source}"


def _source(talk: Talk, one: Said) -> str:
    """Return from whom the teller has it: said in the sentence, or in the one behind it."""
    after = talk.said[talk.said.index(one) + 1 :][:1]
    said = [one, *(other for other in after if other.line == one.line)]
    sources = (told_by(other.heard.sentence, talk.names) for other in said)
    return next(filter(None, sources), "")


def _proposed(talk: Talk) -> Iterator[tuple[float, int, str]]:
    """Yield invitations got, answers to one's own, and the wish that news be passed on."""
    for proposal in talk.proposals(by=talk.you):
        if proposal.gathering is not None and proposal.said.act is Act.INVITATION:
            verb = "asked" if proposal.gathering.activity else "invited"
            invited = f"{talk.you} {verb} {talk.me} to {proposal.gathering.in_full}"
            yield 9.0, proposal.said.line, invited
    for proposal in talk.proposals(by=talk.me):
        yield from _answer(talk, proposal)
    for one in talk.by(talk.you):
        meant = [p.gathering for p in (*talk.proposals(talk.you), *talk.proposals(talk.me))]
        if one.act is Act.SPREAD_WORD and any(meant):
            title = next(gathering.title for gathering in meant if gathering)
            yield 5.0, one.line, f"{talk.you} asked {talk.me} to tell others about {title}"


def _answer(talk: Talk, proposal: Proposal) -> Iterator[tuple[float, int, str]]:
    gathering, answer = proposal.gathering, proposal.answer
    if gathering is None or answer is None or proposal.said.act is not Act.INVITATION:
        return
    verb = {Act.YES: "will", Act.MAYBE: "may", Act.NO: "will not"}[answer]
    line = next(
        one.line
        for one in talk.by(talk.you)
        if one.act is answer and one.line > proposal.said.line
    )
    come = "" if gathering.activity else "come to "
    what = gathering.in_full if answer is Act.YES else gathering.activity or gathering.title
    yield 8.0, line, f"{talk.you} told {talk.me} that {talk.you} {verb} {come}{what}"
