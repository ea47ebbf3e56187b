"""What an agent takes from a conversation that is over (D3, R4)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from apps.agents.status import Standing
from apps.dialogue.inputs import EarlierAgreement, EarlierPromise, TakeawaysInput
from apps.dialogue.llm_tasks import takeaways as task
from apps.memory.events import MemoryOrigin
from apps.planning.answered_times import clock_text
from apps.rule_model.dialogue.invitations import proposed
from apps.rule_model.knowledge.gatherings import Gathering, gathering_in, times_of
from apps.rule_model.knowledge.news import announced, is_for_everybody, strength_of
from apps.rule_model.knowledge.relationships import is_pursuit
from apps.rule_model.language import subjects
from apps.rule_model.language.grammar import in_third_person, listed
from apps.rule_model.language.moments import HOUR, MINUTES_OF_DAY, written
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import PHRASES, REPORTS, Heard

TOPICS_MAX = 3
_FELT = {"accept": "was glad when {} agreed", "decline": "was sorry when {} declined"}
_ANSWERS = ("accept", "decline", "maybe")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a conversation: its line, its speaker and its speech act.

    `core` is what it tells, in the third person and with dates in full, and `subject` the
    agent that this is about; both are "" for nothing. `topic` is what else it speaks of: what
    its speaker has done, or a gathering that is over.
    """

    line: int
    speaker: str
    act: str
    core: str
    subject: str
    source: str
    proposal: Gathering | None
    to: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an agent proposed to the other, and the answer: accept, decline, maybe or ""."""

    by: str
    gathering: Gathering
    answer: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The sentences of a conversation, and what was proposed in it; `me` looks back.

    `you` is the other agent that it was held with, `besides` are further ones.
    """

    me: str
    you: str
    besides: tuple[str, ...]
    today: date
    sentences: tuple[Sentence, ...]
    proposals: tuple[Proposal, ...]

    def answered(self, by: str, answer: str) -> list[Proposal]:
        """Return the proposals of one of the two that were answered so."""
        return [one for one in self.proposals if one.by == by and one.answer == answer]

    def did(self, by: str, act: str) -> bool:
        """Return whether one of the two has done so."""
        return any(one.speaker == by and one.act == act for one in self.sentences)


def talk_of(inputs: TakeawaysInput) -> Talk:
    """Return the conversation of an input, understood."""
    me, you, today = inputs.agent_name, inputs.other_name, inputs.now.date()
    sentences = tuple(
        _sentence(number, line.speaker, you if line.speaker == me else me, heard, today)
        for number, line in enumerate(inputs.lines, start=1)
        for heard in PHRASES.understand(line.text)
    )
    proposals = tuple(
        Proposal(one.speaker, one.proposal, _answer(sentences[at + 1 :], one))
        for at, one in enumerate(sentences)
        if one.proposal is not None
    )
    return Talk(me, you, inputs.besides, today, sentences, proposals)


def _sentence(line: int, speaker: str, listener: str, heard: Heard, today: date) -> Sentence:
    core = written(in_third_person(heard.slots.get("news", ""), speaker, listener), today)
    source = in_third_person(heard.slots.get("teller", ""), speaker, listener)
    return Sentence(
        line=line,
        speaker=speaker,
        act=heard.act,
        core=core,
        subject=subjects.subject_of(core, (speaker, listener)) if core else "",
        source=source,
        proposal=proposed(heard, speaker, listener, today),
        to=heard.slots.get("to", ""),
        topic=_topic(heard, speaker, listener, today),
    )


def _topic(heard: Heard, speaker: str, listener: str, today: date) -> str:
    said = in_third_person(heard.slots.get("title", ""), speaker, listener)
    if heard.act == "experience":
        said = f"{speaker} {in_third_person(heard.slots['activity'], speaker, listener)}"
    when = heard.slots.get("when", "") if said else ""
    return f"{said} {written(when, today)}".strip()


def _answer(later: tuple[Sentence, ...], proposal: Sentence) -> str:
    """Return the last answer before the next proposal of the same speaker."""
    found = ""
    for one in later:
        if one.speaker == proposal.speaker and one.proposal is not None:
            break
        if one.speaker != proposal.speaker:
            found = one.act if one.act in _ANSWERS else found
    return found


