"""Invitations: how they are spoken, and whether they are accepted, for reasons."""

from collections.abc import Iterator
from datetime import date

from apps.memory.events import MemoryOrigin
from apps.rule_model.content import patterns
from apps.rule_model.dialogue.scene import ODDS, Scene
from apps.rule_model.knowledge.gatherings import Gathering, gathering_in, is_recalled
from apps.rule_model.knowledge.relationships import relationship, sociability, work_of
from apps.rule_model.language.grammar import in_third_person
from apps.rule_model.language.moments import HOUR, minute_on, short_clock, spoken, written
from apps.rule_model.language.subjects import stems_of
from apps.rule_model.phrasebook import Heard
from apps.rule_model.planning.commitments import STAYS_MIN
from apps.rule_model.planning.phrases import description_of
from apps.rule_model.planning.wording import steps_in

# The weights of an agreement and of a kept place: nothing is accepted for their hours.
PROMISED, KEEPS = 2.0, 1.0
_PATTERNS = patterns("invitations")


def invitation(scene: Scene, gathering: Gathering) -> str:
    """Return the sentence that invites the other agent."""
    named = spoken(gathering.spoken(scene.me, scene.today), scene.today)
    named = named.replace(f"{scene.you}'s", "your")
    is_own = gathering.host in (scene.me, "")
    return scene.say("invitation" if is_own else "invitation.along", gathering=named)


def proposed(heard: Heard, speaker: str, listener: str, today: date) -> Gathering | None:
    """Return the gathering that a sentence invites to, None for one that invites to none."""
    said = heard.slots.get("gathering", "") if heard.act == "invitation" else ""
    return gathering_in(written(in_third_person(said, speaker, listener), today), today)


def answer(scene: Scene, gathering: Gathering) -> list[str]:
    """Return the answer to an invitation, by closeness, traits, dislike and other plans."""
    if is_recalled(scene.inputs.memories, MemoryOrigin.AGREED, gathering):
        return [scene.say("accept.anyway")]
    if is_recalled(scene.inputs.memories, MemoryOrigin.DECLINED, gathering):
        is_told = gathering.host in ("", scene.you)
        return [
            scene.say("decline.again" if is_told else "decline.elsewhere", name=gathering.host)
        ]
    clash, less, later = _clash(scene, gathering)
    likely = _likelihood(scene, gathering) - less
    drawn = scene.chance.unit("accepts", gathering.name)
    if drawn < likely:
        return [scene.say("accept"), later]
    if scene.tie.dislikes:
        return [scene.say("decline.coolly")]
    if drawn < likely + ODDS["maybe"] and not clash:
        return [scene.say("maybe")]
    return [scene.say("decline"), clash or _other_reason(scene)]


def _likelihood(scene: Scene, gathering: Gathering) -> float:
    tie = scene.tie
    if tie.dislikes:
        return float(ODDS["accepts_disliked"])
    likely: float = ODDS["accepts"][tie.closeness]
    if gathering.host not in ("", scene.you, scene.me):
        of_host = relationship(scene.me, gathering.host, scene.inputs.memories)
        likely = ODDS["accepts_of_disliked_host"] if of_host.dislikes else likely
    if tie.in_love:
        likely = ODDS["accepts_in_love"]
    manner = sociability(scene.inputs.summary.traits)
    return likely + float({1: ODDS["outgoing"], -1: ODDS["shy"]}.get(manner, 0))


def _clash(scene: Scene, gathering: Gathering) -> tuple[str, float, str]:
    """Return the reason not to come, its weight, and the promise to come later.

    The speaker does not leave a place that it keeps open; it comes after closing if it can.
    """
    when = gathering.when
    if when.start is None:
        return "", 0.0, ""
    ends = when.end or when.start + HOUR
    occupied = sorted(_occupied(scene, when.day or scene.today), key=lambda one: -one[-1])
    for key, activity, begins, until, weight in occupied:
        is_same = gathering.keys and gathering.keys <= stems_of(activity)
        is_there = gathering.place and gathering.place in activity
        if begins < ends and until > when.start and not (is_same or is_there):
            if weight == KEEPS and until + STAYS_MIN <= ends:
                return "", 0.0, scene.say("accept.later", when=short_clock(until))
            return scene.say(key, activity=scene.own_activity(activity)), weight, ""
    return "", 0.0, ""


def _occupied(scene: Scene, day: date) -> Iterator[tuple[str, str, int, int, float]]:
    """Yield the minutes of the day that agreements, habits of work and plans take."""
    for memory in scene.inputs.memories:
        planned = memory.scheduled
        if memory.origin is MemoryOrigin.AGREED and planned is not None and planned.starts:
            start = minute_on(planned.starts, day)
            end = minute_on(planned.ends, day) if planned.ends else start + HOUR
            yield "clash.planned", planned.activity, start, end, PROMISED
    for habit in description_of(scene.me, scene.inputs.memories, day).habits:
        keeps = _PATTERNS["keeps"].search(habit.phrase)
        if habit.start is not None and (keeps or _PATTERNS["firm"].search(habit.phrase)):
            weight = KEEPS if keeps else ODDS["usual_work"]
            yield "clash", habit.activity, habit.start, habit.end or habit.start + HOUR, weight
    yield from _planned(scene, day)


def _planned(scene: Scene, day: date) -> Iterator[tuple[str, str, int, int, float]]:
    """Yield the plans of today, and the hours of a kept place, the same on any day."""
    for plan in scene.inputs.outline:
        today = plan.starts.date()
        start, end = minute_on(plan.starts, today), minute_on(plan.ends, today)
        if today == day:
            yield "clash.planned", plan.activity, start, end, ODDS["planned"]
        for step in steps_in(plan.activity, start):
            if _PATTERNS["keeps"].search(step.text):
                yield "clash", step.text, step.start, end, KEEPS


def _other_reason(scene: Scene) -> str:
    work = next(work_of(scene.me, scene.inputs.memories), "")
    if work and scene.happens(ODDS["is_busy"], "busy"):
        thing = work.partition(" at ")[0].replace(f"{scene.me}'s", "my")
        return scene.say("clash.work", thing=thing)
    return scene.say("clash.taste") if scene.happens(ODDS["no_taste"], "taste") else ""
