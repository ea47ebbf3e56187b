"""Answers to questions in a conversation, from plans and memories in the first person."""

from apps.agents.status import PlannedTime
from apps.memory.events import MemoryOrigin
from apps.rule_model.dialogue.agenda import told, untold
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.knowledge.pursuits import is_pursuit, questions
from apps.rule_model.language.moments import clock_of
from apps.rule_model.language.names import people_in
from apps.rule_model.language.topics import stems_of

# The share of a question's words that a memory which answers it must hold.
SHARE_MIN = 0.6
_NOT_TOLD = frozenset(
    {MemoryOrigin.OPINION, MemoryOrigin.INTERVIEW, MemoryOrigin.PERCEIVED_OBJECT}
)
_PRIVATE = stems_of("sleep wash shower dress bed toilet bath rest")


def about_day(scene: Scene) -> str:
    """Return what the speaker is going to do today, or does now."""
    for plan in scene.given.plans:
        is_private = plan.is_asleep or stems_of(plan.activity) & _PRIVATE
        if plan.starts >= scene.now and plan.starts.date() == scene.today and not is_private:
            when = f"at {clock_of(plan.starts.hour * 60 + plan.starts.minute)}"
            when = when.replace(":00", "")
            return scene.say("plan", activity=_activity(scene, plan), when=when)
    status = scene.given.status
    if status.activity and not status.is_before_talk:
        return scene.say("plan.now", activity=scene.own_activity(status.activity))
    return scene.say("nothing_planned")


def about_progress(scene: Scene) -> list[str]:
    """Return how the speaker's work goes, with what it is."""
    works = (m.description for m in scene.given.memories if is_pursuit(m.description, scene.me))
    said = scene.in_own_words(next(works, ""))
    return [scene.say("progress"), f"{said[:1].upper()}{said[1:]}." if said else ""]


def about(scene: Scene, question: str) -> str:
    """Return what a memory says to a question, or that the speaker does not know."""
    asked = stems_of(question) - stems_of("know think tell anything something")
    for news in scene.news:
        if asked and len(asked & stems_of(news.core)) >= SHARE_MIN * len(asked):
            return told(scene, news) if news in untold(scene) else scene.say("known")
    found, best = "", SHARE_MIN
    wondered = questions(scene.given.memories, scene.me)
    for memory in scene.given.memories:
        core = told_in(memory, scene.now).core
        share = len(asked & stems_of(core)) / max(1, len(asked))
        is_asking = any(question in core for question in wondered)
        is_told = core.startswith(scene.me) or people_in(core)
        if memory.origin in _NOT_TOLD or is_asking or not is_told:
            continue
        if share > best or (share == best and not found):
            found, best = core, share
    if not found:
        return scene.say("unknowing")
    said = scene.in_own_words(found)
    is_own = found.startswith(scene.me)
    return f"{said[:1].upper()}{said[1:]}." if is_own else scene.say("news.heard", news=said)


def _activity(scene: Scene, plan: PlannedTime) -> str:
    said, place = (
        scene.own_activity(plan.activity),
        scene.in_own_words(plan.place.partition(": ")[0]),
    )
    is_told = not place or place in said or scene.me in plan.place
    return said if is_told else f"{said} at {place}"
