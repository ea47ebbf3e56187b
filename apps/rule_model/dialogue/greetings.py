"""Hello, how are you, and goodbye, by how close the two are (stand-in, not a model)."""

import re
from datetime import datetime

from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.hearing import Heard, acts_in
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.reading.ties import Closeness

NOON, EVENING = 12, 18
STATUS_WORDS_MAX = 9

_HELLO = {
    Closeness.FAMILY: ("Hey {name}.", "There you are, {name}.", "Hey, {name}!", "Hi {name}."),
    Closeness.CLOSE: ("Hey {name}!", "{name}, hi!", "Hi {name}!", "Hey, {name}!"),
    Closeness.FRIEND: (
        "Hi {name}!",
        "Hey {name}!",
        "{name}! Good to see you.",
        "Hello {name}!",
    ),
    Closeness.ACQUAINTED: ("Hi {name}.", "Hello {name}.", "{daytime}, {name}."),
    Closeness.STRANGER: (
        "Hello, I don't think we've met. I'm {me}.",
        "{daytime}. I don't think we've met: I'm {me}.",
        "Hi, I'm {me}. I don't think we've met.",
    ),
}
_HELLO_BACK = ("Hey {name}.", "Hi {name}.", "Oh, hi {name}.", "Hey, {name}!")
_HELLO_AGAIN = ("Hey again, {name}.", "{name}, one more thing.", "Hi again, {name}.")
_COOL_HELLO = ("Hello, {name}.", "{name}.", "Oh, {name}.")
_NICE_TO_MEET = (
    "Nice to meet you, {name}. I'm {me}.",
    "Good to meet you. I'm {me}.",
    "Hello {name}, I'm {me}.",
)
_GET_TO_KNOW = re.compile(r"(?:get to know|introduce|meet)\b", re.IGNORECASE)
_BUT_WE_KNOW = ("But we know each other, {name}!", "We've met before, {name}, haven't we?")
_HOW_ARE_YOU = {
    Closeness.FAMILY: ("How's your day?", "Everything all right?", "How is your day going?"),
    Closeness.CLOSE: ("How's it going?", "What's up?", "How are things?", "What's new?"),
    Closeness.FRIEND: ("How's it going?", "How are things?", "What's new?"),
    Closeness.ACQUAINTED: ("How are you?", "How's it going?", "How are things?"),
    Closeness.STRANGER: ("How is your day?", "How do you like it here?"),
}
_FINE = (
    "Pretty good.",
    "Not bad at all.",
    "Can't complain.",
    "Good, thanks.",
    "Oh, fine.",
    "All right so far.",
    "Busy, but good.",
)
_COOL_FINE = ("Fine.", "Busy.", "Same as ever.")
_DOING = ("I was just {doing}.", "I'm {doing}.")
_AND_YOU = ("And you?", "How about you?", "And how are you?")
_BYE = {
    Closeness.FAMILY: ("See you later.", "See you at home.", "Talk to you later, {name}."),
    Closeness.CLOSE: ("See you around, {name}!", "Talk to you later!", "See you soon, {name}!"),
    Closeness.FRIEND: ("See you around!", "Talk to you later, {name}!", "See you soon!"),
    Closeness.ACQUAINTED: ("See you around, {name}.", "Have a good one!", "Take care, {name}."),
    Closeness.STRANGER: ("Have a nice day!", "See you around!", "Take care."),
}
_PLAIN_BYE = (
    "Bye, {name}.",
    "Take care!",
    "Bye for now.",
    "Until later, {name}.",
    "Good night.",
)
_COOL_BYE = ("I have to go.", "I should go.", "Goodbye.", "Until later.")
_LEAVING = (
    "I should get back to {doing}.",
    "I'd better get back to {doing}.",
    "Well, I won't keep you from {their_doing}.",
)
_LEAVING_PLAINLY = (
    "Well, I have to go.",
    "Anyway, I should get going.",
    "I've got to run.",
    "I'd better get going.",
    "I must be off.",
    "I should let you go.",
    "I won't keep you any longer.",
)
# What one does not say one must get back to, nor keep another from.
_IDLE = re.compile(
    r"^(?:talking|chatting|walking to|sleeping|waiting|standing|looking|listening|saying)\b"
)
_TRADE = re.compile(r" is (?:an?|the) (?!close|friend|neighbor|classmate|colleague|acquaint)")
_STATUS = re.compile(r"\b(?:is|are) (?P<doing>\w+ing\b[^.;]*)")
_UNTIL = re.compile(
    r",? (?:(?:until|till|from|since) (?=\d|noon|midnight)|for another|@|at (?=\d)|then\b).*"
    r"|,? \(.*|,? and will .*"
)
# Where it is done goes without saying.
_THERE = re.compile(
    r" (?:in|at|on|behind|from) (?:the|a) (?:[\w ]+ )?(?:seating|counter|desk|shelf|shelves|"
    r"stove|sink|easel|table|piano|bench|console|computer)\b.*"
)


