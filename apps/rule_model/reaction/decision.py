"""Whether an agent goes on or reacts: danger first, then damage, obstacles and agents (X1)."""

import re
from collections.abc import Iterator

from apps.reaction import inputs as given
from apps.reaction.inputs import DecisionInput, ObservedAgent, ObservedObject
from apps.reaction.llm_tasks import Decision, go_on
from apps.rule_model.language.words import patterns, vocabulary
from apps.rule_model.model import Chance
from apps.rule_model.reaction.talking import about_agent

MENDS, MENDS_LEAK = 0.6, 0.95
WAITS_ON = 0.3
HOURS_FOR_VISITS = range(8, 22)
MINUTES_OF_FIRE, MINUTES_OF_MEAL, MINUTES_OTHERWISE = 10, 25, 15
_DATA = vocabulary("phrases_reaction")
_PATTERNS = patterns("reaction")
_REMEDIES = tuple(
    (re.compile(rf"\b(?:{state})\b", re.IGNORECASE), what, least, most)
    for state, what, least, most in _DATA["remedies"]
)


def _about_danger(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return what is done about fire and flood, None where there is none or others do it."""
    for number, thing, state, is_alarming in _states(inputs):
        if not is_alarming or _is_seen_to(inputs):
            continue
        if _PATTERNS["fire"].search(state):
            return _fire(inputs, number, thing)
        see_to = _act(number, _DATA["see_to"].format(thing=thing), MINUTES_OTHERWISE)
        return _remedy(number, thing, state, chance) or see_to
    return None


def _about_damage(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return what is done about something broken, if the agent sees to it."""
    for number, thing, state, _ in _states(inputs):
        remedied = _remedy(number, thing, state, chance)
        likely = MENDS_LEAK if _PATTERNS["water"].search(state) else MENDS
        if remedied and not _is_seen_to(inputs) and chance.unit("mends", thing) < likely:
            return remedied
    return None


def _about_obstacle(inputs: DecisionInput, chance: Chance) -> Decision | None:
    """Return something to do first where the way is barred, None to wait on."""
    for number, observed in enumerate(inputs.observed, start=1):
        if isinstance(observed, given.Obstacle) and chance.unit("waits", number) >= WAITS_ON:
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


def _fire(inputs: DecisionInput, number: int, thing: str) -> Decision:
    now = inputs.now
    planned = (plan.activity for plan in inputs.outline if plan.starts <= now < plan.ends)
    meal = _PATTERNS["meal"].search(" ".join((inputs.status.activity, *planned)))
    if meal and _PATTERNS["cooker"].search(thing):
        what = _DATA["make_anew"].format(thing=thing, meal=meal["meal"].lower())
        return _act(number, what, MINUTES_OF_MEAL)
    return _act(number, _DATA["put_out"].format(thing=thing), MINUTES_OF_FIRE)


def _remedy(number: int, thing: str, state: str, chance: Chance) -> Decision | None:
    for pattern, what, least, most in _REMEDIES:
        if pattern.search(state):
            minutes = chance.between(least // 5, most // 5, "minutes") * 5
            return _act(number, what.format(thing=thing), minutes)
    return None


def _is_seen_to(inputs: DecisionInput) -> bool:
    """Return whether the agent or another one in view is at it already."""
    seen = (one.status.activity for one in inputs.observed if isinstance(one, ObservedAgent))
    return any(map(_PATTERNS["seen_to"].search, (inputs.status.activity, *seen)))


def _act(number: int, what: str, minutes: int) -> Decision:
    return Decision(choice="act", observation=number, what=what, place="", minutes=minutes)


_RULES = (_about_danger, _about_damage, _about_obstacle, _about_knock, about_agent)


def decision(inputs: DecisionInput, chance: Chance) -> Decision:
    """Return the reaction to what was perceived; most of it changes nothing."""
    return next(filter(None, (rule(inputs, chance) for rule in _RULES)), go_on(inputs))
