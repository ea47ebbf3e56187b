"""The memories kept of a day: talks, news, agreements and the longest activities (R2)."""

from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime, timedelta

from apps.kernel.game_time import format_day
from apps.memory.events import AgreementOutcome, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.reflection.inputs import ConsolidationInput
from apps.reflection.llm_tasks.consolidation import DayMemories, DayMemory
from apps.reflection.rules import DAY_MEMORIES_MAX, INSIGHT_CHARACTERS_MAX
from apps.rule_model.content import vocabulary
from apps.rule_model.knowledge.gatherings import gathering_in, occasions
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.language.grammar import in_progress, listed
from apps.rule_model.language.subjects import without_participants
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance
from apps.rule_model.reflection import EVERYDAY, EVIDENCE_MAX, PASSING

_DATA = vocabulary("phrases_reflection")["days"]
_HEARD = tuple(map(MemoryOrigin, _DATA["heard"].split()))
_IN_TALK = frozenset({MemoryOrigin.LEARNED, MemoryOrigin.DECLINED})
_SEEN = frozenset({MemoryOrigin.PERCEIVED_AGENT, MemoryOrigin.PERCEIVED_OBJECT})
# The least importance of a sight, the least time of an activity, and the most of each kind.
STRIKING, TIME_MIN, OF_EACH_MAX = 5, timedelta(minutes=45), 2
# An activity is remembered when the next one begins, which may take a walk.
REMEMBERED_AFTER = timedelta(minutes=15)

# The key of a sentence and the values of its slots; with the numbers of its evidence.
Told = tuple[str, dict[str, str]]
Kept = tuple[str, list[int], dict[str, str]]


def consolidation(inputs: ConsolidationInput, _: Chance) -> DayMemories:
    """Return the memories to keep of the day, each with the numbers of its evidence."""
    day = f"{inputs.date:%A, %B} {inputs.date.day}, {inputs.date.year}"
    kept: dict[str, DayMemory] = {}
    found = (*_heard(inputs), *_struck(inputs), *_talks(inputs), *_done(inputs))
    for key, numbers, slots in found:
        text = _DATA["says"][key].format(me=inputs.agent_name, day=day, **slots)
        if numbers and len(text) <= INSIGHT_CHARACTERS_MAX:
            cited = tuple(numbers[:EVIDENCE_MAX])
            rated = importance_of(text, MemoryOrigin.CONSOLIDATION)
            kept.setdefault(text, DayMemory(statement=text, because_of=cited, importance=rated))
    return DayMemories(memories=tuple(kept.values())[:DAY_MEMORIES_MAX])


def _heard(inputs: ConsolidationInput) -> Iterator[Kept]:
    """Yield the most important things that were heard, agreed or decided, each matter once.

    What was known before, and only said again today, is not kept once more.
    """
    of_day = [(at, m) for at, m in enumerate(inputs.memories, start=1) if m.origin in _HEARD]
    found = [(at, m) for at, m in of_day if m.formed_at.date() >= inputs.date]
    found.sort(key=lambda one: (_HEARD.index(one[1].origin), -one[1].importance))
    matters: dict[Hashable, tuple[int, MemoryItem]] = {}
    known = " ".join(one.description for one in inputs.kept)
    for number, memory in found:
        matter = _matter(memory)
        if memory.origin not in _IN_TALK or str(matter) not in known:
            matters.setdefault(matter, (number, memory))
    for number, memory in _foremost(matters.values()):
        key, slots = _told(inputs, memory)
        yield key, [number], slots


def _matter(memory: MemoryItem) -> Hashable:
    """Return the topic: the words of a gathering, the scheduled activity, or the news."""
    gathering = gathering_in(memory.description, memory.formed_at.date())
    if gathering is not None:
        return gathering.keys
    if memory.scheduled is not None:
        return memory.scheduled.activity
    return told_in(memory, memory.formed_at).core


