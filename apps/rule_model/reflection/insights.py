"""The insights that memories bear out about what a question names, with citations (R2)."""

from collections.abc import Iterator, Sequence

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.reflection.chains.insights import CitedInsight, Insights
from apps.reflection.inputs import InsightsInput
from apps.reflection.rules import INSIGHT_CHARACTERS_MAX, normalised
from apps.rule_model.knowledge.relationships import relationship
from apps.rule_model.language.words import vocabulary
from apps.rule_model.model import Chance
from apps.rule_model.reflection.concerns import MENTIONS_MIN, Concern, concerns

# Fewer than are asked for: a rule that always finds five would find them in anything.
INSIGHTS_MAX = 3
EVIDENCE_MAX = 5
TELLERS_OF_NEWS = 2
_LADDERS = vocabulary("phrases_reflection")["insights"]
_TALK = frozenset({MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED})


def insights(given: InsightsInput, chance: Chance) -> Insights:
    """Return the insights on what the question names, else on what weighs most."""
    found = concerns(given.agent_name, given.memories)
    named = [concern for concern in found if concern.is_in(given.question)] or found[:2]
    said = {normalised(one.description) for one in given.memories}
    concluded: dict[str, CitedInsight] = {}
    for concern in named:
        for ladder, numbers in _borne_out(given, concern):
            insight = _insight(given, concern, ladder, numbers, said, chance)
            if insight is not None and len(concluded) < INSIGHTS_MAX:
                concluded.setdefault(insight.statement, insight)
    return Insights(insights=tuple(concluded.values()))


def _borne_out(given: InsightsInput, concern: Concern) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the ladders that the memories about a concern bear out, with their numbers."""
    me, numbers = given.agent_name, concern.mentions
    if concern.kind == "agent":
        talks = [n for n in numbers if given.memories[n - 1].origin in _TALK]
        yield _feeling(given, concern.name), numbers
        if len(talks) >= MENTIONS_MIN:
            yield "talk", talks
        return
    if concern.kind == "work":
        yield "work" if concern.owner == me else "others_work", numbers
        return
    yield "event", numbers
    tellers = {
        one.subject_name
        for one in (given.memories[n - 1] for n in numbers)
        if one.origin is MemoryOrigin.LEARNED
    }
    if len(tellers) >= TELLERS_OF_NEWS:
        yield (
            "news",
            [n for n in numbers if given.memories[n - 1].origin is MemoryOrigin.LEARNED],
        )


def _feeling(given: InsightsInput, other: str) -> str:
    tie = relationship(given.agent_name, other, given.memories)
    if tie.in_love:
        return "love"
    if tie.dislikes:
        return "cold"
    if tie.kin:
        return "kin"
    return "warm" if tie.is_warm else "plain"


def _insight(
    given: InsightsInput,
    concern: Concern,
    ladder: str,
    numbers: Sequence[int],
    said: set[str],
    chance: Chance,
) -> CitedInsight | None:
    """Return the first thing on the ladder that no memory says already."""
    other = concern.owner if concern.kind == "work" else concern.name
    for rung in _LADDERS[ladder]:
        ways = [
            template.format(me=given.agent_name, other=other, what=concern.name)
            for template in rung
        ]
        ways = [way[:1].upper() + way[1:] for way in ways]
        if any(normalised(way) in said for way in ways):
            continue
        statement = chance.choice(ways, "insight", ladder, concern.name)
        if len(statement) > INSIGHT_CHARACTERS_MAX:
            return None
        return CitedInsight(statement=statement, because_of=_evidence(given.memories, numbers))
    return None


def _evidence(memories: Sequence[MemoryItem], numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the most telling memories: insights first, then by importance."""

    def rank(number: int) -> tuple[bool, int, int]:
        one = memories[number - 1]
        return one.kind is not MemoryKind.REFLECTION, -one.importance, number

    return tuple(sorted(numbers, key=rank))[:EVIDENCE_MAX]
