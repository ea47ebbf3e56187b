"""Questions that the latest memories raise, and insights that memories bear out (R2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.reflection.inputs import InsightsInput, QuestionsInput
from apps.reflection.llm_tasks.insights import CitedInsight, Insights
from apps.reflection.llm_tasks.questions import SalientQuestions
from apps.reflection.rules import (
    INSIGHT_CHARACTERS_MAX,
    QUESTION_CHARACTERS_MAX,
    QUESTIONS_PER_REFLECTION,
    normalised,
)
from apps.rule_model.knowledge.gatherings import gathering_in
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.knowledge.relationships import relationship
from apps.rule_model.language.subjects import is_about, keys_of
from apps.rule_model.language.words import vocabulary
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance

# Fewer than are asked for: a rule that always finds five would find them in anything.
INSIGHTS_MAX = 3
EVIDENCE_MAX = 5
TELLERS_OF_NEWS = 2
_DATA = vocabulary("phrases_reflection")
_TALK = frozenset({MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED})
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


def questions(inputs: QuestionsInput, chance: Chance) -> SalientQuestions:
    """Return questions on what weighs most, then such as anybody may ask."""
    me, templates = inputs.agent_name, _DATA["questions"]
    asked = [
        chance.choice(templates[one.kind], one.kind, one.name).format(
            me=me, other=one.name, what=one.name
        )
        for one in concerns(me, inputs.memories)
        if one.owner in ("", me)
    ]
    asked = [question for question in asked if len(question) <= QUESTION_CHARACTERS_MAX]
    always = (template.format(me=me) for template in templates["life"])
    found = tuple(dict.fromkeys((*asked, *always)))
    return SalientQuestions(questions=found[:QUESTIONS_PER_REFLECTION])


def insights(inputs: InsightsInput, chance: Chance) -> Insights:
    """Return the insights on what the question names, else on what weighs most."""
    found = concerns(inputs.agent_name, inputs.memories)
    named = [concern for concern in found if concern.is_in(inputs.question)] or found[:2]
    said = {normalised(one.description) for one in inputs.memories}
    concluded: dict[str, CitedInsight] = {}
    for concern in named:
        for ladder, numbers in _borne_out(inputs, concern):
            statement = _statement(inputs.agent_name, concern, ladder, said, chance)
            if statement:
                evidence = _evidence(inputs.memories, numbers)
                importance = importance_of(statement, MemoryOrigin.INSIGHT)
                insight = CitedInsight(
                    statement=statement, because_of=evidence, importance=importance
                )
                concluded.setdefault(statement, insight)
    return Insights(insights=tuple(concluded.values())[:INSIGHTS_MAX])


def _borne_out(inputs: InsightsInput, concern: Concern) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the ladders that the memories about a concern bear out, with their numbers."""
    by_origin = [(number, inputs.memories[number - 1]) for number in concern.mentions]
    if concern.kind == "agent":
        yield _feeling(inputs, concern.name), concern.mentions
        talks = [number for number, one in by_origin if one.origin in _TALK]
        if len(talks) >= MENTIONS_MIN:
            yield "talk", talks
    elif concern.kind == "work":
        is_own = concern.owner == inputs.agent_name
        yield "work" if is_own else "others_work", concern.mentions
    else:
        yield "event", concern.mentions
        told = [(n, one) for n, one in by_origin if one.origin is MemoryOrigin.LEARNED]
        if len({one.subject_name for _, one in told}) >= TELLERS_OF_NEWS:
            yield "news", [number for number, _ in told]


def _feeling(inputs: InsightsInput, other: str) -> str:
    tie = relationship(inputs.agent_name, other, inputs.memories)
    known = {"love": tie.in_love, "cold": tie.dislikes, "kin": tie.kin, "warm": tie.is_warm}
    return next((name for name, holds in known.items() if holds), "plain")


def _statement(me: str, concern: Concern, ladder: str, said: set[str], chance: Chance) -> str:
    """Return the first insight of a ladder that no memory says already, "" for none."""
    other = concern.owner or concern.name
    for rung in _DATA["insights"][ladder]:
        ways = [template.format(me=me, other=other, what=concern.name) for template in rung]
        ways = [way[:1].upper() + way[1:] for way in ways]
        if not any(normalised(way) in said for way in ways):
            statement = chance.choice(ways, "insight", ladder, concern.name)
            return statement if len(statement) <= INSIGHT_CHARACTERS_MAX else ""
    return ""


def _evidence(memories: Sequence[MemoryItem], numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the most telling memories: insights first, then by importance."""

    def rank(number: int) -> tuple[bool, int, int]:
        one = memories[number - 1]
        return one.kind is not MemoryKind.REFLECTION, -one.importance, number

    return tuple(sorted(numbers, key=rank))[:EVIDENCE_MAX]
