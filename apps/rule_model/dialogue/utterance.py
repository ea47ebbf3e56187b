"""What an agent says next in a conversation (D1, D4)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from apps.agents.phrases import UTTERANCE_CHARACTERS_MAX, UTTERANCE_WORDS_MAX
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.rule_model.dialogue.agenda import next_thing, told
from apps.rule_model.dialogue.invitations import invitation
from apps.rule_model.dialogue.replies import greeting, replies
from apps.rule_model.dialogue.scene import ODDS, Scene, plain_words, scene_of
from apps.rule_model.dialogue.smalltalk import is_told_of
from apps.rule_model.knowledge.gatherings import gathering_in
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS

# After so many lines nothing is brought up any more.
LINES_MAX = 6
# An agent takes its leave if it goes on at another place so soon.
SOON = timedelta(minutes=15)
# What the other one has said and may be waiting for an answer to.
_GOES_ON = frozenset(ODDS["awaiting"].split())


def utterance(inputs: UtteranceInput, chance: Chance) -> Utterance:
    """Return the opening of a conversation, or the reply to what was said last."""
    scene = scene_of(inputs, chance)
    said, ends = _reply(scene) if scene.theirs else (_opening(scene), False)
    text = _spoken(said)
    if not text or plain_words(text) in map(plain_words, scene.lines):
        text, ends = _spoken(_closing(scene)), True
    return Utterance(utterance=text, ends=ends, leaves=ends and _leaves(scene))


def _spoken(said: Sequence[str]) -> str:
    """Return the sentences as one utterance, as many as may be said at once."""
    words = " ".join(said).split()[:UTTERANCE_WORDS_MAX]
    return " ".join(words)[:UTTERANCE_CHARACTERS_MAX].strip()


def _opening(scene: Scene) -> list[str]:
    meant = _intended(scene)
    fresh = meant if scene.is_fresh(meant) else ""
    said = fresh or next_thing(scene) or scene.say("how_are_you")
    if scene.mine:  # a speaker without an answer does not greet again
        return [said]
    return [greeting(scene), "" if scene.tie.closeness else scene.say("introduction"), said]


def _intended(scene: Scene) -> str:
    """Return the sentence that says what the speaker wants to say."""
    intent = " ".join(scene.inputs.intent.split()).rstrip(".")
    meant = INTENTS.read(intent)
    said = _INTENDED[meant.act](scene, meant.slots) if meant is not None else None
    if said is None and intent:
        return scene.say("meant", what=scene.in_own_words(intent))
    return said or ""


def _invite(scene: Scene, slots: Mapping[str, str]) -> str | None:
    meant = gathering_in(slots["gathering"], scene.today)
    known = (news.gathering for news in scene.news if news.gathering is not None)
    gathering = next((one for one in known if meant and meant.keys <= one.keys), meant)
    return None if gathering is None else invitation(scene, gathering)


def _tell(scene: Scene, slots: Mapping[str, str]) -> str | None:
    known = next((news for news in scene.news if news.core == slots["news"]), None)
    if known is not None:
        return told(scene, known)
    return scene.say("news.own", news=scene.in_own_words(slots["news"]))


def _greet(scene: Scene, _: Mapping[str, str]) -> str | None:
    asks = scene.tie.closeness and scene.happens(ODDS["asks_how_it_goes"], "greets")
    return scene.say("how_are_you") if asks else ""


_INTENDED = {"invite": _invite, "tell": _tell, "greet": _greet}


def _reply(scene: Scene) -> tuple[list[str], bool]:
    """Return the sentences of the reply, and whether they end the conversation."""
    acts = {heard.act for heard in scene.theirs}
    if "farewell" in acts:
        thanked = [scene.say("welcome")] if "thanks" in acts else []
        return [*thanked, scene.say("farewell")], True
    said = replies(scene)
    if scene.inputs.utterances_left <= 2:
        return [*said, *_closing(scene)], True
    asks = any(sentence.endswith("?") for sentence in said)
    more = "" if asks or len(scene.lines) >= LINES_MAX else next_thing(scene, said)
    if more or asks:
        return [*said, more], False
    is_waited_for = bool(acts & _GOES_ON) and len(scene.lines) < LINES_MAX
    if is_waited_for and said:
        return said, False
    is_enough = bool(said) and not _leaves(scene) and scene.happens(ODDS["adds_nothing"], "end")
    return [*said, *([] if is_enough else _closing(scene))], True


def _leaves(scene: Scene) -> bool:
    """Return whether the plan is about to lead the speaker to another place."""
    onward = scene.inputs.departure
    return onward is not None and onward.leaves_place and onward.starts - scene.now <= SOON


def _closing(scene: Scene) -> list[str]:
    """Return the last words, with a farewell only if the speaker leaves."""
    onward = scene.inputs.departure
    if onward is None or not _leaves(scene):
        return [_staying(scene)]
    says_why = scene.happens(ODDS["says_why_it_leaves"], "leaving")
    activity = scene.own_activity(onward.activity)
    return [scene.say("leaving", activity=activity) if says_why else "", scene.say("farewell")]


def _staying(scene: Scene) -> str:
    """Return the last words of one that stays where it is, by tie and occupation."""
    doing = scene.inputs.status.activity
    if is_told_of(doing) and scene.happens(ODDS["back_to_work"], "back"):
        return scene.say("staying.back", activity=scene.own_activity(doing))
    if scene.inputs.acquaintance.home:
        return scene.say("staying.home")
    return scene.say("staying.met" if "introduction" in scene.acts else "staying")
