"""Whether an agent talks to another one that it sees, and why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from math import log

from apps.dialogue.inputs import Line, UtteranceInput
from apps.reaction.inputs import DecisionInput, ObservedAgent, TalkReason, agent_in
from apps.reaction.llm_tasks import ACTIVITY_CHARACTERS_MAX, Decision
from apps.rule_model.dialogue.scene import scene_of
from apps.rule_model.dialogue.smalltalk import told_day
from apps.rule_model.dialogue.utterance import LINES_MAX, utterance
from apps.rule_model.knowledge.gatherings import is_agreed
from apps.rule_model.knowledge.news import News, news_in, tells_everybody, with_pursuits
from apps.rule_model.knowledge.pursuits import messages
from apps.rule_model.knowledge.relationships import Relationship, relationship, sociability
from apps.rule_model.language.moments import is_over
from apps.rule_model.language.words import vocabulary
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS

_DATA = vocabulary("phrases_reaction")
_ODDS: dict[str, float] = _DATA["odds"]
_BY_CLOSENESS: dict[str, list[float]] = _DATA["by_closeness"]
LEAST_DRAWN = 1e-9
_talk = partial(Decision, place="", minutes=0)
_SAME = {one.name for one in fields(UtteranceInput)} & {
    one.name for one in fields(DecisionInput)
}
_ROOM = tuple((re.compile(text, re.IGNORECASE), room) for room, text in _DATA["room_for_talk"])


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an agent would speak to another one: an intent, and how much it weighs.

    What `presses` was decided on: it comes before all else and makes room for itself. What
    `waits` is put off at the time of day of earlier talks.
    """

    what: str
    weight: float
    is_news: bool = False
    presses: bool = False
    waits: bool = True


