"""Reflecting: from recent memories to questions, from what they bring to mind to insights."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.agents.identity import Identity
from apps.kernel.game_time import spoken_time
from apps.llm.mind import Mind
from apps.memory.recollection import Recollection
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.reflection.chains.insights import INSIGHTS, Insights, QuestionToAnswer
from apps.reflection.chains.questions import QUESTIONS, RecentMemories
from apps.reflection.chains.statements import Remembered, statements_of
from apps.reflection.events import Reflected
from apps.reflection.rules import Proposed, believed


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What somebody reflects on, and from which standpoint.

    `recent` are the latest memories, the oldest first; `known` are insights that were had
    before; `importance` is what the occasion came from; `summary` is the summary
    description, "" before the first.
    """

    identity: Identity
    summary: str
    now: datetime
    recent: Sequence[Remembered]
    known: Sequence[str]
    importance: int
    token_budget: int = RETRIEVAL_TOKENS_DEFAULT


def reflect(
    mind: Mind, recollection: Recollection, occasion: Occasion, *, next_number: int
) -> Reflected:
    """Return what came of the reflection; its insights are numbered from `next_number` (R2).

    Asks for questions once, and for the insights of all questions together. A question that
    brings nothing to mind is not asked about. The retrievals are on the recollection's
    events.
    """
    name, now = occasion.identity.name, spoken_time(occasion.now)
    questions = mind.ask(
        QUESTIONS,
        RecentMemories(
            agent_name=name,
            summary=occasion.summary,
            now=now,
            memories=statements_of(occasion.recent),
        ),
    ).questions
    mind.embed(questions)
    recalled = [
        recollection.recall(question, INSIGHTS.name, token_budget=occasion.token_budget)
        for question in questions
    ]
    given = [
        QuestionToAnswer(
            agent_name=name,
            summary=occasion.summary,
            now=now,
            question=question,
            statements=statements_of(memories),
        )
        for question, memories in zip(questions, recalled, strict=True)
    ]
    insights, dropped = believed(
        _proposed(_answers(mind, given)),
        offered=[[memory.number for memory in memories] for memories in recalled],
        known=[
            *occasion.known,
            *(memory.description for memories in recalled for memory in memories),
        ],
        next_number=next_number,
    )
    return Reflected(
        importance=occasion.importance,
        questions=questions,
        insights=insights,
        dropped=dropped,
    )


def _answers(mind: Mind, given: Sequence[QuestionToAnswer]) -> list[Insights]:
    """Return the answers in order, without insights where nothing came to mind."""
    asked = [(INSIGHTS, question) for question in given if question.statements]
    answers = iter(mind.ask_together(asked) if asked else [])
    return [
        next(answers) if question.statements else Insights(insights=()) for question in given
    ]


def _proposed(answers: Sequence[Insights]) -> list[Proposed]:
    return [
        Proposed(
            question=index,
            statement=" ".join(insight.statement.split()),
            cited=insight.because_of,
        )
        for index, answer in enumerate(answers)
        for insight in answer.insights
    ]
