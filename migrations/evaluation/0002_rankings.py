"""Rankings of answers, their tasks and judgements, and written answers."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0001_initial"),
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
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                ("problem_code", models.CharField(blank=True, default="", max_length=60)),
                ("problem", models.TextField(blank=True, default="")),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "judge",
                    models.CharField(
                        choices=[("people", "People"), ("rule", "Rule"), ("model", "Model")],
                        max_length=6,
                    ),
                ),
                ("seed", models.BigIntegerField()),
                ("conditions", models.JSONField()),
                ("left_out", models.IntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("finished", "Finished"),
                        ],
                        max_length=8,
                    ),
                ),
                ("tokens", models.BigIntegerField(default=0)),
                ("tokens_max", models.BigIntegerField(null=True)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="evaluation.surveyrow"
                    ),
                ),
            ],
            options={
                "verbose_name": "ranking",
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
            model_name="rankingrow",
            index=models.Index(fields=["state"], name="ranking_of_state"),
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
        migrations.AddConstraint(
            model_name="writtenanswerrow",
            constraint=models.UniqueConstraint(
                fields=("survey", "agent", "as_of_tick", "question"),
                name="written_answer_identity",
            ),
        ),
    ]
