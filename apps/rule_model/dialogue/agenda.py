"""What a speaker brings up: invitations, messages, news, questions and small talk."""

from collections.abc import Sequence

from apps.rule_model.dialogue.invitations import invitation
from apps.rule_model.dialogue.scene import ODDS, Scene, acts_of
from apps.rule_model.dialogue.smalltalk import topics
from apps.rule_model.knowledge.gatherings import is_agreed
from apps.rule_model.knowledge.news import News
from apps.rule_model.knowledge.pursuits import Message, messages, open_questions
from apps.rule_model.language.moments import is_over
from apps.rule_model.language.subjects import is_about, keys_of, stems_of

NEWS_TOLD_MAX = 1
# Less important news is told on request only.
TOLD_UNASKED = 4.5
# The acts of what a speaker brings up for the sake of the talk.
_TOPICS = frozenset(ODDS["topic_acts"].split())


def next_thing(scene: Scene, said: Sequence[str] = ()) -> str:
    """Return a sentence that brings up something new behind those of `said`, "" for nothing."""
    if scene.tie.dislikes and scene.mine:
        return ""
    done = acts_of(" ".join(said))
    for bring_up in (_invitation, _message, _news, _asked_around, _topic):
        sentence = bring_up(scene)
        if sentence and scene.is_fresh(sentence) and not acts_of(sentence) & done:
            return sentence
    return ""


def untold(scene: Scene) -> list[News]:
    """Return the news that the other one has not got from the speaker, best first."""
    return [news for news in scene.news if not _has_heard(scene, news)]


def told(scene: Scene, news: News) -> str:
    """Return the sentence that tells the news to the other one."""
    said = scene.in_own_words(news.core)
    if news.subject == scene.me:
        return scene.say("news.own", news=said)
    is_heard = news.teller not in ("", scene.you, news.subject)
    if is_heard and scene.happens(ODDS["says_who_told"], "who"):
        return scene.say("news.from", news=said, teller=news.teller)
    return scene.say("news.heard", news=said)


def message_told(scene: Scene, message: Message) -> str:
    """Return the sentence in which the speaker says what it has decided to say."""
    if message.statement:
        return scene.say("news.own", news=scene.in_own_words(message.statement))
    if message.verb.startswith(("apolog", "say sorry")):
        return scene.say("apology")
    return scene.say("meant", what=scene.in_own_words(message.intent(scene.you)))


def _has_heard(scene: Scene, news: News) -> bool:
    memories, last = scene.inputs.memories, scene.inputs.acquaintance.last_talk
    is_known = news.is_known_to(scene.you, memories, last, scene.now)
    return is_known or any(map(news.is_in, scene.lines))


def _invitation(scene: Scene) -> str:
    for news in untold(scene):
        gathering = news.gathering
        if gathering is None or scene.has_said("invitation"):
            continue
        is_open = not is_agreed(scene.inputs.agreements, scene.you, gathering)
        if is_open and (gathering.host == scene.me or scene.tie.in_love):
            return invitation(scene, gathering)
    return ""


def _message(scene: Scene) -> str:
    for promise in scene.inputs.promises:
        news = scene.in_own_words(promise.what)
        is_told = any(is_about(text, keys_of(news)) for text in scene.lines)
        if not is_told and not is_over(promise.what, scene.now):
            return scene.say("news.own", news=news)
    memories, kin = scene.inputs.memories, scene.tie.kin
    found = messages(scene.me, scene.you, memories, kin=kin, said=scene.lines)
    return message_told(scene, found[0]) if found else ""


def _news(scene: Scene) -> str:
    fresh = [news for news in untold(scene) if news.strength > TOLD_UNASKED]
    so_far = sum(heard.act == "news" for heard in scene.mine)
    if not fresh or so_far >= NEWS_TOLD_MAX:
        return ""
    news = fresh[0]
    gossip = 1.0 if news.subject == scene.me else ODDS["gossip"]
    likely = ODDS["tells"][scene.tie.closeness] * gossip
    return told(scene, news) if news.presses or scene.happens(likely, "tells") else ""


def _topic(scene: Scene) -> str:
    so_far = sum(heard.act in _TOPICS for heard in scene.mine)
    most = ODDS["topics_max"][scene.tie.closeness]
    if so_far >= most or not (scene.happens(ODDS["brings_up"], "topic") or not scene.mine):
        return ""
    return next(filter(scene.is_new, topics(scene)), "")


def _asked_around(scene: Scene) -> str:
    for question in open_questions(scene.inputs.memories, scene.me):
        is_new = not any(stems_of(question) <= stems_of(text) for text in scene.lines)
        if is_new and scene.happens(ODDS["asks_around"], "around"):
            return scene.say("ask_around", question=scene.in_own_words(question))
    return ""
