"""Says what the speaker has in mind to say (stand-in, not a language model)."""

import re
from collections.abc import Callable

from apps.rule_model.dialogue import inviting
from apps.rule_model.dialogue.agenda import asked_about, asked_around
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.dialogue.telling import told
from apps.rule_model.reading.gatherings import gathering_in
from apps.rule_model.reading.messages import messages_for
from apps.rule_model.reading.names import subject_of
from apps.rule_model.reading.news import News, Told, strength_of
from apps.rule_model.reading.topics import keys_of, topic_of

_COME = ("Would you like to come to {what}?", "Do you want to come to {what}?")
_HELP = ("Could you help me with {what}?", "Can you help me with {what}?")
_FAVOUR = ("Could you {what}?", "Would you {what}?")
_SORRY = ("I'm sorry about {what}.", "Sorry about {what}.")
_THANKS = ("Thanks for {what}.",)
_CONFIDES = ("I wanted to tell you that {news}.", "I want you to know that {news}.")
_SPEAKS_OF = ("I wanted to tell you {what}.",)


def as_meant(scene: Scene, intent: str) -> list[str]:
    """Return the sentences that say what the intent means, nothing if they say it not."""
    for pattern, speak in _INTENTS:
        match = pattern.match(intent)
        said = (
            [sentence for sentence in speak(scene, match["what"]) if sentence] if match else []
        )
        if said:
            return said
    return []


def message(scene: Scene) -> list[str]:
    """Return what the speaker has decided to say to this very one and has not said yet."""
    said = (*scene.mine, scene.given.last_talk)
    messages = messages_for(scene.you, scene.me, scene.known, kin=scene.tie.kin, said=said)
    return next(filter(None, (as_meant(scene, intent) for intent in messages)), [])


def _tell(scene: Scene, core: str) -> list[str]:
    """Tell what the intent says; who told it is in the memory that holds the same."""
    subject = subject_of(core, (scene.me, scene.you))
    keys = keys_of(topic_of(core, subject)) if subject else frozenset()
    meant = News(Told(core), subject, "", keys, 10.0)
    remembered = (n for n in scene.news if n.core == core or (keys and n.keys == keys))
    news = next(remembered, None)
    if news is None and not strength_of(core, subject):
        return [scene.pick(_CONFIDES, "confides", news=scene.in_own_words(core))]
    return told(scene, news or meant)


def _tell_of(scene: Scene, what: str) -> list[str]:
    return [scene.pick(_SPEAKS_OF, "speaks of", what=scene.in_own_words(what))]


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


_ANYBODY = r"(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*|him|her|them)"
_INTENTS: tuple[tuple[re.Pattern[str], Callable[[Scene, str], list[str]]], ...] = tuple(
    (re.compile(pattern.replace("WHO", _ANYBODY)), speak)
    for pattern, speak in (
        (r"(?:tell|let|inform|remind) WHO (?:know )?that (?P<what>.+)", _tell),
        (r"tell WHO (?P<what>(?:about|of|how|why|what|who|the|a)\b.+)", _tell_of),
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
