"""The rows of evaluations, which are not derived from the log."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models

from apps.django_support.keyed_rows import KeyedRow
from apps.work.rows import LimitedWorkRow


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


class SurveyRow(LimitedWorkRow):
    """A questionnaire asked of agents; `questionnaire` has its questions as they were then.

    `taken_at` is when a worker has last recorded an interview of it.
    """

    simulation = models.ForeignKey("simulation.SimulationRow", on_delete=models.CASCADE)
    questionnaire = models.JSONField()
    agents = models.JSONField()
    ticks = models.JSONField()
    conditions = models.JSONField()
    persona = models.CharField(max_length=200)

    class Meta(LimitedWorkRow.Meta):
        """Found by state."""

        verbose_name = "survey"


class SurveyInterviewRow(KeyedRow):
    """The place of an interview in a survey; `question` is the name of its question."""

    survey = models.ForeignKey(SurveyRow, on_delete=models.CASCADE)
    interview = models.OneToOneField("interaction.InterviewRow", on_delete=models.CASCADE)
    question = models.CharField(max_length=60, db_collation="C")
    category = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        """In the order of the numbers of its interviews."""

        verbose_name = "interview of a survey"


class WrittenAnswerRow(KeyedRow):
    """An answer that a person has written in the voice of an agent; a condition of its own."""

    survey = models.ForeignKey(SurveyRow, on_delete=models.CASCADE)
    agent = models.CharField(max_length=120, db_collation="C")
    as_of_tick = models.IntegerField()
    question = models.CharField(max_length=60, db_collation="C")
    answer = models.TextField()
    by = models.CharField(max_length=150)
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        """One of each person for each question of an agent at a moment."""

        verbose_name = "written answer"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["survey", "agent", "as_of_tick", "question", "by"],
                name="written_answer_of_person",
            )
        ]


class RankingRow(LimitedWorkRow):
    """The answers of a survey, ranked by condition; a judge is a rule, a model, or people.

    `left_out` is the number of questions without an answer under one of the conditions. A
    ranking by people is RUNNING until a user cancels it.
    """

    class Judge(models.TextChoices):
        """Who ranks the answers, unless it is a registered function."""

        PEOPLE = "people"
        MODEL = "model"

    survey = models.ForeignKey(SurveyRow, on_delete=models.CASCADE)
    judge = models.CharField(max_length=64)
    seed = models.BigIntegerField()
    conditions = models.JSONField()
    left_out = models.IntegerField()

    class Meta(LimitedWorkRow.Meta):
        """Found by state."""

        verbose_name = "ranking"


class RankingTaskRow(KeyedRow):
    """The answers to one question of one agent at one moment, to be ranked.

    `number` counts from 1 in the simulation and is the first ordinal of the model calls.
    `answers` are the words by condition, as they were when the ranking was requested, and
    `written_by` is the person whose words those of the human condition are; "" without them.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    ranking = models.ForeignKey(RankingRow, on_delete=models.CASCADE)
    number = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    as_of_tick = models.IntegerField()
    question = models.CharField(max_length=60, db_collation="C")
    category = models.CharField(max_length=200, blank=True, default="")
    text = models.TextField()
    answers = models.JSONField()
    written_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        """In the order of their numbers, which is random."""

        verbose_name = "task of a ranking"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ranking", "number"], name="ranking_task_identity")
        ]


class RankingJudgementRow(KeyedRow):
    """The ranks that an evaluator has given to the answers of a task.

    `ranks` are by condition, 1 for the most believable answer; equal ones have the mean of
    their places. `parse_error` is the error of the last attempt if a model gave no valid ranks:
    such a judgement is counted nowhere.
    """

    task = models.ForeignKey(RankingTaskRow, on_delete=models.CASCADE)
    evaluator = models.CharField(max_length=200)
    ranks = models.JSONField()
    reason = models.TextField(blank=True, default="")
    parse_error = models.TextField(blank=True, default="")
    model_calls = models.JSONField(default=list)
    judged_at = models.DateTimeField(auto_now=True)

    class Meta:
        """One of each evaluator."""

        verbose_name = "judgement"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "evaluator"], name="judgement_identity")
        ]


class NewsSearchRow(LimitedWorkRow):
    """A piece of news, searched in the memories of agents as of the end of a tick (E4).

    `news` is a sentence; the verifier is a registered function, or MODEL: the simulation's.
    """

    MODEL: ClassVar = "model"

    simulation = models.ForeignKey("simulation.SimulationRow", on_delete=models.CASCADE)
    news = models.TextField()
    as_of_tick = models.IntegerField()
    verifier = models.CharField(max_length=64)

    class Meta(LimitedWorkRow.Meta):
        """Found by state."""

        verbose_name = "news search"
        verbose_name_plural = "news searches"


class NewsFindingRow(KeyedRow):
    """Whether an agent knows the news of a search, with the memories that were considered.

    `number` counts from 1 in the simulation and gives the ordinals of the model calls.
    `knows` is None until the verifier has answered. `considered` are the memories by relevance
    in the order of the prompts, `held` those of them that hold the news, the first formed one
    first. `parse_error` is the error of the last attempt if a model gave no valid answer: such
    a finding is counted nowhere without `held`, and with it, nobody has read the memories from
    before the first of them.
    """

    search = models.ForeignKey(NewsSearchRow, on_delete=models.CASCADE)
    number = models.IntegerField()
    agent = models.CharField(max_length=120, db_collation="C")
    knows = models.BooleanField(null=True)
    considered = models.JSONField(default=list)
    held = models.JSONField(default=list)
    parse_error = models.TextField(blank=True, default="")
    model_calls = models.JSONField(default=list)
    verified_at = models.DateTimeField(null=True)

    class Meta:
        """One for each agent."""

        verbose_name = "finding of a news search"
        verbose_name_plural = "findings of news searches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["search", "agent"], name="news_finding_identity")
        ]