def takeaways(inputs: TakeawaysInput, chance: Chance) -> task.Takeaways:  # noqa: ARG001
    """Return the gist, what was learnt and agreed to, and thoughts on it."""
    talk = talk_of(inputs)
    declined = dict.fromkeys(one.gathering.deed for one in talk.answered(talk.you, "decline"))
    agreed = tuple(_agreed(talk).values())[: task.COMMITMENTS_MAX]
    gist = _gist(talk, inputs.place)[: task.SENTENCE_CHARACTERS_MAX]
    about_other = _about_other(talk)[: task.SENTENCE_CHARACTERS_MAX]
    for_plans = _for_plans(talk)[: task.SENTENCE_CHARACTERS_MAX]
    return task.Takeaways(
        gist=gist,
        importance=importance_of(gist, MemoryOrigin.CONVERSATION),
        learnt=tuple(_learnt(talk))[: task.LEARNT_MAX],
        agreed=agreed,
        declined=tuple(
            task.Refusal(activity=deed, importance=importance_of(deed, MemoryOrigin.DECLINED))
            for deed in declined
        ),
        promised=tuple(_promised(talk)),
        settled=tuple(_settled(talk, inputs.promises)),
        told=tuple(one.key for one in inputs.news if talk.me in _speakers_on(talk, one.text)),
        superseded=tuple(_superseded(inputs.agreements, agreed, declined)),
        about_other=about_other,
        about_other_importance=importance_of(about_other, MemoryOrigin.OPINION),
        standing=_standing(talk),
        for_plans=for_plans,
        for_plans_importance=importance_of(for_plans, MemoryOrigin.PLAN_NOTE),
    )


def _gist(talk: Talk, place: str) -> str:
    topics: list[str] = []
    for topic in _topics(talk):
        keys = subjects.keys_of(topic)
        if not keys or not any(subjects.is_about(other, keys) for other in topics):
            topics.append(topic)
    about = f"talked about {listed(topics[:TOPICS_MAX])}"
    words = f"greeted each other and exchanged a few words{f' at {place}' if place else ''}"
    return f"{listed([talk.me, talk.you, *talk.besides])} {about if topics else words}"


def _topics(talk: Talk) -> Iterator[str]:
    """Yield the topics of the conversation: proposals, then news."""
    for proposal in talk.proposals:
        yield f"{proposal.gathering.title} {proposal.gathering.where}".strip()
    for one in talk.sentences:
        if one.topic:
            yield one.topic
        is_lasting = strength_of(one.core, one.subject) or is_pursuit(one.core, one.subject)
        if one.core and (one.act == "news" or (one.act == "statement" and is_lasting)):
            yield subjects.topic_of(one.core, one.subject)
    if talk.did(talk.you, "machine"):
        yield f"whether {talk.me} is a human being"


def _learnt(talk: Talk) -> Iterator[task.Learnt]:
    """Yield the news of the other agents, each with its line."""
    known: list[str] = []
    for one in talk.sentences:
        sentence = _report(talk, one) if one.speaker != talk.me else ""
        if sentence and sentence not in known and len(sentence) <= task.SENTENCE_CHARACTERS_MAX:
            known.append(sentence)
            yield task.Learnt(
                sentence=sentence,
                line=one.line,
                importance=importance_of(sentence, MemoryOrigin.LEARNED),
                **_times(one, talk.today),
            )


def _times(one: Sentence, today: date) -> dict[str, str]:
    """Return the times of the gathering that the sentence tells of, as far as it has a date."""
    told = one.proposal or gathering_in(one.core, today)
    times = times_of(told) if told is not None else None
    return {} if times is None else {"starts": str(times[0]), "ends": str(times[1])}


def _report(talk: Talk, one: Sentence) -> str:
    """Return the sentence that reports the news, "" for none."""
    names = {"teller": one.speaker, "listener": talk.me}
    if one.proposal is not None:
        return REPORTS.fill("invited", gathering=one.proposal.in_full, **names)
    is_own = is_for_everybody(one.core) or (one.act, one.subject) == ("statement", one.speaker)
    if not one.core or one.subject == talk.me or not (is_own or one.act == "news"):
        return ""
    told = "told" if one.source in ("", one.speaker, talk.me) else "told_from"
    return REPORTS.fill(told, news=one.core, source=one.source, **names)


