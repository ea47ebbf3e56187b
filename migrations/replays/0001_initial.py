"""The tables of the app `replays`."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("simulation", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ModelTrialRow",
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
                ("model", models.CharField(max_length=300)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField()),
                ("tasks", models.JSONField(default=list)),
                ("calls_per_task", models.IntegerField()),
                ("seed", models.BigIntegerField(default=0)),
                ("recorded", models.JSONField(default=dict)),
                ("calls", models.IntegerField()),
                ("left_out", models.IntegerField(null=True)),
                ("money", models.DecimalField(decimal_places=8, default=0, max_digits=16)),
                ("money_max", models.DecimalField(decimal_places=8, max_digits=16, null=True)),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "model trial",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ReplayRow",
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
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField()),
                ("tick", models.IntegerField(null=True)),
                ("turns", models.IntegerField(default=0)),
                ("events", models.IntegerField(default=0)),
                ("calls", models.IntegerField(default=0)),
                ("changed_calls", models.IntegerField(default=0)),
                ("changed_call", models.CharField(blank=True, default="", max_length=240)),
                ("divergence", models.JSONField(null=True)),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "replay",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="TrialAnswerRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("tick", models.IntegerField()),
                ("stream", models.CharField(db_collation="C", max_length=120)),
                ("server", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=200)),
                ("prompt_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("task", models.CharField(max_length=80)),
                ("call_id", models.CharField(max_length=240)),
                ("attempts", models.JSONField()),
                ("cached_prompt_tokens", models.IntegerField()),
                ("completion_tokens", models.IntegerField()),
                ("billed_equivalent_tokens", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16, null=True)),
                ("answer", models.JSONField()),
                ("outcome", models.CharField(max_length=12)),
                ("recorded_model", models.CharField(max_length=200)),
                ("recorded_outcome", models.CharField(max_length=12)),
                ("recorded_tokens", models.IntegerField()),
                ("recorded_latency_ms", models.IntegerField()),
                (
                    "recorded_cost",
                    models.DecimalField(decimal_places=8, max_digits=16, null=True),
                ),
                ("decision", models.JSONField(null=True)),
                ("recorded_decision", models.JSONField(null=True)),
                ("is_equal", models.BooleanField(null=True)),
                ("overlap", models.FloatField(null=True)),
                (
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="replays.modeltrialrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer of a model trial",
            },
        ),
        migrations.AddIndex(
            model_name="modeltrialrow",
            index=models.Index(fields=["state"], name="modeltrialrow_of_state"),
        ),
        migrations.AddIndex(
            model_name="replayrow",
            index=models.Index(fields=["state"], name="replayrow_of_state"),
        ),
        migrations.AddConstraint(
            model_name="trialanswerrow",
            constraint=models.UniqueConstraint(
                fields=("trial", "call_id"), name="trial_answer_once"
            ),
        ),
    ]
