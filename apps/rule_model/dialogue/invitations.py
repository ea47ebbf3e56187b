"""Invitations: how they are spoken, and whether they are accepted, for reasons."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from apps.memory.events import MemoryOrigin
from apps.rule_model.dialogue.scene import ODDS, Scene
from apps.rule_model.knowledge.gatherings import Gathering, gathering_in, outing
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.knowledge.relationships import relationship, sociability
from apps.rule_model.language.grammar import in_third_person
from apps.rule_model.language.moments import hours_in, spoken, written
from apps.rule_model.language.subjects import stems_of
from apps.rule_model.language.words import patterns
from apps.rule_model.phrasebook import Heard

HOUR = timedelta(hours=1)
_PATTERNS = patterns("invitations")


def invitation(scene: Scene, gathering: Gathering) -> str:
    """Return the sentence that invites the other one."""
    named = spoken(gathering.spoken(scene.me, scene.today), scene.today)
    named = named.replace(f"{scene.you}'s", "your")
    is_own = gathering.host in (scene.me, "")
    return scene.say("invitation" if is_own else "invitation.along", gathering=named)


def proposed(heard: Heard, speaker: str, listener: str, today: date) -> Gathering | None:
    """Return what a sentence invites to, None for one that proposes nothing."""
    said = heard.slots.get("gathering") or heard.slots.get("deed") or ""
    if not said:
        return None
    named = written(in_third_person(said, speaker, listener), today)
    if heard.act == "invitation":
        found = gathering_in(named, today)
        return found or outing(f"come to {named}", today)
    together = re.sub(r"\b(?:together|along)\b ?|^come to ", "", named)
    return outing(together.replace(" with us", f" with {speaker}"), today)


def answer(scene: Scene, gathering: Gathering) -> list[str]:
    """Return the answer to an invitation, by closeness, traits, dislike and other plans."""
    if _has(scene, MemoryOrigin.AGREED, gathering):
        return [scene.say("accept.anyway")]
    if _has(scene, MemoryOrigin.DECLINED, gathering):
        return [scene.say("decline.again")]
    likely, clash = _likelihood(scene, gathering)
    drawn = scene.chance.unit("accepts", gathering.name)
    if drawn < likely:
        return [scene.say("accept")]
    if scene.tie.dislikes:
        return [scene.say("decline.coolly")]
    if drawn < likely + ODDS["maybe"] and not clash:
        return [scene.say("maybe")]
    return [scene.say("decline"), clash or _other_reason(scene)]


def helps(scene: Scene) -> bool:
    """Decide whether to help with what the other one asks for."""
    likely = ODDS["helps"] + ODDS["helps_closer"] * scene.tie.closeness
    return not scene.tie.dislikes and scene.happens(likely, "helps")


def _likelihood(scene: Scene, gathering: Gathering) -> tuple[float, str]:
    tie = scene.tie
    if tie.dislikes:
        return ODDS["accepts_disliked"], ""
    likely: float = ODDS["accepts"][tie.closeness]
    host = gathering.host
    if host and host not in (scene.you, scene.me):
        of_host = relationship(scene.me, host, scene.inputs.memories)
        likely = ODDS["accepts_of_disliked_host"] if of_host.dislikes else likely
    if tie.in_love:
        likely = ODDS["accepts_in_love"]
    manner = sociability(scene.inputs.summary.traits)
    likely += {1: ODDS["outgoing"], -1: ODDS["shy"]}.get(manner, 0)
    clash, less = _clash(scene, gathering)
    return likely - less, clash


def _clash(scene: Scene, gathering: Gathering) -> tuple[str, float]:
    """Return the sentence that says what the speaker does then, and how much it counts."""
    when = gathering.when
    if when.start is None:
        return "", 0.0
    midnight = datetime.combine(when.day or scene.today, datetime.min.time())
    starts = midnight + timedelta(minutes=when.start)
    ends = midnight + timedelta(minutes=when.end) if when.end else starts + HOUR
    for key, activity, begins, until, weight in _occupied(scene, midnight):
        is_same = gathering.keys and gathering.keys <= stems_of(activity)
        if begins < ends and until > starts and not is_same:
            return scene.say(key, activity=scene.own_activity(activity)), weight
    return "", 0.0


def _occupied(
    scene: Scene, midnight: datetime
) -> Iterator[tuple[str, str, datetime, datetime, float]]:
    """Yield the times that are taken by agreements, habits of work and plans."""
    for memory in scene.inputs.memories:
        planned = memory.scheduled
        if memory.origin is MemoryOrigin.AGREED and planned is not None and planned.starts:
            until = planned.ends or planned.starts + HOUR
            yield "clash.planned", planned.activity, planned.starts, until, 1.0
        text = memory.description
        start, end = hours_in(text) if _PATTERNS["firm"].search(text) else (None, None)
        is_own = memory.origin is MemoryOrigin.DESCRIPTION and text.startswith(scene.me)
        if is_own and start is not None:
            said = re.split(r" (?:from|at|around|until) \d|,", scene.in_own_words(text))[0]
            activity = re.sub(r"^I(?:'m)? ", "", said)
            begins = midnight + timedelta(minutes=start)
            until = midnight + timedelta(minutes=end or start + 60)
            yield "clash", activity, begins, until, ODDS["usual_work"]
    for plan in scene.inputs.outline:
        yield "clash.planned", plan.activity, plan.starts, plan.ends, ODDS["planned"]


def _other_reason(scene: Scene) -> str:
    work = next(work_of(scene.me, scene.inputs.memories), "")
    if work and scene.happens(ODDS["is_busy"], "busy"):
        thing = work.partition(" at ")[0].replace(f"{scene.me}'s", "my")
        return scene.say("clash.work", thing=thing)
    dislikes = scene.happens(ODDS["has_no_taste_for_it"], "taste")
    return scene.say("clash.taste") if dislikes else ""


def _has(scene: Scene, origin: MemoryOrigin, gathering: Gathering) -> bool:
    return bool(gathering.keys) and any(
        one.origin is origin and gathering.keys <= stems_of(one.description)
        for one in scene.inputs.memories
    )
