"""The tables of the app `replays`."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("simulation", "0001_initial"),
    ]

    operations = [
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
                "indexes": [models.Index(fields=["state"], name="replayrow_of_state")],
            },
        ),
    ]
