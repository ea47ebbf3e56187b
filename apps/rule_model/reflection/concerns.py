"""The agents and things that a list of memories is about, the weightiest first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.knowledge.gatherings import gathering_in
from apps.rule_model.knowledge.pursuits import is_pursuit
from apps.rule_model.language.names import subject_of
from apps.rule_model.language.topics import is_about, keys_of, topic_of

# What is mentioned once is chance.
MENTIONS_MIN = 2


@dataclass(frozen=True, slots=True)
class Concern:
    """An agent or a thing, and the places (from 1) of the memories about it.

    `kind` is "agent", "work" or "event"; `name` a full name or a phrase ("the psalter");
    `owner` whose work it is, "" for an event.
    """

    kind: str
    name: str
    owner: str
    mentions: tuple[int, ...]
    weight: float

    @property
    def keys(self) -> frozenset[str]:
        """The words by which it is known again."""
        return keys_of(self.name)

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of it."""
        return self.name in text if self.kind == "agent" else is_about(text, self.keys)


def concerns(agent: str, memories: Sequence[MemoryItem]) -> list[Concern]:
    """Return what is mentioned often enough, by how important that is.

    What was reflected on before weighs less, so that the next thing gets its turn.
    """
    found: dict[tuple[str, str], Concern] = {}
    for kind, name, owner in (*_agents(agent, memories), *_things(memories)):
        if (kind, name) not in found:
            concern = _weighed(Concern(kind, name, owner, (), 0.0), memories)
            if len(concern.mentions) >= MENTIONS_MIN:
                found[kind, name] = concern
    return sorted(found.values(), key=lambda one: -one.weight)


def _weighed(concern: Concern, memories: Sequence[MemoryItem]) -> Concern:
    numbers = [
        number
        for number, one in enumerate(memories, start=1)
        if (concern.kind == "agent" and one.subject_name == concern.name)
        or concern.is_in(one.description)
    ]
    mentioned = [memories[number - 1] for number in numbers]
    thought_of = sum(one.kind is MemoryKind.REFLECTION for one in mentioned)
    weight = sum(one.importance for one in mentioned) / (1 + thought_of)
    return Concern(concern.kind, concern.name, concern.owner, tuple(numbers), weight)


def _agents(agent: str, memories: Iterable[MemoryItem]) -> Iterator[tuple[str, str, str]]:
    for memory in memories:
        if memory.subject_name and memory.subject_name != agent:
            yield "agent", memory.subject_name, ""


def _things(memories: Iterable[MemoryItem]) -> Iterator[tuple[str, str, str]]:
    """Yield works and gatherings that the memories name."""
    for memory in memories:
        if memory.origin in (MemoryOrigin.PERCEIVED_OBJECT, MemoryOrigin.UTTERANCE):
            continue
        core = memory.description
        if memory.origin is MemoryOrigin.LEARNED:
            core = core.partition(" that ")[2] or core
        gathering = gathering_in(core, date(2000, 1, 1))
        if gathering is not None:
            yield "event", gathering.title, ""
        subject = subject_of(core)
        if is_pursuit(core, subject):
            topic = topic_of(core, subject)
            if topic.startswith(f"{subject}'s "):
                thing = topic.removeprefix(f"{subject}'s ").partition(" at ")[0]
                yield (
                    "work",
                    f"the {thing}" if " " in thing or thing[-1:] != "s" else thing,
                    subject,
                )
