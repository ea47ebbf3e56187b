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
from apps.rule_model.language.topics import topic_of
from apps.rule_model.phrasebook import Heard

REPLIES_MAX = 3
BIG_NEWS = 6.0


def replies(scene: Scene) -> list[str]:
    """Return the sentences that answer what the other one has just said."""
    said: list[str] = []
    acts = [heard.act for heard in scene.theirs]
    for heard in scene.theirs:
        reply = _REPLIES.get(heard.act)
        is_repeated = heard.act in acts[: acts.index(heard.act)]
        if reply is not None and not is_repeated:
            said += [one for one in reply(scene, heard) if one and one not in said]
    fresh = [sentence for sentence in said if scene.is_fresh(sentence)]
    return fresh[:REPLIES_MAX]


def greeting(scene: Scene) -> str:
    """Return a greeting that fits the hour and the latest conversation."""
    last = scene.given.last_talk
    if last is not None and last.minutes_ago < 12 * 60:
        return scene.say("greeting.again")
    if scene.now.hour < 11 and scene.happens(0.5, "hour"):
        return scene.say("greeting.morning")
    if scene.now.hour >= 18 and scene.happens(0.5, "hour"):
        return scene.say("greeting.evening")
    return scene.say("greeting")


def core_of(heard: Heard, speaker: str, listener: str, scene: Scene) -> str:
    """Return what a sentence tells, in the third person and with dates in full."""
    said = heard.slots.get("news", "")
    return written(in_third_person(said, speaker, listener), scene.today) if said else ""


def _greet(scene: Scene, _: Heard) -> list[str]:
    is_new = scene.given.last_talk is None and _is_introduced(scene)
    return [] if is_new or scene.has_said("greeting") else [greeting(scene)]


def _introduce(scene: Scene, heard: Heard) -> list[str]:
    if scene.given.last_talk is not None or scene.has_said("introduction"):
        return _greet(scene, heard)
    first = first_name(heard.slots.get("name", scene.you))
    return [scene.say("introduction.back", first=first)]


def _is_introduced(scene: Scene) -> bool:
    return any(heard.act == "introduction" for heard in scene.theirs)


def _feel(scene: Scene, _: Heard) -> list[str]:
    status = scene.given.status
    if status.activity and scene.happens(0.5, "busy"):
        return [scene.say("feeling.busy", activity=scene.in_own_words(status.activity))]
    return [scene.say("feeling")]


def _invited(scene: Scene, heard: Heard) -> list[str]:
    gathering = proposed(heard, scene.you, scene.me, scene.today)
    return [] if gathering is None else answer(scene, gathering)


def _asked_for_help(scene: Scene, _: Heard) -> list[str]:
    return [scene.say("offer_of_help" if helps(scene) else "refusal_of_help")]


def _answered(key: str) -> Callable[[Scene, Heard], list[str]]:
    def reply(scene: Scene, _: Heard) -> list[str]:
        asked = scene.has_said("invitation") or scene.has_said("outing")
        return [scene.say(key)] if asked else []

    return reply


def _informed(scene: Scene, heard: Heard) -> list[str]:
    core = core_of(heard, scene.you, scene.me, scene)
    subject = subject_of(core, (scene.you, scene.me))
    if scene.knows(core):
        return [scene.say("known")]
    if is_bad(core):
        return [scene.say("sympathy")]
    return [scene.say("wonder"), _opinion(scene, core, subject)]


def _opinion(scene: Scene, core: str, subject: str) -> str:
    """Return what the speaker makes of news, by what it thinks of its subject."""
    if subject == scene.you:
        if scene.tie.dislikes:
            return scene.say("opinion.cool")
        is_glad = scene.tie.is_warm and strength_of(core, subject) < BIG_NEWS
        return scene.say("opinion.glad" if is_glad else "opinion.luck")
    tie = relationship(scene.me, subject, scene.given.memories) if subject else None
    if tie is None or not tie.opinion:
        return scene.say("opinion.neutral")
    key = "opinion.likes" if tie.opinion > 0 else "opinion.dislikes"
    return scene.say(key, first=first_name(subject))


def _told(scene: Scene, heard: Heard) -> list[str]:
    """React to a statement: with a question on the other one's work, or with interest."""
    core = core_of(heard, scene.you, scene.me, scene)
    if is_bad(core):
        return [scene.say("sympathy")]
    if is_pursuit(core, scene.you) and not scene.has_said("ask_progress"):
        topic = topic_of(core, scene.you).removeprefix(f"{scene.you}'s ")
        thing = topic.partition(" at ")[0]
        asks = scene.happens(0.6, "progress") and not topic.startswith("the news that")
        return [scene.say("interest"), scene.say("ask_progress", thing=thing) if asks else ""]
    return [scene.say("interest")]


def _day(scene: Scene, _: Heard) -> list[str]:
    return [answers.about_day(scene)]


def _progress(scene: Scene, _: Heard) -> list[str]:
    return answers.about_progress(scene)


def _question(scene: Scene, heard: Heard) -> list[str]:
    asked = heard.slots.get("question") or heard.slots.get("topic") or heard.sentence
    return [answers.about(scene, in_third_person(asked, scene.you, scene.me))]


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
    "accept": _answered("glad"),
    "decline": _answered("pity"),
    "maybe": _answered("open"),
    "news": _informed,
    "statement": _told,
    "plan": _says("interest"),
    "ask_day": _day,
    "ask_progress": _progress,
    "ask_around": _question,
    "ask_opinion": _question,
    "question": _question,
    "thanks": _says("welcome"),
}
