"""What somebody says next, by rules from the chain's input alone (stand-in, no model)."""

from apps.dialogue.chains.utterance import TurnToSpeak, Utterance
from apps.dialogue.rules import spoken_words
from apps.rule_model.dialogue.greetings import goodbye
from apps.rule_model.dialogue.opening import opening
from apps.rule_model.dialogue.replying import joined, reply
from apps.rule_model.dialogue.scene import plain, scene_of
from apps.rule_model.model import Chance


def utterance(given: TurnToSpeak, chance: Chance) -> Utterance:
    """Return the opening of a conversation, or the reply to what was said last."""
    scene = scene_of(given, chance)
    if not scene.theirs:
        return Utterance(utterance=spoken_words(joined(opening(scene))), ends=False)
    sentences, ends = reply(scene)
    said = joined(sentences)
    if not said or plain(said) in {plain(line.text) for line in given.lines}:
        said, ends = joined(goodbye(scene, first=False)) or "Well, bye.", True
    return Utterance(utterance=spoken_words(said), ends=ends)
