"""What somebody has still to say or to ask in a conversation (stand-in, not a model)."""

import re

from apps.rule_model.dialogue import inviting
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.answering import pursuits
from apps.rule_model.dialogue.greetings import doing_in
from apps.rule_model.dialogue.hearing import acts_in
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.dialogue.telling import told
from apps.rule_model.reading.concerns import is_answered, question_in
from apps.rule_model.reading.gatherings import gathering_in
from apps.rule_model.reading.moments import is_over, spoken
from apps.rule_model.reading.news import News, strength_of
from apps.rule_model.reading.ties import Closeness
from apps.rule_model.reading.topics import keys_of, stems_of, topic_of

# How likely one brings something up when there is room for it.
ASKS, ASKS_AROUND, ASKS_FOR_HELP = 0.6, 0.2, 0.5
TELLS = {
    Closeness.STRANGER: 0.15,
    Closeness.ACQUAINTED: 0.35,
    Closeness.FRIEND: 0.6,
    Closeness.CLOSE: 0.7,
    Closeness.FAMILY: 0.7,
}
GOSSIP = 0.2  # what is about others is told less gladly
NEWS_TOLD_MAX, QUESTIONS_MAX = 1, 2
# What is milder is told when one is asked about it.
TOLD_UNASKED = 4.5
_ASKS_ABOUT = (
    "How's your {thing} coming along?",
    "How is your {thing} going?",
)
_ASKS_WORK = (
    "What are you working on these days?",
    "What keeps you busy at the moment?",
    "And what are you up to?",
    "What do you do these days?",
    "Busy with anything special?",
)
_ASKS_CLOSELY = (
    "What are you up to today?",
    "What have you been up to?",
    "What's the rest of your day like?",
    "What are you doing later?",
)
_ASKS_DOING = ("How's the {doing} going?",)
_ASKS_KNOWING = ("Do you know {question}?", "Have you any idea {question}?")
_PREPARES = re.compile(
    r"^plans to (?P<what>(?:decorate|set up|prepare|clean up for) .+?)(?: at [A-Z].+?)? "
    r"(?P<hours>from \d.+?(?: to .+?)?) (?P<day>on .+)$"
)
_ASKS_HELP = ("Could you help me {what} {when}?", "Can you help me {what} {when}?")
_ASKED = frozenset({Act.ASK_WORK, Act.ASK_DAY})
_DOINGS = re.compile(
    r"^(?P<doing>reading|writing|painting|studying|drawing|gardening|cooking|baking|filming|"
    r"composing|rehearsing|programming|cleaning|shopping|decorating|photographing)\b"
)


def next_thing(scene: Scene) -> list[str]:
    """Return something new to tell or to ask, nothing when there is none or no wish to."""
    if scene.tie.dislikes and scene.mine:
        return []
    for thing in (_invitation, _help, _news, _question):
        sentences = [sentence for sentence in thing(scene) if sentence]
        if sentences and all(map(scene.is_fresh, sentences)):
            return sentences
    return []


def tellable(scene: Scene) -> list[News]:
    """Return the news that the other one has not got from the speaker, best first."""
    return [news for news in scene.news if not _has_heard(scene, news)]


def asked_about(scene: Scene, topic: str) -> str:
    """Return the question how something goes: "How's your composition coming along?"."""
    thing = scene.in_own_words(topic)
    bare = re.sub(r"^(?:your|the|my) ", "", thing)
    if thing.startswith("your ") or bare != thing:
        return scene.pick(_ASKS_ABOUT, "about", thing=bare)
    return scene.pick(
        ("How are things with {thing}?", "What about {thing}?"), "about", thing=thing
    )


def asked_around(scene: Scene, question: str) -> str:
    """Return the question whether the other one knows something."""
    return scene.pick(_ASKS_KNOWING, "knowing", question=scene.in_own_words(question))


def work_question(scene: Scene) -> str:
    """Return the question what the other one does, by what is seen of them."""
    match = _DOINGS.match(doing_in(scene.given.other_status))
    if match:
        return scene.pick(_ASKS_DOING, "doing", doing=match["doing"])
    is_close = scene.tie.closeness >= Closeness.FRIEND
    return scene.pick(_ASKS_CLOSELY if is_close else _ASKS_WORK, "work")


def _has_heard(scene: Scene, news: News) -> bool:
    if news.is_known_to(scene.you) or news.is_in(scene.given.last_talk):
        return True
    if any(news.is_in(line.text) for line in scene.given.lines):
        return True
    talks = (m for m in scene.known if " talked " in m and scene.me in m and scene.you in m)
    return any(news.is_in(talk) for talk in talks)


def _invitation(scene: Scene) -> list[str]:
    """Invite to what the speaker gives, if the other one has not been asked to it yet."""
    for news in tellable(scene):
        gathering = gathering_in([news.core], scene.today)
        if gathering is None or gathering.when.day is None:
            continue
        if gathering.host == scene.me or scene.tie.in_love:
            return inviting.invitation(scene, gathering, news)
    return []


def _help(scene: Scene) -> list[str]:
    """Ask a friend for help with what the speaker prepares for others."""
    if scene.tie.closeness < Closeness.FRIEND or not scene.happens(ASKS_FOR_HELP, "help"):
        return []
    for memory in scene.known:
        match = _PREPARES.match(memory.removeprefix(scene.me).strip())
        is_ahead = scene.now is not None and not is_over(memory, scene.now)
        asked = any(act is Act.REQUEST for text in scene.mine for act in acts_in(text))
        if match and memory.startswith(scene.me) and is_ahead and not asked:
            when = spoken(f"{match['day']} {match['hours']}", scene.today)
            what = scene.in_own_words(match["what"])
            return [scene.pick(_ASKS_HELP, "help", what=what, when=when)]
    return []


def _news(scene: Scene) -> list[str]:
    likely = TELLS[scene.tie.closeness]
    told_so_far = sum(1 for text in scene.mine if any(n.is_in(text) for n in scene.news))
    fresh = [news for news in tellable(scene) if _is_for_all(news)]
    if not fresh or told_so_far >= NEWS_TOLD_MAX:
        return []
    likely *= 1.0 if fresh[0].subject == scene.me else GOSSIP
    if not scene.happens(likely, "tells"):
        return []
    return told(scene, fresh[0])


def _is_for_all(news: News) -> bool:
    return strength_of(news.core, news.subject) > TOLD_UNASKED


def _question(scene: Scene) -> list[str]:
    asked = sum(text.count("?") for text in scene.mine)
    if asked >= QUESTIONS_MAX or not scene.happens(ASKS, "asks"):
        return []
    lines = [act for line in scene.given.lines for act in acts_in(line.text)]
    general = "" if _ASKED & set(lines) else work_question(scene)
    question = _about_pursuit(scene) or _around(scene) or general
    return [question] if question else []


def _about_pursuit(scene: Scene) -> str:
    for core in pursuits(scene, scene.you):
        topic = topic_of(core, scene.you)
        said = any(keys_of(topic) <= stems_of(line.text) for line in scene.given.lines)
        if topic.startswith(f"{scene.you}'s ") and not said:
            return asked_about(scene, topic)
    return ""


def _around(scene: Scene) -> str:
    known = (*scene.known, *(line.text for line in scene.given.lines))
    for memory in scene.known:
        question = question_in(memory, scene.me)
        asked = any(stems_of(question) <= stems_of(text) for text in scene.mine)
        if not question or asked or is_answered(question, known):
            continue
        if scene.happens(ASKS_AROUND, "around"):
            return asked_around(scene, question)
    return ""
