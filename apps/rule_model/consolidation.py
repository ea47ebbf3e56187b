"""The memories kept of a day: talks, news, agreements and the longest activities (R2)."""

from collections.abc import Iterator
from datetime import timedelta

from apps.memory.events import MemoryOrigin
from apps.reflection.inputs import ConsolidationInput
from apps.reflection.llm_tasks.consolidation import DayMemories, DayMemory
from apps.reflection.rules import DAY_MEMORIES_MAX, INSIGHT_CHARACTERS_MAX
from apps.rule_model.language.grammar import listed
from apps.rule_model.language.words import vocabulary
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance
from apps.rule_model.reflection import EVERYDAY, EVIDENCE_MAX, SEEN_PASSING

_DATA = vocabulary("phrases_reflection")["days"]
_HEARD = frozenset(map(MemoryOrigin, _DATA["heard"].split()))
_SEEN = frozenset({MemoryOrigin.PERCEIVED_AGENT, MemoryOrigin.PERCEIVED_OBJECT})
# The least importance of a sight, the least hours of an activity, and the most of each kind.
STRIKING, HOURS_MIN, OF_EACH_MAX = 5, 1, 2

Kept = tuple[str, list[int], dict[str, str]]


def consolidation(inputs: ConsolidationInput, _: Chance) -> DayMemories:
    """Return the memories to keep of the day, each with the numbers of its evidence."""
    day = f"{inputs.date:%A, %B} {inputs.date.day}, {inputs.date.year}"
    kept: dict[str, DayMemory] = {}
    for key, numbers, slots in (*_heard(inputs), *_talks(inputs), *_done(inputs)):
        text = _DATA["says"][key].format(me=inputs.agent_name, day=day, **slots)
        if numbers and len(text) <= INSIGHT_CHARACTERS_MAX:
            kept.setdefault(
                text,
                DayMemory(
                    statement=text,
                    because_of=tuple(numbers[:EVIDENCE_MAX]),
                    importance=importance_of(text, MemoryOrigin.CONSOLIDATION),
                ),
            )
    return DayMemories(memories=tuple(kept.values())[:DAY_MEMORIES_MAX])


def _heard(inputs: ConsolidationInput) -> Iterator[Kept]:
    """Yield the most important things that were heard, agreed, decided or noticed."""
    for key, origins, least in (("heard", _HEARD, 1), ("seen", _SEEN, STRIKING)):
        found = [
            (number, one)
            for number, one in enumerate(inputs.memories, start=1)
            if one.origin in origins
            and one.importance >= least
            and not SEEN_PASSING.match(one.description.partition(" is ")[2])
        ]
        found.sort(key=lambda one: -one[1].importance)
        for number, memory in found[:OF_EACH_MAX]:
            yield key, [number], {"what": memory.description.rstrip(".")}


def _talks(inputs: ConsolidationInput) -> Iterator[Kept]:
    talks = {
        number: one.subject_name
        for number, one in enumerate(inputs.memories, start=1)
        if one.origin is MemoryOrigin.CONVERSATION and one.subject_name
    }
    names = list(dict.fromkeys(talks.values()))
    if names:
        yield "talked", list(talks), {"who": listed(names)}


def _done(inputs: ConsolidationInput) -> Iterator[Kept]:
    """Yield the activities that took the most time, except everyday ones."""
    spent: dict[str, timedelta] = {}
    evidence: dict[str, list[int]] = {}
    for one in inputs.performed:
        if one.is_asleep or EVERYDAY.search(one.activity):
            continue
        spent[one.activity] = spent.get(one.activity, timedelta()) + one.ends - one.starts
        evidence.setdefault(one.activity, []).extend(
            number
            for number, memory in enumerate(inputs.memories, start=1)
            if one.starts <= memory.formed_at < one.ends
        )
    for activity in sorted(spent, key=lambda name: -spent[name])[:OF_EACH_MAX]:
        hours = round(spent[activity] / timedelta(hours=1))
        if hours >= HOURS_MIN:
            yield "done", evidence[activity], {"what": activity, "hours": str(hours)}
