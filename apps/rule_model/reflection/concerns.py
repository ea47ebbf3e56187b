"""The agents and things that a list of memories is about, the weightiest first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.knowledge.gatherings import gathering_in
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.language.topics import is_about, keys_of

# What is mentioned once is chance.
MENTIONS_MIN = 2
_PASSING = frozenset({MemoryOrigin.PERCEIVED_OBJECT, MemoryOrigin.UTTERANCE})


@dataclass(frozen=True, slots=True)
class Concern:
    """An agent or a thing, and the places (from 1) of the memories about it.

    `kind` is "agent", "work" or "event"; `name` a full name or a phrase ("the psalter");
    `owner` whose work it is, "" for anything else.
    """

    kind: str
    name: str
    owner: str
    mentions: tuple[int, ...] = ()
    weight: float = 0.0

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of it."""
        return self.name in text if self.kind == "agent" else is_about(text, keys_of(self.name))


def concerns(agent: str, memories: Sequence[MemoryItem]) -> list[Concern]:
    """Return what is mentioned often enough, by how important that is.

    What was reflected on before weighs less, so that the next thing gets its turn.
    """
    named = dict.fromkeys((*_agents(agent, memories), *_things(agent, memories)))
    weighed = (_weighed(concern, memories) for concern in named)
    found = [concern for concern in weighed if len(concern.mentions) >= MENTIONS_MIN]
    return sorted(found, key=lambda one: -one.weight)


def _agents(agent: str, memories: Sequence[MemoryItem]) -> Iterator[Concern]:
    names = (one.subject_name for one in memories)
    return (Concern("agent", name, "") for name in names if name and name != agent)


def _things(agent: str, memories: Sequence[MemoryItem]) -> Iterator[Concern]:
    """Yield works and gatherings that the memories name."""
    lasting = [one for one in memories if one.origin not in _PASSING]
    for memory in lasting:
        gathering = gathering_in(memory.description, date(2000, 1, 1))
        if gathering is not None:
            yield Concern("event", gathering.title, "")
    for owner in dict.fromkeys((agent, *(one.subject_name for one in memories))):
        for work in work_of(owner, lasting) if owner else ():
            thing = work.removeprefix(f"{owner}'s ").partition(" at ")[0]
            yield Concern("work", f"the {thing}", owner)


def _weighed(concern: Concern, memories: Sequence[MemoryItem]) -> Concern:
    found = [
        (number, one)
        for number, one in enumerate(memories, start=1)
        if one.subject_name == concern.name or concern.is_in(one.description)
    ]
    thought_of = sum(one.kind is MemoryKind.REFLECTION for _, one in found)
    weight = sum(one.importance for _, one in found) / (1 + thought_of)
    numbers = tuple(number for number, _ in found)
    return Concern(concern.kind, concern.name, concern.owner, numbers, weight)
