"""The tables of the app `evaluation`."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("interaction", "0001_initial"),
        ("simulation", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RankingRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                ("problem_code", models.CharField(blank=True, default="", max_length=60)),
                ("problem", models.TextField(blank=True, default="")),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("tokens", models.BigIntegerField(default=0)),
                ("tokens_max", models.BigIntegerField(null=True)),
                ("judge", models.CharField(max_length=64)),
                ("seed", models.BigIntegerField()),
                ("conditions", models.JSONField()),
                ("left_out", models.IntegerField()),
            ],
            options={
                "verbose_name": "ranking",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="NewsSearchRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                ("problem_code", models.CharField(blank=True, default="", max_length=60)),
                ("problem", models.TextField(blank=True, default="")),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("tokens", models.BigIntegerField(default=0)),
                ("tokens_max", models.BigIntegerField(null=True)),
                ("news", models.TextField()),
                ("as_of_tick", models.IntegerField()),
                ("verifier", models.CharField(max_length=64)),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "news search",
                "verbose_name_plural": "news searches",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="NewsFindingRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("knows", models.BooleanField(null=True)),
                ("considered", models.JSONField(default=list)),
                ("held", models.JSONField(default=list)),
                ("parse_error", models.TextField(blank=True, default="")),
                ("model_calls", models.JSONField(default=list)),
                ("verified_at", models.DateTimeField(null=True)),
                (
                    "search",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="evaluation.newssearchrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "finding of a news search",
                "verbose_name_plural": "findings of news searches",
            },
        ),
        migrations.CreateModel(
            name="QuestionnaireRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(db_collation="C", max_length=60)),
                ("title", models.CharField(max_length=200)),
                ("source", models.CharField(blank=True, default="", max_length=200)),
                ("questions", models.JSONField()),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "questionnaire",
            },
        ),
        migrations.CreateModel(
            name="RankingTaskRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.IntegerField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("as_of_tick", models.IntegerField()),
                ("question", models.CharField(db_collation="C", max_length=60)),
                ("category", models.CharField(blank=True, default="", max_length=200)),
                ("text", models.TextField()),
                ("answers", models.JSONField()),
                ("written_by", models.CharField(blank=True, default="", max_length=150)),
                (
                    "ranking",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="evaluation.rankingrow"
                    ),
                ),
            ],
            options={
                "verbose_name": "task of a ranking",
            },
        ),
        migrations.CreateModel(
            name="RankingJudgementRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("evaluator", models.CharField(max_length=200)),
                ("ranks", models.JSONField()),
                ("reason", models.TextField(blank=True, default="")),
                ("parse_error", models.TextField(blank=True, default="")),
                ("model_calls", models.JSONField(default=list)),
                ("judged_at", models.DateTimeField(auto_now=True)),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="evaluation.rankingtaskrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "judgement",
            },
        ),
        migrations.CreateModel(
            name="SurveyRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                ("problem_code", models.CharField(blank=True, default="", max_length=60)),
                ("problem", models.TextField(blank=True, default="")),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("tokens", models.BigIntegerField(default=0)),
                ("tokens_max", models.BigIntegerField(null=True)),
                ("questionnaire", models.JSONField()),
                ("agents", models.JSONField()),
                ("ticks", models.JSONField()),
                ("conditions", models.JSONField()),
                ("persona", models.CharField(max_length=200)),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "survey",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SurveyInterviewRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("question", models.CharField(db_collation="C", max_length=60)),
                ("category", models.CharField(blank=True, default="", max_length=200)),
                (
                    "interview",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="interaction.interviewrow",
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="evaluation.surveyrow"
                    ),
                ),
            ],
            options={
                "verbose_name": "interview of a survey",
            },
        ),
        migrations.AddField(
            model_name="rankingrow",
            name="survey",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, to="evaluation.surveyrow"
            ),
        ),
        migrations.CreateModel(
            name="WrittenAnswerRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("as_of_tick", models.IntegerField()),
                ("question", models.CharField(db_collation="C", max_length=60)),
                ("answer", models.TextField()),
                ("by", models.CharField(max_length=150)),
                ("written_at", models.DateTimeField(auto_now=True)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="evaluation.surveyrow"
                    ),
                ),
            ],
            options={
                "verbose_name": "written answer",
            },
        ),
        migrations.AddIndex(
            model_name="newssearchrow",
            index=models.Index(fields=["state"], name="newssearchrow_of_state"),
        ),
        migrations.AddConstraint(
            model_name="newsfindingrow",
            constraint=models.UniqueConstraint(
                fields=("search", "agent"), name="news_finding_identity"
            ),
        ),
        migrations.AddConstraint(
            model_name="questionnairerow",
            constraint=models.UniqueConstraint(
                fields=("owner", "name"), name="questionnaire_identity"
            ),
        ),
        migrations.AddConstraint(
            model_name="rankingtaskrow",
            constraint=models.UniqueConstraint(
                fields=("ranking", "number"), name="ranking_task_identity"
            ),
        ),
        migrations.AddConstraint(
            model_name="rankingjudgementrow",
            constraint=models.UniqueConstraint(
                fields=("task", "evaluator"), name="judgement_identity"
            ),
        ),
        migrations.AddIndex(
            model_name="surveyrow",
            index=models.Index(fields=["state"], name="surveyrow_of_state"),
        ),
        migrations.AddIndex(
            model_name="rankingrow",
            index=models.Index(fields=["state"], name="rankingrow_of_state"),
        ),
        migrations.AddConstraint(
            model_name="writtenanswerrow",
            constraint=models.UniqueConstraint(
                fields=("survey", "agent", "as_of_tick", "question", "by"),
                name="written_answer_of_person",
            ),
        ),
    ]
