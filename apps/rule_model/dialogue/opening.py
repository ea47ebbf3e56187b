"""The first words of a conversation, from what the speaker has in mind (stand-in)."""

from apps.rule_model.dialogue.agenda import next_thing, work_question
from apps.rule_model.dialogue.greetings import hello, how_are_you
from apps.rule_model.dialogue.intents import as_meant, message
from apps.rule_model.dialogue.scene import Scene


def opening(scene: Scene) -> list[str]:
    """Return the sentences that open the conversation."""
    intent = scene.given.intent.strip().rstrip(".")
    return [hello(scene), *(as_meant(scene, intent) or message(scene) or _small_talk(scene))]


def _small_talk(scene: Scene) -> list[str]:
    if scene.tie.dislikes:
        return [scene.pick(("I didn't expect you here.", "You again."), "cool")]
    if scene.happens(0.5, "small talk"):
        return [how_are_you(scene)]
    return next_thing(scene) or [work_question(scene)]