def hello(scene: Scene) -> str:
    """Return the greeting that a conversation is opened with."""
    if scene.is_curt:
        return scene.pick(_COOL_HELLO, "hello")
    if scene.talked_today:
        return scene.pick(_HELLO_AGAIN, "hello")
    phrases = _HELLO[_met(scene)]
    if _met(scene) is Closeness.STRANGER and not _GET_TO_KNOW.match(scene.given.intent):
        # In a small town one may greet by name whom one has only heard of.
        phrases = (*phrases, *_HELLO[Closeness.ACQUAINTED])
    return scene.pick(phrases, "hello", daytime=_daytime(scene.now), me=scene.me)


def hello_back(scene: Scene, heard: Heard) -> list[str]:
    """Return the answer to a greeting."""
    introduced = any(Act.INTRODUCTION in acts_in(text) for text in scene.mine)
    if heard.act is Act.INTRODUCTION and _met(scene) >= Closeness.ACQUAINTED:
        return [] if scene.mine else [scene.pick(_BUT_WE_KNOW, "known")]
    if heard.act is Act.INTRODUCTION:
        return [] if introduced else [scene.pick(_NICE_TO_MEET, "back", me=scene.me)]
    if scene.mine:
        return []
    if scene.is_curt:
        return [scene.pick(_COOL_HELLO, "back")]
    closeness = max(_met(scene), Closeness.ACQUAINTED)
    phrases = _HELLO_BACK if closeness is Closeness.FAMILY else _HELLO[closeness]
    return [scene.pick(phrases, "back", daytime=_daytime(scene.now))]


def trade(scene: Scene) -> str:
    """Return what the speaker is, for somebody who does not know: "I'm a tax lawyer."."""
    trades = (memory for memory in scene.known if _TRADE.match(memory.removeprefix(scene.me)))
    plain = (memory.partition(" who ")[0] for memory in trades)
    return next((f"{scene.in_own_words(memory)}." for memory in plain), "")


def how_are_you(scene: Scene) -> str:
    """Return the question, as these two ask it."""
    return scene.pick(_HOW_ARE_YOU[_met(scene)], "how")


def fine(scene: Scene) -> list[str]:
    """Return how the speaker is, and the question back if it has not been asked."""
    if scene.is_curt:
        return [scene.pick(_COOL_FINE, "fine")]
    doing = doing_in(scene.given.status)
    fine_words = scene.pick(_FINE, "fine")
    answer = [fine_words]
    if doing and scene.happens(0.5, "what I do"):
        answer.append(scene.pick(_DOING, "doing", doing=doing))
    asked = any(Act.HOW_ARE_YOU in acts_in(text) for text in scene.mine)
    if not asked and scene.happens(0.7, "and you"):
        answer.append(scene.pick(_AND_YOU, "and you"))
    return answer


def goodbye(scene: Scene, *, first: bool) -> list[str]:
    """Return a goodbye; who says it first says why."""
    if scene.is_curt:
        return [scene.pick(_COOL_BYE, "bye") or scene.pick(_PLAIN_BYE, "bye")]
    bye = scene.pick(_BYE[_met(scene)], "bye") or scene.pick(_PLAIN_BYE, "bye")
    return [_why(scene), bye] if first else [bye]


def doing_in(status: str) -> str:
    """Return what a status says one is doing, "" if it is nothing to speak of."""
    match = _STATUS.search(status)
    doing = _THERE.sub("", _UNTIL.sub("", match["doing"])).strip() if match else ""
    if not doing or _IDLE.match(doing) or len(doing.split()) > STATUS_WORDS_MAX:
        return ""
    return doing


def _why(scene: Scene) -> str:
    mine, theirs = doing_in(scene.given.status), doing_in(scene.given.other_status)
    phrases = [
        phrase
        for phrase in _LEAVING
        if (mine or "{doing}" not in phrase) and (theirs or "{their" not in phrase)
    ]
    return scene.pick(
        (*phrases, *_LEAVING_PLAINLY),
        "why",
        doing=scene.in_own_words(mine),
        their_doing=scene.in_own_words(theirs),
    )


def _met(scene: Scene) -> Closeness:
    """Return how close the two are; who has talked with somebody knows them."""
    if scene.given.last_talk and scene.tie.closeness is Closeness.STRANGER:
        return Closeness.ACQUAINTED
    return scene.tie.closeness


def _daytime(now: datetime | None) -> str:
    if now is None:
        return "Hello"
    if now.hour < NOON:
        return "Good morning"
    return "Good afternoon" if now.hour < EVENING else "Good evening"