def _told(inputs: ConsolidationInput, memory: MemoryItem) -> Told:
    """Return the key of the sentence on a memory, and the values of its slots."""
    what = memory.description.rstrip(".")
    ended = memory.scheduled if memory.origin is MemoryOrigin.ENDED else None
    if ended is not None and ended.outcome is not None:
        return _ended(inputs, memory, ended)
    agreed = memory.scheduled if memory.origin is MemoryOrigin.AGREED else None
    same = (m for m in inputs.memories if m.scheduled == agreed)
    guests = list(dict.fromkeys(m.subject_name for m in same if m.subject_name))
    if agreed is not None and agreed.activity.startswith("host ") and guests:
        what = agreed.activity.removeprefix("host ")
        where, starts = agreed.place and f" at {agreed.place}", agreed.starts
        when = f" on {format_day(starts)}, {starts.year}" if starts else ""
        return "expects", {"what": f"{what}{where}{when}", "who": listed(guests)}
    if memory.origin is MemoryOrigin.AGREED:
        key = "agreed" if memory.subject_name else "agreed_alone"
        return key, {"what": what, "other": memory.subject_name}
    return "talk" if memory.origin in _IN_TALK else "noted", {"what": what}


def _ended(inputs: ConsolidationInput, memory: MemoryItem, ended: ScheduledActivity) -> Told:
    if ended.outcome is not AgreementOutcome.KEPT:
        return "failed", {"what": ended.activity}
    held = occasions([memory], inputs.agent_name)
    what = held[0].told_by(inputs.agent_name) if held else ended.activity
    key = ("held" if held else "kept") + ("_with" if ended.present else "")
    return key, {"what": what, "who": listed(ended.present)}


def _struck(inputs: ConsolidationInput) -> Iterator[Kept]:
    seen = ((at, m) for at, m in enumerate(inputs.memories, start=1) if m.origin in _SEEN)
    seen = ((at, m) for at, m in seen if m.importance >= STRIKING)
    found = [(at, m) for at, m in seen if not PASSING.match(m.description.partition(" is ")[2])]
    for number, memory in _foremost(found):
        yield "seen", [number], {"what": memory.description.rstrip(".")}


def _talks(inputs: ConsolidationInput) -> Iterator[Kept]:
    found = ((at, m) for at, m in enumerate(inputs.memories, start=1) if m.subject_name)
    talks = {at: m.subject_name for at, m in found if m.origin is MemoryOrigin.CONVERSATION}
    if talks:
        yield "talked", list(talks), {"who": listed(list(dict.fromkeys(talks.values())))}


def _foremost(found: Iterable[tuple[int, MemoryItem]]) -> list[tuple[int, MemoryItem]]:
    return sorted(found, key=lambda one: -one[1].importance)[:OF_EACH_MAX]


def _done(inputs: ConsolidationInput) -> Iterator[Kept]:
    """Yield the activities that took the most time, except everyday and agreed ones."""
    agreed = {one.scheduled.activity for one in inputs.memories if one.scheduled is not None}
    spent: dict[str, timedelta] = {}
    evidence: dict[str, list[int]] = {}
    for one in inputs.performed:
        is_kept_already = one.is_asleep or one.activity in agreed
        if is_kept_already or not one.activity or EVERYDAY.search(one.activity):
            continue
        activity = without_participants(one.activity, one.missing)
        spent[activity] = spent.get(activity, timedelta()) + one.ends - one.starts
        evidence.setdefault(activity, []).extend(_during(inputs, one.starts, one.ends))
    for activity in sorted(spent, key=lambda name: -spent[name])[:OF_EACH_MAX]:
        if spent[activity] >= TIME_MIN:
            hours = min(round(spent[activity] / timedelta(hours=1)), len(_DATA["hours"]) - 1)
            slots = {"what": in_progress(activity), "hours": _DATA["hours"][max(1, hours)]}
            yield "done", list(dict.fromkeys(evidence[activity])), slots


def _during(inputs: ConsolidationInput, starts: datetime, ends: datetime) -> list[int]:
    """Return the own actions that are remembered of a time, else what else is."""
    until = ends + REMEMBERED_AFTER
    found = [(at, m) for at, m in enumerate(inputs.memories, start=1) if m.scheduled is None]
    owned = ((at, m) for at, m in found if m.origin is MemoryOrigin.OWN_ACTION)
    own = [at for at, m in owned if starts < m.formed_at <= until]
    return own or [at for at, m in found if starts <= m.formed_at < ends]
