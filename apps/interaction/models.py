"""The rows of interviews, which are not derived from the log, and their list."""

from typing import ClassVar
from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from apps.django_support.text_search import contains
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkRow


def open_form() -> dict[str, str]:
    """Return the stored form of an open answer."""
    return {"kind": "open"}


class InterviewRow(WorkRow):
    """A question to an agent, and its answer.

    `number` counts from 1 in the simulation and is the first ordinal of the model calls.
    `conditions` is the name of a `Condition`. `form` is that of the answer (`answer_forms`);
    `question_before` is that before it in the questionnaire of a survey. `value` is the chosen
    option, the number, or None for none, with a `NoValue` as `no_value` then; `parse_error` is
    the error of the last attempt if the model gave no valid answer, and the fallback stands in.
    `memories` are those in the prompt, each with its score and query. `command_id` is the
    command that makes the agent remember the interview, None without one.
    """

    class Answerer(models.TextChoices):
        """What answers: the request that waits, a worker, or the process of the survey."""

        REQUEST = "request"
        WORKER = "worker"
        SURVEY = "survey"

    simulation = models.ForeignKey(SimulationRow, on_delete=models.CASCADE)
    number = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    persona = models.CharField(max_length=200)
    question = models.TextField()
    question_before = models.TextField(blank=True, default="")
    conditions = models.CharField(max_length=60)
    form = models.JSONField(default=open_form)
    as_of_tick = models.IntegerField()
    remember = models.BooleanField(default=False)
    answered_by = models.CharField(max_length=7, choices=Answerer, default=Answerer.REQUEST)
    answer = models.TextField(blank=True, default="")
    value = models.JSONField(null=True)
    no_value = models.CharField(max_length=20, blank=True, default="")
    parse_error = models.TextField(blank=True, default="")
    memories = models.JSONField(default=list)
    model_calls = models.JSONField(default=list)
    command_id = models.UUIDField(null=True)

    class Meta(WorkRow.Meta):
        """Numbered within a simulation."""

        verbose_name = "interview"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation", "number"], name="interview_identity")
        ]


def list_interviews(
    simulation_id: UUID,
    *,
    agent: str | None = None,
    search: str | None = None,
) -> QuerySet[InterviewRow]:
    """Return the interviews without an order; `search` is a text in question or answer."""
    rows = InterviewRow.objects.filter(simulation_id=simulation_id)
    if agent is not None:
        rows = rows.filter(agent=agent)
    if search is not None:
        rows = rows.filter(contains(search, "question", "answer"))
    return rows