def about_agent(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return to talk to the observed agent that it is likeliest with, None not to talk."""
    best: tuple[float, int, ObservedAgent, str] | None = None
    later: Decision | None = None
    for number, observed in enumerate(inputs.observed, start=1):
        agent = agent_in(observed)
        if agent is None or not agent.may_talk:
            continue
        reason, likely = _likelihood(inputs, agent, chance)
        last = agent.acquaintance.last_talk
        is_drawn = chance.unit("talks", agent.name) < likely
        waits = is_drawn and reason.waits and last is not None and last.same_time_days > 0
        if is_drawn and not waits and (best is None or likely > best[0]):
            best = (likely, number, agent, reason.what)
        elif reason.presses or waits:
            what = reason.what[:ACTIVITY_CHARACTERS_MAX]
            later = _talk(choice="later", observation=number, what=what)
    if best is None:
        return later
    _, number, agent, what = best
    opening = utterance(_opening(inputs, agent, what), chance)
    said = {"say": opening.utterance, "ends": opening.ends}
    return _talk(choice="talk", observation=number, what=what[:ACTIVITY_CHARACTERS_MAX], **said)


def _opening(inputs: DecisionInput, agent: ObservedAgent, intent: str) -> UtteranceInput:
    unanswered = (one.text for one in agent.reasons if one.kind is TalkReason.UNANSWERED)
    return UtteranceInput(
        **{name: getattr(inputs, name) for name in _SAME},
        other_name=agent.name,
        other_status=agent.status,
        intent=intent,
        acquaintance=agent.acquaintance,
        lines=tuple(Line(speaker=inputs.agent_name, text=text) for text in unanswered),
        utterances_left=LINES_MAX,
    )


def _reasons(
    inputs: DecisionInput, agent: ObservedAgent, tie: Relationship
) -> Iterator[Reason]:
    """Yield the reasons to speak to the agent, a greeting first."""
    nearness = _BY_CLOSENESS["nearness"][tie.closeness]
    greeting = INTENTS.fill("greet", other=agent.name)
    yield Reason(greeting, _BY_CLOSENESS["greets"][tie.closeness])
    for meant in agent.reasons:
        if meant.kind is TalkReason.INTENDED:
            yield replace(_pressing(meant.text), waits=True)
        elif meant.kind is TalkReason.PROMISED and not is_over(meant.text, inputs.now):
            yield _pressing(INTENTS.fill("tell", other=agent.name, news=meant.text))
    me, last = inputs.agent_name, agent.acquaintance.last_talk
    said = (last.gist if last else "",)
    for message in messages(me, agent.name, inputs.memories, kin=tie.kin, said=said):
        yield _pressing(message.intent(agent.name))
    yield from _news(inputs, agent, tie, nearness)


def _pressing(what: str) -> Reason:
    """Return the reason to say what was decided or promised."""
    return Reason(what, _ODDS["says_as_decided"], is_news=True, presses=True, waits=False)


def _room_for_talk(activity: str) -> float:
    """Return how much room what an agent does leaves for a talk."""
    fits = (float(room) for pattern, room in _ROOM if pattern.search(activity))
    return next(fits, float(_DATA["otherwise"]))


def _likelihood(
    inputs: DecisionInput, agent: ObservedAgent, chance: Chance
) -> tuple[Reason, float]:
    """Return what the agent has in mind to say, and how likely it says so."""
    last = agent.acquaintance.last_talk
    if last is not None and last.minutes_ago < _ODDS["talked_minutes_min"]:
        return Reason("", 0.0), 0.0
    tie = relationship(inputs.agent_name, agent.name, inputs.memories, agent.acquaintance)
    found = list(_reasons(inputs, agent, tie))
    strongest = max(found, key=lambda reason: reason.weight)
    likely = strongest.weight * _mood(inputs, tie)
    room = _room_for_talk(inputs.status.activity) * _room_for_talk(agent.status.activity)
    pressing = next((reason for reason in found if reason.presses), None)
    if pressing is not None:
        return pressing, likely * (max(room, _ODDS["room_for_what_presses"]) if room else 0.0)
    drawn = {one.what: max(chance.unit("why", one.what), LEAST_DRAWN) for one in found}
    reason = max(found, key=lambda one: log(drawn[one.what]) / one.weight)
    if not reason.is_news:
        scene = scene_of(_opening(inputs, agent, ""), chance)
        likely *= _ODDS[
            "with_a_day_to_tell" if any(told_day(scene)) else "with_nothing_to_tell"
        ]
        likely *= _BY_CLOSENESS["inclined"][tie.closeness]
    return reason, likely * room * _novelty(agent, tie, is_news=reason.is_news)


def _novelty(agent: ObservedAgent, tie: Relationship, *, is_news: bool) -> float:
    """Return how much a talk is worth after earlier ones, long ago more."""
    last = agent.acquaintance.last_talk
    if last is None:
        return 1.0
    if last.minutes_ago < _BY_CLOSENESS["same_day_minutes"][tie.closeness]:
        return _ODDS["again_with_news"] if is_news else _BY_CLOSENESS["again"][tie.closeness]
    missed = min(1.0, last.minutes_ago / _BY_CLOSENESS["missed_minutes"][tie.closeness])
    return 1.0 if is_news else missed


def _mood(inputs: DecisionInput, tie: Relationship) -> float:
    """Return how traits and feelings make a talk more or less likely."""
    mood = {1: _ODDS["outgoing"], -1: _ODDS["shy"]}.get(sociability(inputs.summary.traits), 1.0)
    mood *= _ODDS["in_love"] if tie.in_love else 1.0
    return mood * (_ODDS["disliked"] if tie.dislikes else 1.0)


def _news(
    inputs: DecisionInput, agent: ObservedAgent, tie: Relationship, nearness: float
) -> Iterator[Reason]:
    """Yield invitations to what is ahead, and news that the other one has not heard."""
    me = inputs.agent_name
    names = (me, agent.name, *(one.subject_name for one in inputs.memories if one.subject_name))
    in_mind = with_pursuits(inputs.memories, inputs.summary.lasting, inputs.now)
    last = agent.acquaintance.last_talk
    for news in news_in(in_mind, inputs.now, names, me):
        if news.is_known_to(agent.name, inputs.memories, last, inputs.now):
            continue
        near = 1.0 if tells_everybody(inputs.memories, me, news) else nearness
        gathering = news.gathering
        if gathering is not None and is_agreed(inputs.agreements, agent.name, gathering):
            continue
        if gathering is not None and (gathering.host == me or tie.in_love):
            weight = _ODDS["invites"] if gathering.host == me else _ODDS["invites_love"]
            what = INTENTS.fill("invite", other=agent.name, gathering=gathering.in_full)
            yield Reason(what, weight * near, is_news=True)
        elif news.strength > _ODDS["news_strength_min"]:
            usual = _ODDS["tells_news"] * min(news.worth / 10, 1) * _gossip(inputs, news)
            weight = _ODDS["tells_decision"] if news.presses else usual
            what = INTENTS.fill("tell", other=agent.name, news=news.core)
            yield Reason(what, weight * near, is_news=True, presses=news.presses)


def _gossip(inputs: DecisionInput, news: News) -> float:
    """Return the weight of telling news, which is larger for the agent's own."""
    me, memories = inputs.agent_name, inputs.memories
    if news.subject == me or (not news.subject and tells_everybody(memories, me, news)):
        return 1.0
    knows = not news.subject or relationship(me, news.subject, memories).closeness
    return _ODDS["gossip" if knows else "gossip_of_strangers"]
