"""The rows of evaluations, which are not derived from the log."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.django_support.waiting_work import RequestedWorkRow
from apps.interaction.models import InterviewRow
from apps.simulation.models import SimulationRow


class QuestionnaireRow(models.Model):
    """A questionnaire of a user; `questions` are as `TypedQuestion.to_json` returns them."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=60, db_collation="C")
    title = models.CharField(max_length=200)
    source = models.CharField(max_length=200, blank=True, default="")
    questions = models.JSONField()
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Named by its owner."""

        verbose_name = "questionnaire"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "name"], name="questionnaire_identity")
        ]

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class SurveyRow(RequestedWorkRow):
    """A questionnaire asked of agents; `questionnaire` has its questions as they were then.

    `tokens` are those of its model calls so far, `tokens_max` their limit, None for none.
    `taken_at` is when a worker has last recorded an interview of it. `problem` says why it is
    paused.
    """

    class State(models.TextChoices):
        """The state of a survey; PAUSED until a user resumes it."""

        PENDING = "pending"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"

    simulation = models.ForeignKey(SimulationRow, on_delete=models.CASCADE)
    questionnaire = models.JSONField()
    agents = models.JSONField()
    ticks = models.JSONField()
    conditions = models.JSONField()
    persona = models.CharField(max_length=200)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    tokens = models.BigIntegerField(default=0)
    tokens_max = models.BigIntegerField(null=True)

    class Meta:
        """Found by simulation and by state."""

        verbose_name = "survey"
        indexes: ClassVar = [models.Index(fields=["state"], name="survey_of_state")]

    def __str__(self) -> str:
        """Return the name of the questionnaire and the state."""
        return f"{self.questionnaire['name']}: {self.state}"


class SurveyInterviewRow(models.Model):
    """The place of an interview in a survey; `question` is the name of its question."""

    survey = models.ForeignKey(SurveyRow, on_delete=models.CASCADE)
    interview = models.OneToOneField(InterviewRow, on_delete=models.CASCADE)
    question = models.CharField(max_length=60, db_collation="C")
    category = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        """In the order of the numbers of its interviews."""

        verbose_name = "interview of a survey"

    def __str__(self) -> str:
        """Return the name of the question."""
        return self.question
