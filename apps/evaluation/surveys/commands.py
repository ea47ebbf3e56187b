"""Surveys: the request of one, and how a process answers its interviews (E1)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min, QuerySet
from django.utils import timezone

from apps.evaluation.models import SurveyInterviewRow, SurveyRow
from apps.evaluation.questionnaires.typed_questions import Questionnaire, TypedQuestion
from apps.evaluation.surveys.queries import placeholder_names, progress_of
from apps.interaction.commands import (
    INTERVIEWS,
    InterviewRequest,
    answer_interview,
    ensure_usable,
    row_values,
)
from apps.interaction.conditions import Condition
from apps.interaction.context import PERSONA_DEFAULT
from apps.interaction.models import InterviewRow
from apps.kernel.errors import DomainError
from apps.llm.port import BudgetSpent, ModelError
from apps.llm.prices import PriceUnknown
from apps.simulation.locks import lock_simulation_row, take_numbers
from apps.simulation.ports import Ports
from apps.work.kinds import CANCELLED_BY_USER, TakenWork, WorkProgress, WorkStopped
from apps.work.limited_work import Batches, LimitedWorkKind
from apps.work.rows import OPEN, WorkState

INTERVIEWS_MAX = 20_000
NOBODY_KNOWN = "nobody-known"
_SHARING = ("agent", "as_of_tick", "conditions")
"""What the interviews of a survey have in common that share a summary."""


class UnusableSurvey(DomainError):
    """The survey asks nothing, or too much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyRequest:
    """A questionnaire for agents at ticks under conditions, at most `tokens_max` tokens.

    `agents` are slugs by tick, so that an agent is asked at ticks at which it is there.
    """

    questionnaire: Questionnaire
    agents: Mapping[int, Sequence[str]]
    conditions: Sequence[Condition]
    persona: str = PERSONA_DEFAULT
    tokens_max: int | None = None

    @property
    def interviews(self) -> int:
        """The number of interviews."""
        asked = sum(map(len, self.agents.values()))
        return asked * len(self.conditions) * len(self.questionnaire.questions)


def ensure_bounded(interviews: int) -> None:
    """Check the number of interviews of a survey, or of its estimate.

    :raises UnusableSurvey: if there are none, or more than INTERVIEWS_MAX.
    """
    if not 1 <= interviews <= INTERVIEWS_MAX:
        raise UnusableSurvey(
            f"this asks {interviews:,} questions; ask 1 to {INTERVIEWS_MAX:,} at a time"
        )


def request_survey(
    simulation_id: UUID, request: SurveyRequest, *, by: str, reason: str = ""
) -> SurveyRow:
    """Record the survey with all its interviews, each under a number of the simulation.

    An interview whose question names an agent that nobody is known for fails at once.

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises UnusableSurvey: if there are no interviews, or more than INTERVIEWS_MAX.
    :raises UnusableQuestion: if a question or the persona is blank or too long.
    """
    ensure_bounded(request.interviews)
    asked = [*_interviews(simulation_id, request)]
    for _, one, _ in asked:
        ensure_usable(one)
    with transaction.atomic():
        simulation = lock_simulation_row(simulation_id)
        survey = SurveyRow.objects.create(
            simulation_id=simulation_id,
            questionnaire=request.questionnaire.to_json(),
            agents=sorted({agent for agents in request.agents.values() for agent in agents}),
            ticks=sorted(request.agents),
            conditions=[condition.name for condition in request.conditions],
            persona=request.persona,
            tokens_max=request.tokens_max,
            by=by,
            reason=reason,
        )
        numbers = take_numbers(simulation, "interviews", len(asked))
        created = InterviewRow.objects.bulk_create(
            InterviewRow(
                simulation_id=simulation_id,
                number=number,
                by=by,
                reason=reason,
                state=WorkState.FAILED if problem else WorkState.PENDING,
                problem_code=NOBODY_KNOWN if problem else "",
                problem=problem,
                finished_at=timezone.now() if problem else None,
                **row_values(one),
            )
            for number, (_, one, problem) in zip(numbers, asked, strict=True)
        )
        SurveyInterviewRow.objects.bulk_create(
            SurveyInterviewRow(
                survey=survey,
                interview=row,
                question=question.name,
                category=question.category,
            )
            for (question, _, _), row in zip(asked, created, strict=True)
        )
    return survey


def _answer_waiting(taken: TakenWork[SurveyRow]) -> None:
    """Answer the interviews that wait, in order, until the survey ends or is stopped."""
    survey_id = taken.row.pk
    rows = InterviewRow.objects.filter(surveyinterviewrow__survey_id=survey_id)
    _free_lost_interviews(rows)
    groups = _groups(rows)
    pending = rows.filter(state=WorkState.PENDING).order_by("number")
    waiting = list(pending.values_list("pk", *_SHARING))

    def answer(part: tuple[Any, ...], batches: Batches) -> None:
        interview_id, *shared = part
        _answer(taken.ports, survey_id, interview_id, groups[tuple(shared)], batches)

    SURVEYS.answer_parts(taken, waiting, answer, total=rows.count())
    if not rows.filter(state__in=OPEN).exists():
        SURVEYS.end(survey_id, WorkState.DONE)
    # Else the survey is given back and taken again, until a lost interview is free.


