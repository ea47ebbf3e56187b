"""Experiments, and their events, which are never edited."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

NEVER_EDITED = """
CREATE FUNCTION experiments_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never edited', TG_TABLE_NAME;
END $$;
CREATE TRIGGER experiments_experimenteventrow_never_edited BEFORE UPDATE ON experiments_experimenteventrow
    FOR EACH ROW EXECUTE FUNCTION experiments_refuse_update();
"""
EDITED = """
DROP TRIGGER experiments_experimenteventrow_never_edited ON experiments_experimenteventrow;
DROP FUNCTION experiments_refuse_update();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ExperimentRow",
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
                ("name", models.CharField(max_length=60)),
                ("title", models.CharField(max_length=200)),
                ("runs", models.IntegerField(default=0)),
                ("finished_runs", models.IntegerField(default=0)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "experiment",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ExperimentEventRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("type", models.CharField(max_length=60)),
                ("data", models.JSONField()),
                ("by", models.CharField(blank=True, default="", max_length=150)),
                ("recorded_at", models.DateTimeField()),
                (
                    "experiment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="experiments.experimentrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "event of an experiment",
                "verbose_name_plural": "events of experiments",
            },
        ),
        migrations.AddIndex(
            model_name="experimentrow",
            index=models.Index(fields=["owner", "requested_at"], name="experiment_of_owner"),
        ),
        migrations.AddIndex(
            model_name="experimentrow",
            index=models.Index(fields=["state"], name="experimentrow_of_state"),
        ),
        migrations.AddConstraint(
            model_name="experimenteventrow",
            constraint=models.UniqueConstraint(
                fields=("experiment", "number"), name="experiment_event_identity"
            ),
        ),
        migrations.RunSQL(NEVER_EDITED, EDITED),
    ]
