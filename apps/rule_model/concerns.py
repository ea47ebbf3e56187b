"""What an agent's memories are about: other agents, works, events and pursuits (R2)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.reflection.inputs import InsightsInput, QuestionsInput
from apps.rule_model.knowledge.gatherings import gathering_in, written_when
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.language.moments import is_over
from apps.rule_model.language.subjects import is_about, keys_of
from apps.rule_model.language.words import vocabulary

_DATA = vocabulary("phrases_reflection")
EVERYDAY = re.compile(_DATA["everyday"])
# What is mentioned once is chance.
MENTIONS_MIN = 2
# A memory since the last reflection weighs so many times as much.
NEW_WEIGHT = 3
_PASSING = frozenset({MemoryOrigin.PERCEIVED_OBJECT, MemoryOrigin.UTTERANCE})
# Of several kinds of the same event, the first holds.
_EVENT_KINDS = ("over", "ahead", "heard")
# The dates in them are not those of the gatherings that they name.
_UNDATED = _PASSING | frozenset(map(MemoryOrigin, _DATA["undated"].split()))


@dataclass(frozen=True, slots=True)
class Concern:
    """An agent or a thing, and the places (from 1) of the memories about it.

    `kind` is a key of the questions, or of what holds of things; `name` a full name or a phrase
    ("the psalter"); `owner` whose work it is, `when` the time of an event, "" for others.
    """

    kind: str
    name: str
    owner: str = ""
    mentions: tuple[int, ...] = ()
    weight: float = 0.0
    when: str = ""

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of it."""
        return self.name in text if self.kind == "agent" else is_about(text, keys_of(self.name))


def concerns(inputs: InsightsInput | QuestionsInput) -> list[Concern]:
    """Return what is mentioned often enough, by how important that is.

    What is new weighs more; what was reflected on before weighs less.
    """
    agent, memories = inputs.agent_name, inputs.memories
    names = dict.fromkeys(one.subject_name for one in memories)
    agents = (Concern("agent", name) for name in names if name and name != agent)
    events = tuple(_events(inputs))
    works = (it for it in _works(agent, memories) if not any(o.is_in(it.name) for o in events))
    things = (*works, *events, *_pursuits(inputs))
    weighed = [_weighed(one, inputs) for one in dict.fromkeys((*agents, *things))]
    found = [concern for concern in weighed if len(concern.mentions) >= MENTIONS_MIN]
    return sorted(found, key=lambda one: -one.weight)


def _works(agent: str, memories: Sequence[MemoryItem]) -> Iterator[Concern]:
    lasting = [one for one in memories if one.origin not in _PASSING]
    for owner in dict.fromkeys((agent, *(one.subject_name for one in memories))):
        for work in work_of(owner, lasting) if owner else ():
            thing = work.removeprefix(f"{owner}'s ").partition(" at ")[0]
            kind = "work" if owner == agent else "others_work"
            yield Concern(kind, f"the {thing}", owner)


def _events(inputs: InsightsInput | QuestionsInput) -> Iterator[Concern]:
    """Yield the gatherings in the memories: over, ahead for the agent, or only heard of."""
    found: dict[frozenset[str], list[tuple[str, str, str]]] = {}
    for memory in (one for one in inputs.memories if one.origin not in _UNDATED):
        gathering = gathering_in(memory.description, inputs.now.date())
        if gathering is None:
            continue
        is_own = gathering.host == inputs.agent_name or memory.origin is MemoryOrigin.AGREED
        is_past = is_over(memory.description, inputs.now)
        kind = "over" if is_past else "ahead" if is_own else "heard"
        day = written_when(gathering.when) if gathering.when.day else ""
        found.setdefault(gathering.keys, []).append((kind, gathering.title, day and f" {day}"))
    for kinds, titles, days in (zip(*same, strict=True) for same in found.values()):
        kind = min(kinds, key=_EVENT_KINDS.index)
        title = max(titles, key=lambda name: (len(name), name))
        if kind != "ahead" or any(days):  # without a day it may be over
            yield Concern(kind, title, when=max(days))


def _pursuits(inputs: InsightsInput | QuestionsInput) -> Iterator[Concern]:
    """Yield the activities that are planned for several days."""
    # The memories are not all there are: they show neither new nor abandoned plans.
    days: dict[str, set[date]] = {}
    for memory in inputs.memories:
        plan = memory.scheduled if memory.origin is MemoryOrigin.PLANNED else None
        if plan is not None and plan.starts and not EVERYDAY.search(plan.activity):
            days.setdefault(plan.activity, set()).add(plan.starts.date())
    for activity, planned in days.items():
        if len(planned) >= MENTIONS_MIN:
            yield Concern("kept_up", activity)


def _weighed(concern: Concern, inputs: InsightsInput | QuestionsInput) -> Concern:
    found = [
        (number, one)
        for number, one in enumerate(inputs.memories, start=1)
        if one.subject_name == concern.name or concern.is_in(one.description)
    ]
    thought_of = sum(one.kind is MemoryKind.REFLECTION for _, one in found)
    since = inputs.since or inputs.now
    weight = sum(m.importance * (NEW_WEIGHT if m.formed_at > since else 1) for _, m in found)
    numbers = tuple(number for number, _ in found)
    return replace(concern, mentions=numbers, weight=weight / (1 + thought_of))
