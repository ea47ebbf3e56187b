"""Decides whether an agent reacts: to danger first, then damage, obstacles and agents (X1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from math import log

from apps.dialogue.inputs import Line, UtteranceInput
from apps.reaction import inputs as given
from apps.reaction.inputs import (
    DecisionInput,
    ObservedAgent,
    ObservedObject,
    TalkReason,
    agent_in,
)
from apps.reaction.judged_states import JudgedState, prevents_nothing
from apps.reaction.llm_tasks import ACTIVITY_CHARACTERS_MAX, Decision, go_on
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.dialogue.agenda import told_day
from apps.rule_model.dialogue.scene import scene_of
from apps.rule_model.dialogue.utterance import LINES_MAX, utterance
from apps.rule_model.knowledge.gatherings import is_agreed, would_invite
from apps.rule_model.knowledge.news import News, news_in, tellable, tells_everybody
from apps.rule_model.knowledge.relationships import (
    Relationship,
    relationship,
    sociability,
)
from apps.rule_model.language.moments import is_over
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS

# The probability that an agent repairs something broken, or a leak.
REPAIR_PROBABILITY, LEAK_REPAIR_PROBABILITY = 0.6, 0.95
# The probability that an agent keeps waiting at an obstacle.
WAIT_PROBABILITY = 0.3
HOURS_FOR_VISITS = range(8, 22)
MINUTES_OF_FIRE, MINUTES_OTHERWISE = 10, 15
_DATA = vocabulary("phrases_reaction")
_PATTERNS = patterns("reaction")
_REMEDIES = tuple(
    (re.compile(rf"\b(?:{state})\b", re.IGNORECASE), what, least, most)
    for state, what, least, most in _DATA["remedies"]
)

_STATES = tuple(
    (re.compile(rf"\b(?:{state})\b", re.IGNORECASE), given.Prevented(prevents), by_itself, what)
    for state, prevents, by_itself, what in _DATA["states"]
)

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

    `presses` marks what was decided or promised: it has precedence, even in an activity that
    leaves little room for a talk. `waits` marks what is put off at the time of day of earlier
    talks.
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
    is_together = agent.name in inputs.together
    pause = _ODDS["talked_minutes_together" if is_together else "talked_minutes_min"]
    if last is not None and last.minutes_ago < pause:
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
    novelty = _novelty(agent, tie, is_news=reason.is_news)
    if is_together:
        novelty = max(novelty, _BY_CLOSENESS["together"][tie.closeness])
    return reason, likely * room * novelty


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
    """Yield invitations to gatherings ahead, and news that the other agent has not heard."""
    me = inputs.agent_name
    names = (me, agent.name, *(one.subject_name for one in inputs.memories if one.subject_name))
    in_mind = tellable(inputs.memories, inputs.summary.lasting, inputs.now, agent.name)
    last = agent.acquaintance.last_talk
    for news in news_in(in_mind, inputs.now, names, me):
        if news.is_known_to(agent.name, inputs.memories, last, inputs.now):
            continue
        near = 1.0 if tells_everybody(inputs.memories, me, news) else nearness
        gathering = news.gathering
        if gathering is not None and is_agreed(inputs.agreements, agent.name, gathering):
            continue
        if gathering is not None and would_invite(
            me, gathering, inputs.memories, in_love=tie.in_love
        ):
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


def _about_danger(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return the reaction to fire and flood, None without one or if others see to it."""
    for number, thing, state, is_alarming in _states(inputs):
        if not is_alarming or _is_seen_to(inputs):
            continue
        if _PATTERNS["fire"].search(state):
            return _fire(number, thing)
        see_to = _act(number, _DATA["see_to"].format(thing=thing), MINUTES_OTHERWISE)
        return _remedy(number, thing, state, chance) or see_to
    return None


def _about_damage(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return the repair of something broken, None if the agent leaves it."""
    for number, thing, state, _ in _states(inputs):
        remedied = _remedy(number, thing, state, chance)
        is_leak = _PATTERNS["water"].search(state)
        likely = LEAK_REPAIR_PROBABILITY if is_leak else REPAIR_PROBABILITY
        if remedied and not _is_seen_to(inputs) and chance.unit("mends", thing) < likely:
            return remedied
    return None


def _about_obstacle(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return what is to be done first where the way is barred, None to keep waiting."""
    for number, observed in enumerate(inputs.observed, start=1):
        if isinstance(observed, given.Obstacle) and observed.remedy:
            return _act(number, observed.remedy, MINUTES_OTHERWISE)
        is_barred = isinstance(observed, given.Obstacle)
        if is_barred and chance.unit("waits", number) >= WAIT_PROBABILITY:
            what = chance.choice(_DATA["in_place_of_waiting"], "instead")
            return _act(number, what, chance.between(1, 2, "minutes") * 5)
    return None


def _about_knock(inputs: DecisionInput, _: Chance) -> Decision | None:
    """Return to open the door to somebody who knocks, but not at night."""
    for number, observed in enumerate(inputs.observed, start=1):
        if isinstance(observed, given.KnockHeard) and inputs.now.hour in HOURS_FOR_VISITS:
            return Decision(choice="open", observation=number, what="", place="", minutes=0)
    return None


def _states(inputs: DecisionInput) -> Iterator[tuple[int, str, str, bool]]:
    """Yield the objects observed: number, name, state, and whether it is alarming."""
    for number, observed in enumerate(inputs.observed, start=1):
        if isinstance(observed, ObservedObject):
            yield number, observed.name, observed.state, observed.is_alarming
        elif isinstance(observed, given.UserObservation) and observed.agent is None:
            match = _PATTERNS["told"].match(" ".join(observed.text.split()))
            if match is not None:
                yield number, match["thing"], match["state"], observed.is_alarming
            elif observed.is_alarming:
                yield number, "danger", observed.text, True


def _fire(number: int, thing: str) -> Decision:
    return _act(number, _DATA["put_out"].format(thing=thing), MINUTES_OF_FIRE)


def _remedy(number: int, thing: str, state: str, chance: Chance) -> Decision | None:
    for pattern, what, least, most in _REMEDIES:
        if pattern.search(state):
            minutes = chance.between(least // 5, most // 5, "minutes") * 5
            return _act(number, what.format(thing=thing), minutes)
    return None


def _is_seen_to(inputs: DecisionInput) -> bool:
    """Return whether the agent, or another one in view, is dealing with it already."""
    seen = (one.status.activity for one in inputs.observed if isinstance(one, ObservedAgent))
    return any(map(_PATTERNS["seen_to"].search, (inputs.status.activity, *seen)))


def _act(number: int, what: str, minutes: int) -> Decision:
    return Decision(choice="act", observation=number, what=what, place="", minutes=minutes)


def judged_state(inputs: given.StateInput, _: Chance) -> JudgedState:
    """Return what the state prevents by the first pattern that fits it, nothing by default."""
    for pattern, prevents, by_itself, remedy in _STATES:
        if pattern.search(inputs.state):
            return JudgedState(
                prevents=prevents,
                ends_by_itself=by_itself,
                remedy=remedy.format(thing=inputs.name),
            )
    return prevents_nothing(inputs)


_RULES = (_about_danger, _about_damage, _about_obstacle, _about_knock, about_agent)


def decision(inputs: DecisionInput, chance: Chance) -> Decision:
    """Return the reaction to what was perceived; most of it changes nothing."""
    return next(filter(None, (rule(inputs, chance) for rule in _RULES)), go_on(inputs))
