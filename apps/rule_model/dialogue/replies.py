"""What is said to each act of the other one."""

from collections.abc import Callable, Sequence

from apps.rule_model.dialogue import answers
from apps.rule_model.dialogue.invitations import answer, helps, proposed
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.knowledge.news import is_bad, strength_of
from apps.rule_model.knowledge.pursuits import is_pursuit
from apps.rule_model.knowledge.relationships import relationship
from apps.rule_model.language.moments import written
from apps.rule_model.language.names import first_name, subject_of
from apps.rule_model.language.persons import in_third_person
from apps.rule_model.language.topics import stems_of, topic_of
from apps.rule_model.phrasebook import Heard

REPLIES_MAX = 3
BIG_NEWS = 6.0
ASKS_ON, TELLS_OF_WORK = 0.6, 0.5
SAME_DAY_MINUTES = 12 * 60
MORNING_ENDS, EVENING_BEGINS = 11, 18


def replies(scene: Scene) -> list[str]:
    """Return the sentences that answer what the other one has just said."""
    latest = {heard.act: heard for heard in reversed(scene.theirs)}
    answered = (
        _REPLIES[heard.act](scene, heard)
        for heard in scene.theirs
        if heard.act in _REPLIES and latest[heard.act] is heard
    )
    said = dict.fromkeys(sentence for found in answered for sentence in found)
    return [sentence for sentence in said if sentence and scene.is_fresh(sentence)][
        :REPLIES_MAX
    ]


def greeting(scene: Scene) -> str:
    """Return a greeting that fits the hour and the latest conversation."""
    last = scene.given.last_talk
    if last is not None and last.minutes_ago < SAME_DAY_MINUTES:
        return scene.say("greeting.again")
    by_hour = scene.happens(0.5, "hour")
    if by_hour and scene.now.hour < MORNING_ENDS:
        return scene.say("greeting.morning")
    is_evening = by_hour and scene.now.hour >= EVENING_BEGINS
    return scene.say("greeting.evening" if is_evening else "greeting")


def _greet(scene: Scene, _: Heard) -> list[str]:
    is_introduced = any(heard.act == "introduction" for heard in scene.theirs)
    is_new = scene.given.last_talk is None and is_introduced
    return [] if is_new or scene.has_said("greeting") else [greeting(scene)]


def _introduce(scene: Scene, heard: Heard) -> list[str]:
    if scene.given.last_talk is not None or scene.has_said("introduction"):
        return _greet(scene, heard)
    first = first_name(heard.slots.get("name", scene.you))
    return [scene.say("introduction.back", first=first)]


def _feel(scene: Scene, _: Heard) -> list[str]:
    activity = scene.own_activity(scene.given.status.activity)
    if activity and scene.happens(TELLS_OF_WORK, "busy"):
        return [scene.say("feeling.busy", activity=activity)]
    return [scene.say("feeling")]


def _invited(scene: Scene, heard: Heard) -> list[str]:
    gathering = proposed(heard, scene.you, scene.me, scene.today)
    return [] if gathering is None else answer(scene, gathering)


def _asked_for_help(scene: Scene, _: Heard) -> list[str]:
    return [scene.say("offer_of_help" if helps(scene) else "refusal_of_help")]


def _after_asking(key: str) -> Callable[[Scene, Heard], list[str]]:
    return lambda scene, _: [scene.say(key)] if scene.has_said("invitation", "outing") else []


def _informed(scene: Scene, heard: Heard) -> list[str]:
    core = _core(scene, heard)
    words = stems_of(core)
    if any(words <= stems_of(one.description) for one in scene.given.memories):
        return [scene.say("known")]
    if is_bad(core):
        return [scene.say("sympathy")]
    return [scene.say("wonder"), _opinion(scene, core)]


def _opinion(scene: Scene, core: str) -> str:
    """Return what the speaker makes of news, by what it thinks of its subject."""
    subject = subject_of(core, (scene.you, scene.me))
    if subject == scene.you:
        is_glad = scene.tie.is_warm and strength_of(core, subject) < BIG_NEWS
        key = "cool" if scene.tie.dislikes else "glad" if is_glad else "luck"
        return scene.say(f"opinion.{key}")
    opinion = relationship(scene.me, subject, scene.given.memories).opinion if subject else 0
    key = ("neutral", "likes", "dislikes")[opinion]
    return scene.say(f"opinion.{key}", first=first_name(subject))


def _told(scene: Scene, heard: Heard) -> list[str]:
    """React to a statement: with a question on the other one's work, or with interest."""
    core = _core(scene, heard)
    if is_bad(core):
        return [scene.say("sympathy")]
    topic = topic_of(core, scene.you) if is_pursuit(core, scene.you) else ""
    thing = topic.partition(" at ")[0].removeprefix(f"{scene.you}'s ")
    asks = thing and thing != topic and scene.happens(ASKS_ON, "progress")
    is_asked = scene.has_said("ask_progress")
    return [
        scene.say("interest"),
        scene.say("ask_progress", thing=thing) if asks and not is_asked else "",
    ]


def _question(scene: Scene, heard: Heard) -> list[str]:
    asked = heard.slots.get("question") or heard.slots.get("topic") or heard.sentence
    return [answers.about(scene, in_third_person(asked, scene.you, scene.me))]


def _core(scene: Scene, heard: Heard) -> str:
    """Return what a sentence tells, in the third person and with dates in full."""
    said = heard.slots.get("news", "")
    return written(in_third_person(said, scene.you, scene.me), scene.today) if said else ""


def _says(key: str) -> Callable[[Scene, Heard], list[str]]:
    return lambda scene, _: [scene.say(key)]


_REPLIES: dict[str, Callable[[Scene, Heard], Sequence[str]]] = {
    "meddling": _says("odd"),
    "machine": _says("assurance"),
    "greeting": _greet,
    "introduction": _introduce,
    "how_are_you": _feel,
    "invitation": _invited,
    "outing": _invited,
    "request": _asked_for_help,
    "accept": _after_asking("glad"),
    "decline": _after_asking("pity"),
    "maybe": _after_asking("open"),
    "news": _informed,
    "statement": _told,
    "plan": _says("interest"),
    "ask_day": lambda scene, _: [answers.about_day(scene)],
    "ask_progress": lambda scene, _: answers.about_progress(scene),
    "ask_around": _question,
    "ask_opinion": _question,
    "question": _question,
    "thanks": _says("welcome"),
}
