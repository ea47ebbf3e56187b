"""The stand-in's insights: what statements with something in common show, and which do."""

from collections.abc import Iterator, Sequence
from itertools import chain

from apps.reflection.chains.insights import CitedInsight, Insights, QuestionToAnswer
from apps.reflection.rules import INSIGHT_CHARACTERS_MAX
from apps.rule_model.model import Chance
from apps.rule_model.reflection.naming import people_in, places_in
from apps.rule_model.reflection.phrases import sentence
from apps.rule_model.reflection.reading import MENTIONS_MIN, Reading, Remark
from apps.rule_model.reflection.thoughts import Thought, on_matter, on_person, on_place

# Fewer than are asked for: a rule that always finds five would find them in anything.
INSIGHTS_MAX = 3
EVIDENCE_MAX = 5


def insights(given: QuestionToAnswer, chance: Chance) -> Insights:
    """Conclude what the statements bear out about what the question names."""
    reading = Reading(given.agent_name, given.statements)
    concluded: dict[str, CitedInsight] = {}
    for thought in _thoughts(reading, given.question):
        insight = _insight(reading, thought, chance)
        if insight is not None:
            concluded.setdefault(insight.statement, insight)
        if len(concluded) == INSIGHTS_MAX:
            break
    return Insights(insights=tuple(concluded.values()))


def _thoughts(reading: Reading, question: str) -> Iterator[Thought]:
    """Yield what can be concluded on what the question names; else on what weighs most."""
    matters = [matter for matter in reading.matters if matter.is_in(question)]
    people = [who for who in people_in(question, reading.known_people) if who != reading.name]
    places = places_in(question, reading.known_people)
    if not (matters or people or places):
        matters, people = reading.matters[:1], reading.people[:1]
    return chain(
        *(on_matter(reading, matter) for matter in matters),
        *(on_person(reading, who) for who in people),
        *(on_place(reading, place) for place in places),
    )


def _insight(reading: Reading, thought: Thought, chance: Chance) -> CitedInsight | None:
    """Return the first thing to be concluded that none of the statements says already."""
    if len(thought.remarks) < MENTIONS_MIN:
        return None
    for rung in thought.ladder:
        ways = [sentence(pattern, **thought.fills) for pattern in rung]
        if any(map(reading.has, ways)):
            continue
        statement = chance.choice(ways, "insight", *ways)
        if len(statement) > INSIGHT_CHARACTERS_MAX:
            return None
        return CitedInsight(statement=statement, because_of=_evidence(thought.remarks))
    return None


def _evidence(remarks: Sequence[Remark]) -> tuple[int, ...]:
    """Return the numbers of the most telling remarks: thoughts first, then by importance.

    Of those that say the same the others come first.
    """
    first_of: dict[str, int] = {}
    for remark in remarks:
        first_of.setdefault(remark.text, remark.number)
    ordered = sorted(
        remarks,
        key=lambda remark: (
            first_of[remark.text] != remark.number,
            not remark.is_reflection,
            -remark.importance,
            remark.number,
        ),
    )
    return tuple(dict.fromkeys(remark.number for remark in ordered))[:EVIDENCE_MAX]
