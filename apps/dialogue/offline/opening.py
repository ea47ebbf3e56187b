"""The first words of a conversation, from what the speaker has in mind (stand-in)."""

import re
from collections.abc import Callable

from apps.dialogue.offline import inviting
from apps.dialogue.offline.agenda import asked_about, asked_around, next_thing, work_question
from apps.dialogue.offline.greetings import hello, how_are_you
from apps.dialogue.offline.scene import Scene
from apps.dialogue.offline.telling import told
from apps.memory.reading.gatherings import gathering_in
from apps.memory.reading.names import subject_of
from apps.memory.reading.news import News, Told
from apps.memory.reading.topics import keys_of, topic_of

_COME = ("Would you like to come to {what}?", "Do you want to come to {what}?")
_HELP = ("Could you help me with {what}?", "Can you help me with {what}?")
_FAVOUR = ("Could you {what}?", "Would you {what}?")
_SORRY = ("I'm sorry about {what}.", "Sorry about {what}.")
_THANKS = ("Thanks for {what}.",)


def opening(scene: Scene) -> list[str]:
    """Return the sentences that open the conversation."""
    intent = scene.given.intent.strip().rstrip(".")
    for pattern, speak in _INTENTS:
        match = pattern.match(intent)
        said = (
            [sentence for sentence in speak(scene, match["what"]) if sentence] if match else []
        )
        if said:
            return [hello(scene), *said]
    return [hello(scene), *(_small_talk(scene))]


def _tell(scene: Scene, core: str) -> list[str]:
    """Tell what the intent says; who told it is in the memory that holds the same."""
    subject = subject_of(core, (scene.me, scene.you))
    keys = keys_of(topic_of(core, subject)) if subject else frozenset()
    meant = News(Told(core), subject, "", keys, 10.0)
    remembered = (n for n in scene.news if n.core == core or (keys and n.keys == keys))
    return told(scene, next(remembered, meant))


def _invite(scene: Scene, what: str) -> list[str]:
    known = [news for news in scene.news if gathering_in([news.core], scene.today)]
    meant = [news for news in known if news.keys and news.keys <= keys_of(what)]
    # Whose party it is, that one tells of it best.
    news = min(meant, key=lambda news: news.subject != scene.me, default=None)
    gathering = gathering_in([news.core if news else what], scene.today)
    if gathering is None:
        said = scene.in_own_words(what)
        return [scene.pick(_COME, "come", what=said)]
    return inviting.invitation(scene, gathering, news)


def _ask_about(scene: Scene, what: str) -> list[str]:
    topic = re.sub(r"^(?:how )?(?:their|his|her) ", f"{scene.you}'s ", what)
    return [asked_about(scene, re.sub(r"^how (.+?) (?:is|are) .*", r"\1", topic))]


def _ask_whether(scene: Scene, what: str) -> list[str]:
    return [asked_around(scene, what)]


def _ask_for(scene: Scene, what: str) -> list[str]:
    help_with = re.sub(r"^(?:help|a hand) (?:with|in) ", "", what)
    return [scene.pick(_HELP, "help", what=scene.in_own_words(help_with))]


def _ask_to(scene: Scene, what: str) -> list[str]:
    return [scene.pick(_FAVOUR, "favour", what=scene.in_own_words(what))]


def _apologise(scene: Scene, what: str) -> list[str]:
    return [scene.pick(_SORRY, "sorry", what=scene.in_own_words(what))]


def _thank(scene: Scene, what: str) -> list[str]:
    return [scene.pick(_THANKS, "thanks", what=scene.in_own_words(what))]


def _small_talk(scene: Scene) -> list[str]:
    if scene.tie.dislikes:
        return [scene.pick(("I didn't expect you here.", "You again."), "cool")]
    if scene.happens(0.5, "small talk"):
        return [how_are_you(scene)]
    return next_thing(scene) or [work_question(scene)]


_ANYBODY = r"(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*|him|her|them)"
_INTENTS: tuple[tuple[re.Pattern[str], Callable[[Scene, str], list[str]]], ...] = tuple(
    (re.compile(pattern.replace("WHO", _ANYBODY)), speak)
    for pattern, speak in (
        (r"(?:tell|let|inform|remind) WHO (?:know )?that (?P<what>.+)", _tell),
        (r"(?:pass on|share)(?: the news)?(?: with WHO)? that (?P<what>.+)", _tell),
        (r"invite WHO (?:to|for) (?P<what>.+)", _invite),
        (r"ask WHO (?P<what>(?:who|what|when|where|whether|if|why)\b.+)", _ask_whether),
        (r"ask (?:WHO )?(?:about )?(?P<what>how .+)", _ask_about),
        (r"ask (?:WHO )?about (?P<what>.+)", _ask_about),
        (r"ask WHO for (?P<what>.+)", _ask_for),
        (r"ask WHO to (?P<what>.+)", _ask_to),
        (r"(?:apologi[sz]e|say sorry) (?:to WHO )?for (?P<what>.+)", _apologise),
        (r"thank WHO for (?P<what>.+)", _thank),
    )
)
