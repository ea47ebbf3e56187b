"""What is done about fire, water, damage and what is in the way (stand-in, no model)."""

import re
from collections.abc import Sequence

from apps.reaction.chains.decision import Decision, MomentToJudge, Observed
from apps.rule_model.model import Chance
from apps.rule_model.reaction.tendencies import MENDS, MENDS_LEAK, WAITS_FOR_ROOM, WAITS_ON

_STATE = re.compile(r"^(?:the |an? )?(?P<thing>.+?) (?:is|are|has) (?P<state>.+?)\.?$", re.I)
_FIRE = re.compile(r"\b(?:burning|burns|on fire|in flames|ablaze|smoking|smoke)\b", re.I)
_MEAL = re.compile(r"\b(?P<meal>breakfast|lunch|dinner|supper)\b", re.I)
_COOKER = re.compile(r"\b(?:stove|oven|cooker|toaster)\b", re.I)
_HELPS = re.compile(
    r"\b(?:putting out|turning off|switching off|mending|repairing|fixing|fetching tools|"
    r"mopping|wiping up|unclogging)\b"
)
_WATER = re.compile(r"\b(?:leak|drip|overflow|flood)\w*", re.I)
_SHUT = re.compile(r"\b(?:closed|closing|locked|shut)\b")
# A word of a state, what is done about it, and how many minutes that takes (least, most).
_REMEDIES: tuple[tuple[re.Pattern[str], str, int, int], ...] = tuple(
    (re.compile(rf"\b(?:{state})\b", re.IGNORECASE), remedy, least, most)
    for state, remedy, least, most in (
        (r"leak\w*|dripp\w*", "fetch tools and mend the leaking {thing}", 15, 25),
        (
            r"overflow\w*|flood\w*",
            "turn off the water at the {thing} and mop it up",
            15,
            20,
        ),
        (r"clogged|blocked", "unclog the {thing}", 10, 15),
        (
            r"broken|cracked|torn|smashed|damaged|out of order",
            "mend the broken {thing}",
            15,
            25,
        ),
        (r"spill\w*|spilt", "wipe up what is spilled at the {thing}", 5, 10),
        (r"jammed|stuck", "get the {thing} to move again", 10, 15),
    )
)
_WHILE_WAITING = (
    "tidy up a little",
    "look out of the window for a while",
    "stretch a little",
    "read the messages of the day",
    "drink a glass of water",
)
_BEFORE_A_SHUT_DOOR = ("take a short walk", "walk around the block", "do something else first")


def about_danger(given: MomentToJudge, chance: Chance) -> Decision | None:
    """Return what is done about fire and flood, None where there is none or others do it."""
    for number, seen in enumerate(given.observed, start=1):
        if seen.is_alarming and not _is_seen_to(given):
            return _alarmed(given, seen, number, chance)
    return None


def about_damage(given: MomentToJudge, chance: Chance) -> Decision | None:
    """Return what is done about something broken, if the person sees to it."""
    for number, seen in enumerate(given.observed, start=1):
        match = _STATE.match(seen.sentence)
        if seen.name or seen.is_obstacle or match is None or _is_seen_to(given):
            continue
        remedied = _remedy(match["thing"], match["state"], number, chance)
        likely = MENDS_LEAK if _WATER.search(match["state"]) else MENDS
        if remedied is not None and chance.unit("mends", seen.sentence) < likely:
            return remedied
    return None


def about_obstacle(given: MomentToJudge, chance: Chance) -> Decision | None:
    """Return something to do first where the way is barred; None is to wait."""
    for number, seen in enumerate(given.observed, start=1):
        if not seen.is_obstacle:
            continue
        has_waited = "waiting" in given.status
        waits = WAITS_ON if has_waited else WAITS_FOR_ROOM
        if chance.unit("waits", seen.sentence) < waits:
            return None
        is_shut = _SHUT.search(seen.sentence) is not None
        what = chance.choice(_BEFORE_A_SHUT_DOOR if is_shut else _WHILE_WAITING, "instead")
        return _act(number, what, chance.between(2, 3, "minutes") * 5)
    return None


def _alarmed(given: MomentToJudge, seen: Observed, number: int, chance: Chance) -> Decision:
    match = _STATE.match(seen.sentence)
    thing, state = (match["thing"], match["state"]) if match else ("it", seen.sentence)
    if not _FIRE.search(seen.sentence):
        remedied = _remedy(thing, state, number, chance)
        return remedied or _act(number, f"see to the {thing}", 15)
    meal = _MEAL.search(given.status)
    if meal and _COOKER.search(thing):
        return _act(number, f"turn off the {thing} and make {meal['meal']} anew", 25)
    return _act(number, f"put out the fire at the {thing}", 10)


def _remedy(thing: str, state: str, number: int, chance: Chance) -> Decision | None:
    for pattern, remedy, least, most in _REMEDIES:
        if pattern.search(state):
            minutes = chance.between(least // 5, most // 5, "minutes") * 5
            return _act(number, remedy.format(thing=thing), minutes)
    return None


def _is_seen_to(given: MomentToJudge) -> bool:
    """Whether the person or somebody in view is at it already."""
    doings: Sequence[str] = [given.status, *(s.sentence for s in given.observed if s.name)]
    return any(_HELPS.search(doing) for doing in doings)


def _act(number: int, what: str, minutes: int) -> Decision:
    return Decision(choice="act", observation=number, what=what, place="", minutes=minutes)
