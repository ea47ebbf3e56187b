"""Searches for news that are found by meaning, and their findings."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0002_rankings"),
        ("simulation", "0004_deleted_simulations"),
    ]

    operations = [
        migrations.CreateModel(
            name="NewsSearchRow",
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
                ("tokens", models.BigIntegerField(default=0)),
                ("tokens_max", models.BigIntegerField(null=True)),
                ("news", models.TextField()),
                ("as_of_tick", models.IntegerField()),
                (
                    "verifier",
                    models.CharField(
                        choices=[("rule", "Rule"), ("model", "Model")], max_length=5
                    ),
                ),
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
        migrations.AddIndex(
            model_name="newssearchrow",
            index=models.Index(fields=["state"], name="news_search_of_state"),
        ),
        migrations.AddConstraint(
            model_name="newsfindingrow",
            constraint=models.UniqueConstraint(
                fields=("search", "agent"), name="news_finding_identity"
            ),
        ),
    ]
