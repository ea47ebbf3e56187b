"""The tables of the app `counterfactuals`."""

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
            name="CounterfactualRow",
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
                ("at_tick", models.IntegerField()),
                ("until_tick", models.IntegerField()),
                ("interventions", models.JSONField(default=list)),
                ("are_runs_requested", models.BooleanField(default=False)),
                ("first_difference", models.CharField(blank=True, default="", max_length=160)),
                ("same_calls", models.IntegerField(null=True)),
                ("differences", models.JSONField(default=list)),
                (
                    "branch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="counterfactuals_of_branch",
                        to="simulation.simulationrow",
                    ),
                ),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "counterfactual",
                "abstract": False,
                "indexes": [models.Index(fields=["state"], name="counterfactualrow_of_state")],
            },
        ),
    ]