class _SurveyKind(LimitedWorkKind[SurveyRow]):
    """Surveys, which are deleted with their interviews."""

    def delete(self, work_id: UUID) -> None:
        """Delete the survey with its interviews; a process that is at it stops."""
        with transaction.atomic():
            InterviewRow.objects.filter(surveyinterviewrow__survey_id=work_id).delete()
            super().delete(work_id)

    def cancel(self, work_id: UUID, *, by: str, reason: str = "") -> None:
        """End the survey with the interviews that wait."""
        super().cancel(work_id, by=by, reason=reason)
        _cancel_waiting(work_id)

    def progress_of(self, rows: Sequence[SurveyRow]) -> Mapping[UUID, WorkProgress]:
        """Return the interviews of each survey by their outcome."""
        return progress_of([row.pk for row in rows])


SURVEYS = _SurveyKind(name="survey", model=SurveyRow, parts="interviews", step=_answer_waiting)


def _cancel_waiting(survey_id: UUID) -> None:
    """Cancel the interviews that wait if the survey was cancelled."""
    rows = InterviewRow.objects.filter(
        surveyinterviewrow__survey_id=survey_id,
        surveyinterviewrow__survey__state=WorkState.CANCELLED,
        state=WorkState.PENDING,
    )
    rows.update(
        state=WorkState.CANCELLED,
        problem_code=CANCELLED_BY_USER,
        problem="its survey was cancelled",
        finished_at=timezone.now(),
    )


def _groups(rows: QuerySet[InterviewRow]) -> dict[tuple[Any, ...], range]:
    """Return the numbers of the interviews that share a summary, by what they share."""
    numbers = rows.order_by().values_list(*_SHARING).annotate(Min("number"), Max("number"))
    return {tuple(shared): range(first, last + 1) for *shared, first, last in numbers}


def _free_lost_interviews(rows: QuerySet[InterviewRow]) -> None:
    """Let interviews wait again whose process is lost."""
    lost = rows.filter(INTERVIEWS.is_free(), state=WorkState.RUNNING)
    lost.update(state=WorkState.PENDING, seen_at=None)


def _interviews(
    simulation_id: UUID, request: SurveyRequest
) -> Iterator[tuple[TypedQuestion, InterviewRequest, str]]:
    """Yield each question with its interview, and the reason that it cannot be asked."""
    needs_names = any(one.placeholders for one in request.questionnaire.questions)
    for tick, agents in sorted(request.agents.items()):
        names = placeholder_names(simulation_id, as_of_tick=tick) if needs_names else {}
        for agent in agents:
            for condition in request.conditions:
                interview = InterviewRequest(
                    agent=agent,
                    question="",
                    persona=request.persona,
                    conditions=condition,
                    as_of_tick=tick,
                    answered_by=InterviewRow.Answerer.SURVEY,
                )
                before = ""
                for question in request.questionnaire.questions:
                    text, problem = _text(question, names.get(agent, {}))
                    one = replace(interview, question=text, question_before=before)
                    yield question, replace(one, form=question.answer), problem
                    before = text


def _text(question: TypedQuestion, names: Mapping[str, str]) -> tuple[str, str]:
    """Return the text of the question, and the reason that it cannot be filled."""
    if question.placeholders - names.keys():
        return question.text, "the agent knows nobody whose name the question could have"
    return question.filled(names), ""


def _answer(
    ports: Ports, survey_id: UUID, interview_id: UUID, group: range, batches: Batches
) -> None:
    """Answer one interview; only what stops the whole survey is raised.

    The summary of the first interview of its group, made under the condition, is that of all.

    :raises DomainError: if it is to be paused.
    :raises WorkStopped: if the survey is not wanted any more.
    """
    try:
        answer_interview(ports, interview_id, summary_number=group[0], batches=batches)
    except (BudgetSpent, PriceUnknown, ModelError):
        # The interview waits again: nothing is wrong with it.
        InterviewRow.objects.filter(pk=interview_id).update(
            state=WorkState.PENDING, problem_code="", problem="", finished_at=None
        )
        raise
    except WorkStopped:
        _cancel_waiting(survey_id)
        SURVEYS.ensure_wanted(survey_id)  # else only the interview was stopped
    except DomainError:
        pass  # recorded in the interview; the others go on
    finally:
        _count(survey_id, interview_id, group)


def _count(survey_id: UUID, interview_id: UUID, group: range) -> None:
    """Add the tokens of the interview, and show that the survey's worker is alive.

    The call of a shared summary is counted at one of its interviews only.
    """
    interview = InterviewRow.objects.filter(pk=interview_id).first()
    if interview is None:
        return
    others = InterviewRow.objects.filter(
        simulation_id=interview.simulation_id, number__range=(group[0], group[-1])
    ).exclude(pk=interview_id)
    counted = set(chain.from_iterable(others.values_list("model_calls", flat=True)))
    calls = [call for call in interview.model_calls if call not in counted]
    SURVEYS.record_use(survey_id, interview.simulation_id, calls)
