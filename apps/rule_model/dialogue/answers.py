"""Answers to questions in a conversation, from plans and memories in the first person."""

from datetime import timedelta

from apps.agents.status import PlannedTime
from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.dialogue.agenda import told, untold
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.knowledge.pursuits import is_pursuit
from apps.rule_model.language.moments import clock_of
from apps.rule_model.language.names import people_in
from apps.rule_model.language.topics import stems_of

# The share of a question's words that a memory which answers it must hold.
SHARE_MIN = 0.6
SOON = timedelta(minutes=45)
_NOT_TOLD = frozenset(
    {MemoryOrigin.OPINION, MemoryOrigin.INTERVIEW, MemoryOrigin.PERCEIVED_OBJECT}
)
_PRIVATE = stems_of("sleep wash shower dress bed toilet bath rest")


def about_day(scene: Scene) -> str:
    """Return what the speaker does now, or is going to do."""
    ahead = [plan for plan in scene.given.plans if _is_told(scene, plan)]
    if ahead:
        return scene.say("plan", activity=_activity(scene, ahead[0]), when=_when(ahead[0]))
    if scene.given.status.activity and not scene.given.status.is_before_talk:
        return scene.say("plan.now", activity=scene.in_own_words(scene.given.status.activity))
    return scene.say("plan.none")


def about_progress(scene: Scene) -> list[str]:
    """Return how the speaker's work goes, with what it is."""
    for memory in scene.given.memories:
        if is_pursuit(memory.description, scene.me):
            said = scene.in_own_words(memory.description)
            sentence = f"{said[:1].upper()}{said[1:]}."
            return [scene.say("progress"), sentence if scene.is_fresh(sentence) else ""]
    return [scene.say("progress")]


def about(scene: Scene, question: str) -> str:
    """Return what a memory says to a question, or that the speaker does not know."""
    asked = stems_of(question) - stems_of("know think tell anything something")
    for news in scene.news:
        if asked and len(asked & stems_of(news.core)) >= SHARE_MIN * len(asked):
            is_new = news in untold(scene)
            return told(scene, news) if is_new else scene.say("known")
    best = max(scene.given.memories, key=lambda one: _fit(scene, one, asked), default=None)
    if best is None or not asked or _fit(scene, best, asked) < SHARE_MIN:
        return scene.say("unknowing")
    core = told_in(best, scene.now)
    said = scene.in_own_words(core.core)
    if core.core.startswith(scene.me):
        return f"{said[:1].upper()}{said[1:]}."
    return scene.say("news.heard", news=said)


def _fit(scene: Scene, memory: MemoryItem, asked: frozenset[str]) -> float:
    """Return the share of the words that the memory holds, 0 for what tells nothing."""
    core = told_in(memory, scene.now).core
    is_about_somebody = core.startswith(scene.me) or people_in(core)
    if memory.origin in _NOT_TOLD or not is_about_somebody or not asked:
        return 0.0
    return len(asked & stems_of(core)) / len(asked)


def _is_told(scene: Scene, plan: PlannedTime) -> bool:
    is_private = plan.is_asleep or stems_of(plan.activity) & _PRIVATE
    return plan.starts >= scene.now and plan.starts.date() == scene.today and not is_private


def _activity(scene: Scene, plan: PlannedTime) -> str:
    said = scene.in_own_words(plan.activity)
    place = scene.in_own_words(plan.place.replace(scene.me, "me")) if plan.place else ""
    is_own = scene.me in plan.place
    return said if is_own or not place or place in said else f"{said} at {place}"


def _when(plan: PlannedTime) -> str:
    return f"at {clock_of(plan.starts.hour * 60 + plan.starts.minute)}".replace(":00", "")
