"""Answers that people write in the voice of an agent: the human condition (paper 6.2, E2).

Each person has one answer to a question, and that of another person never replaces it. A
ranking compares one of them, as the paper has one human answer to a question: the answers to an
agent at a moment are those of one person, as far as that person has written them.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from apps.evaluation.models import SurveyRow, WrittenAnswerRow
from apps.evaluation.rankings.queries import QuestionKey, in_random_order, questions_of
from apps.kernel.errors import DomainError
from apps.llm.cleaning import in_one_line

_IDENTITY = ("survey", "agent", "as_of_tick", "question", "by")


class UnusableWrittenAnswer(DomainError):
    """The survey asks no such question of such an agent at that moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    """What a person answers to a question of a survey, in the voice of an agent at a tick."""

    agent: str
    tick: int
    question: str
    answer: str

    @property
    def key(self) -> QuestionKey:
        """Agent, tick and name of the question."""
        return self.agent, self.tick, self.question


def faults_of_answers(survey: SurveyRow, drafts: Sequence[AnswerDraft]) -> dict[int, str]:
    """Return what is wrong with answers, by their places in the sequence, from 0."""
    asked = {question.key for question in questions_of(survey)}
    faults: dict[int, str] = {}
    first_places: dict[QuestionKey, int] = {}
    for place, draft in enumerate(drafts):
        first = first_places.setdefault(draft.key, place)
        if draft.key not in asked:
            faults[place] = (
                f"the survey does not ask {draft.question!r} of {draft.agent!r} at that "
                "moment; answer a question that its interviews list"
            )
        elif not in_one_line(draft.answer):
            faults[place] = "the answer has no words"
        elif first != place:
            faults[place] = (
                f"answer {first} of this list answers the same question; send one of them"
            )
    return faults


def write_answers(
    survey: SurveyRow, drafts: Sequence[AnswerDraft], *, by: str
) -> list[WrittenAnswerRow]:
    """Record answers of one person, all or none, and return their rows in the same order.

    An answer replaces an earlier one of the same person to the same question, and no other.

    :raises UnusableWrittenAnswer: if the survey does not ask a question there and then, an
        answer is blank, or two answer one question.
    """
    faults = faults_of_answers(survey, drafts)
    if faults:
        raise UnusableWrittenAnswer(next(iter(faults.values())))
    rows = {
        draft.key: WrittenAnswerRow(
            survey=survey,
            agent=draft.agent,
            as_of_tick=draft.tick,
            question=draft.question,
            answer=in_one_line(draft.answer),
            by=by,
        )
        for draft in drafts
    }
    WrittenAnswerRow.objects.bulk_create(
        # In one order, so that two requests cannot wait for each other.
        [rows[key] for key in sorted(rows)],
        update_conflicts=True,
        unique_fields=_IDENTITY,
        update_fields=("answer", "written_at"),
    )
    return [*rows.values()]


def draw_written_answers(survey: SurveyRow, seed: int) -> dict[QuestionKey, WrittenAnswerRow]:
    """Return one written answer to each question that has any, drawn by the seed.

    The people are put in a random order for each agent and moment; the answer to a question is
    that of the first one in this order who has answered it.
    """
    written: defaultdict[tuple[str, int], dict[str, list[WrittenAnswerRow]]]
    written = defaultdict(lambda: defaultdict(list))
    for row in WrittenAnswerRow.objects.filter(survey=survey):
        written[row.agent, row.as_of_tick][row.by].append(row)
    drawn: dict[QuestionKey, WrittenAnswerRow] = {}
    for (agent, tick), by_person in written.items():
        for person in in_random_order(by_person, seed, "writers", agent, tick):
            for row in by_person[person]:
                drawn.setdefault((agent, tick, row.question), row)
    return drawn
