"""Questionnaires and surveys."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("interaction", "0002_typed_answers"),
        ("simulation", "0004_deleted_simulations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SurveyRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("questionnaire", models.JSONField()),
                ("agents", models.JSONField()),
                ("ticks", models.JSONField()),
                ("conditions", models.JSONField()),
                ("persona", models.CharField(max_length=200)),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("finished", "Finished"),
                        ],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("tokens", models.BigIntegerField(default=0)),
                ("tokens_max", models.BigIntegerField(null=True)),
                ("problem_code", models.CharField(blank=True, default="", max_length=60)),
                ("problem", models.TextField(blank=True, default="")),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "name"), name="questionnaire_identity"
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="surveyrow",
            index=models.Index(fields=["state"], name="survey_of_state"),
        ),
    ]
