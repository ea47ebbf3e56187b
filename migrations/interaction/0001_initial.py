"""The tables of the app `interaction`."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

import apps.interaction.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("simulation", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="InterviewRow",
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
                ("number", models.IntegerField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("persona", models.CharField(max_length=200)),
                ("question", models.TextField()),
                ("question_before", models.TextField(blank=True, default="")),
                ("conditions", models.CharField(max_length=60)),
                ("form", models.JSONField(default=apps.interaction.models.open_form)),
                ("as_of_tick", models.IntegerField()),
                ("remember", models.BooleanField(default=False)),
                (
                    "answered_by",
                    models.CharField(
                        choices=[
                            ("request", "Request"),
                            ("worker", "Worker"),
                            ("survey", "Survey"),
                        ],
                        default="request",
                        max_length=7,
                    ),
                ),
                ("answer", models.TextField(blank=True, default="")),
                ("value", models.JSONField(null=True)),
                ("no_value", models.CharField(blank=True, default="", max_length=20)),
                ("parse_error", models.TextField(blank=True, default="")),
                ("memories", models.JSONField(default=list)),
                ("model_calls", models.JSONField(default=list)),
                ("command_id", models.UUIDField(null=True)),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "interview",
                "abstract": False,
                "indexes": [models.Index(fields=["state"], name="interviewrow_of_state")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation", "number"), name="interview_identity"
                    )
                ],
            },
        ),
    ]
