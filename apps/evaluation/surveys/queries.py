"""Queries of surveys: their progress and their interviews."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from apps import history
from apps.django_support.text_search import contains
from apps.evaluation.models import SurveyInterviewRow, SurveyRow
from apps.interaction.models import InterviewRow
from apps.work.kinds import WorkProgress
from apps.work.limited_work import progress_by_work
from apps.work.rows import WorkState


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyProgress(WorkProgress):
    """The interviews of a survey by their outcome; those that failed are done, too."""

    answered: int = 0
    failed: int = 0
    invalid: int = 0
    """Of the answered ones, those in which the model gave no valid answer."""
    without_value: Mapping[str, int] = field(default_factory=dict)
    """The answers to typed questions that have no value, by `no_value` of the interviews."""


def progress_of(survey_ids: Iterable[UUID]) -> dict[UUID, SurveyProgress]:
    """Return the progress of each survey, by two queries."""
    ids = list(survey_ids)
    of_surveys = SurveyInterviewRow.objects.filter(survey_id__in=ids)
    is_answered = Q(interview__state=WorkState.DONE)
    is_failed = Q(interview__state=WorkState.FAILED)
    found = progress_by_work(
        SurveyProgress,
        of_surveys,
        of="survey_id",
        work_ids=ids,
        total=Count("pk"),
        done=Count("pk", filter=is_answered | is_failed),
        answered=Count("pk", filter=is_answered),
        failed=Count("pk", filter=is_failed),
        invalid=Count("pk", filter=is_answered & ~Q(interview__parse_error="")),
    )
    reasons: dict[UUID, dict[str, int]] = defaultdict(dict)
    for survey, reason, count in (
        of_surveys.exclude(interview__no_value="")
        .values_list("survey_id", "interview__no_value")
        .annotate(Count("pk"))
        .order_by("interview__no_value")
    ):
        reasons[survey][reason] = count
    return {key: replace(one, without_value=reasons[key]) for key, one in found.items()}


def interviews_of(
    survey: SurveyRow,
    *,
    agent: str | None = None,
    question: str | None = None,
    conditions: str | None = None,
    state: str | None = None,
    search: str | None = None,
) -> QuerySet[InterviewRow]:
    """Return the interviews without an order, with the name and category of the question.

    The annotations are `question_name` and `category`; each argument is a filter. `search` is a
    text in question or answer.
    """
    filters = {
        "agent": agent,
        "surveyinterviewrow__question": question,
        "conditions": conditions,
        "state": state,
    }
    given = {name: value for name, value in filters.items() if value is not None}
    rows = InterviewRow.objects.filter(surveyinterviewrow__survey=survey, **given)
    if search is not None:
        rows = rows.filter(contains(search, "question", "answer"))
    return rows.annotate(
        question_name=F("surveyinterviewrow__question"),
        category=F("surveyinterviewrow__category"),
    )


def placeholder_names(simulation_id: UUID, *, as_of_tick: int) -> dict[str, Mapping[str, str]]:
    """Return the names for the placeholders by agent, for those that know anybody.

    `other` and `other2` are the first and the last that the agent has talked with by the end of
    the tick, `frequent` and `frequent2` those of the most conversations. An agent that has
    talked with nobody has those it has a relationship with, by slug.
    """
    talks = _talks(simulation_id, as_of_tick)
    names = history.names_of_agents(simulation_id, as_of_tick=as_of_tick)
    slugs = [row.agent for row in history.list_agents(simulation_id, as_of_tick=as_of_tick)]
    for agent, other in sorted(
        history.related_pairs(simulation_id, slugs, as_of_tick=as_of_tick)
    ):
        if agent not in talks or not talks[agent].ends:
            talks.setdefault(agent, _Talks()).count[other] += 0
    return {
        agent: {name: names.get(slug, "") for name, slug in known.chosen().items()}
        for agent, known in talks.items()
        if known.count
    }


class _Talks:
    """The partners of an agent in its conversations: how often, and in order of time."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.ends: list[str] = []

    def chosen(self) -> dict[str, str]:
        order = self.ends or sorted(self.count)
        most = sorted(self.count, key=lambda other: (-self.count[other], other))
        return {
            "other": order[0],
            "other2": order[-1],
            "frequent": most[0],
            "frequent2": most[1] if len(most) > 1 else most[0],
        }


def _talks(simulation_id: UUID, as_of_tick: int) -> dict[str, _Talks]:
    rows = history.list_utterances(simulation_id, as_of_tick=as_of_tick)
    found: dict[str, _Talks] = defaultdict(_Talks)
    counted: set[tuple[str, str, str]] = set()
    for agent, to, participants, conversation in rows.order_by("tick", "agent").values_list(
        "agent", "to", "participants", "conversation"
    ):
        for other in {to: None, **dict.fromkeys(participants)}:
            for one, another in ((agent, other), (other, agent)):
                if "" in (one, another) or one == another:
                    continue
                found[one].ends.append(another)
                if (conversation, one, another) not in counted:
                    counted.add((conversation, one, another))
                    found[one].count[another] += 1
    return dict(found)
