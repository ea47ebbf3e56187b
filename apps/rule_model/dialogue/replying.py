"""Answers what was just said, goes on with what is on one's mind, and ends in time.

A stand-in, not a language model: each act that is heard has one function that answers it.
"""

import re
from collections.abc import Callable, Mapping

from apps.rule_model.dialogue import answering, responses
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.agenda import next_thing
from apps.rule_model.dialogue.greetings import fine, goodbye, hello_back, how_are_you, trade
from apps.rule_model.dialogue.hearing import Heard, acts_in, heard_in
from apps.rule_model.dialogue.intents import message
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.reading.names import subject_of
from apps.rule_model.reading.news import strength_of

SENTENCES_MAX = 3
# How likely a talk that has run dry ends, by how many utterances there were.
ENDS_EARLY, ENDS_LATER, EARLY, LATE = 0.25, 0.75, 3, 5
_TELLING = (Act.STATEMENT, Act.NEWS)


def reply(scene: Scene) -> tuple[list[str], bool]:
    """Return the sentences of the reply, and whether the conversation is over with them."""
    heard = heard_in(scene.theirs[-1])
    acts = {one.act for one in heard}
    answer = _answers(scene, heard)
    if Act.FAREWELL in acts:
        return _ended(scene, _unasking(answer), first=False), True
    if scene.given.utterances_left <= 2:
        last = scene.given.utterances_left == 1
        return _ended(scene, _unasking(answer), first=not last), last
    meant = message(scene)
    if meant:
        return [*(said for said in answer if not said.endswith("?")), *meant], False
    asks = any(_asks(sentence) for sentence in answer)
    if not asks and len(answer) <= SENTENCES_MAX:
        more = [one for one in next_thing(scene) if not scene.has_been_told(one, *answer)]
        answer += more
        if not more and _has_run_dry(scene, answer):
            return _ended(scene, answer, first=True), False
    if not answer:
        return _ended(scene, [], first=True), False
    return answer, False


def _asks(sentence: str) -> bool:
    """Whether the sentence wants an answer; "Really?" does not."""
    return sentence.endswith("?") and Act.REMARK not in acts_in(sentence)


def _unasking(answer: list[str]) -> list[str]:
    """Return what of an answer is said when one goes."""
    return [sentence for sentence in answer if not sentence.endswith("?")][:2]


def _ended(scene: Scene, answer: list[str], *, first: bool) -> list[str]:
    return [*answer, *goodbye(scene, first=first)]


def _has_run_dry(scene: Scene, answer: list[str]) -> bool:
    said = len(scene.given.lines)
    if said < EARLY or any(sentence.endswith("?") for sentence in answer):
        return False
    return scene.happens(ENDS_LATER if said >= LATE else ENDS_EARLY, "ends")


def _answers(scene: Scene, heard: list[Heard]) -> list[str]:
    """Return the greeting, and the answers to each sentence: what one says in one breath."""
    answers: list[str] = []
    telling = _most_telling(scene, heard)
    for one in heard:
        answer = _HANDLERS.get(one.act)
        if answer is not None and (one.act not in _TELLING or one is telling):
            answers.extend(answer(scene, one))
    fresh = dict.fromkeys(answer for answer in answers if answer and scene.is_fresh(answer))
    greeting = [words for words in _greeting(scene, heard) if words]
    if Act.INTRODUCTION in {one.act for one in heard} and greeting and not fresh:
        greeting.append(trade(scene))
    if greeting and not fresh and scene.given.utterances_left > 2:
        greeting.append(how_are_you(scene))
    return [*greeting, *list(fresh)[:SENTENCES_MAX]]


def _greeting(scene: Scene, heard: list[Heard]) -> list[str]:
    """Return the answer to a greeting, or the greeting that the other one left out."""
    for act in (Act.INTRODUCTION, Act.GREETING):
        greeted = next((one for one in heard if one.act is act), None)
        if greeted is not None:
            return hello_back(scene, greeted)
    return hello_back(scene, Heard(Act.GREETING, "")) if not scene.mine else []


def _most_telling(scene: Scene, heard: list[Heard]) -> Heard | None:
    """Return what of the told is reacted to, None where something else wants an answer."""
    told = [one for one in heard if one.act in _TELLING]
    refuses = any(one.act is Act.NO for one in heard) and responses.proposed_by(scene)
    if not told or refuses or any(one.act in responses.PROPOSALS for one in heard):
        return None
    cores = [responses.core_of(scene, one.sentence) for one in told]
    known = (scene.me, scene.you)
    strengths = [strength_of(core, subject_of(core, known)) for core in cores]
    return told[strengths.index(max(strengths))]


_HANDLERS: Mapping[Act, Callable[[Scene, Heard], list[str]]] = {
    Act.MEDDLING: lambda scene, _: answering.oddly(scene),
    Act.MACHINE_QUESTION: lambda scene, _: answering.truthfully(scene),
    Act.HOW_ARE_YOU: lambda scene, _: fine(scene),
    Act.INVITATION: lambda scene, _: responses.invited(scene),
    Act.REQUEST: responses.requested,
    Act.SPREAD_WORD: lambda scene, _: responses.spread(scene),
    Act.ASK_WORK: answering.about_work,
    Act.ASK_DAY: lambda scene, _: answering.about_day(scene),
    Act.ASK_OPINION: responses.opinion_asked,
    Act.ASK_KNOWLEDGE: answering.about_others,
    Act.QUESTION: answering.about_others,
    Act.YES: responses.answered,
    Act.NO: responses.answered,
    Act.MAYBE: responses.answered,
    Act.DOUBT: lambda scene, _: responses.doubted(scene),
    Act.APPROVAL: lambda scene, _: responses.approved(scene),
    Act.NEWS: responses.statement,
    Act.STATEMENT: responses.statement,
}


def joined(sentences: list[str]) -> str:
    """Return the sentences as one utterance."""
    return re.sub(r"\s+", " ", " ".join(sentence for sentence in sentences if sentence))