def _agreed(talk: Talk) -> dict[str, task.Commitment]:
    """Return the activities that the agent agreed to or proposed for a time."""
    mine, both = talk.answered(talk.me, "accept"), (talk.me, talk.you)
    shared = (one for one in mine if one.gathering.host not in both)
    own = (one.gathering for one in mine if one.gathering.host == talk.me)
    accepted = (one.gathering for one in (*talk.answered(talk.you, "accept"), *shared))
    deeds = {one.deed: one for one in accepted} | {f"host the {one.name}": one for one in own}
    return {
        deed: _commitment(talk, one, deed)
        for deed, one in deeds.items()
        if one.when.start is not None
    }


def _promised(talk: Talk) -> Iterator[task.Promise]:
    """Yield the promises to pass on the latest news from the other agent."""
    told = ""
    for one in talk.sentences:
        if one.speaker == talk.you and one.core:
            told = one.core
        elif one.speaker == talk.you and one.proposal is not None:
            told = announced(one.proposal.in_full, talk.you, talk.today)
        elif one.act == "promise" and one.speaker == talk.me and told:
            importance = importance_of(told, MemoryOrigin.LEARNED)
            yield task.Promise(what=told, to=one.to, importance=importance)
            told = ""


def _settled(talk: Talk, promises: Iterable[EarlierPromise]) -> Iterator[task.SettledPromise]:
    """Yield the promises to tell the other agent or anybody that are kept or obsolete."""
    for one in promises:
        by = next(iter(_speakers_on(talk, one.promise.what)), "")
        if by and one.promise.to in ("", talk.you) and one.promise.other != talk.you:
            yield task.SettledPromise(key=one.key, why="kept" if by == talk.me else "known")


def _speakers_on(talk: Talk, what: str) -> list[str]:
    """Return who has spoken of the same in the conversation, in order."""
    keys = subjects.keys_of(subjects.topic_of(what, subjects.subject_of(what)))
    return [one.speaker for one in talk.sentences if subjects.is_about(one.core, keys)]


def _superseded(
    earlier: Iterable[EarlierAgreement],
    agreed: Iterable[task.Commitment],
    declined: Collection[str],
) -> Iterator[str]:
    """Yield the keys of the agreements that have another time now, or were called off."""
    times = {one.activity: f"{one.date} {one.starts}" for one in agreed}
    for one in earlier:
        then = "" if one.starts is None else f"{one.starts:%Y-%m-%d %H:%M}"
        if one.activity in declined or times.get(one.activity, then) != then:
            yield one.key


def _commitment(talk: Talk, gathering: Gathering, deed: str) -> task.Commitment:
    when, start = gathering.when, gathering.when.start or 0
    end = when.end if when.end is not None else start + HOUR
    return task.Commitment(
        activity=deed,
        place=gathering.place,
        date=(when.day or talk.today).isoformat(),
        starts=clock_text(start % MINUTES_OF_DAY),
        ends=clock_text(end % MINUTES_OF_DAY),
        importance=importance_of(deed, MemoryOrigin.AGREED),
    )


def _about_other(talk: Talk) -> str:
    """Return a new opinion of the other agent, "" for none."""
    if talk.did(talk.you, "meddling"):
        return f"{talk.me} thinks that {talk.you} says odd things"
    for answer, felt in _FELT.items():
        for one in talk.answered(talk.me, answer):
            return f"{talk.me} {felt.format(talk.you)} to {one.gathering.deed}"
    if talk.did(talk.you, "introduction"):
        again = f"would talk with {subjects.first_name(talk.you)} again"
        return f"{talk.me} has got to know {talk.you} and {again}"
    return ""


def _standing(talk: Talk) -> Standing | None:
    """Return the new standing of the other agent, None if it does not change."""
    if talk.did(talk.you, "meddling"):
        return Standing.COOL
    return Standing.NEUTRAL if talk.did(talk.you, "introduction") else None


def _for_plans(talk: Talk) -> str:
    """Return a consequence for the agent's own plans, "" for none."""
    for one in talk.answered(talk.you, "accept"):
        day = one.gathering.when.day
        if day is not None:
            return f"{talk.me} wants to keep {day:%B} {day.day} free for {one.gathering.title}"
    for one in talk.answered(talk.you, "maybe"):
        return f"{talk.me} has not decided yet whether to {one.gathering.deed}"
    return ""
