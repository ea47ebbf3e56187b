"""The tables of the app `archives`."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("simulation", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportRow",
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
                ("name", models.CharField(max_length=120)),
                ("bytes", models.IntegerField()),
                ("lines", models.IntegerField(default=0)),
                ("lines_total", models.IntegerField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "simulation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulation.simulationrow",
                    ),
                ),
            ],
            options={
                "verbose_name": "import",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="FilePieceRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("content", models.BinaryField()),
                (
                    "of",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="archives.importrow"
                    ),
                ),
            ],
            options={
                "verbose_name": "piece of an archive",
                "verbose_name_plural": "pieces of archives",
            },
        ),
        migrations.AddIndex(
            model_name="importrow",
            index=models.Index(fields=["owner", "requested_at"], name="import_of_owner"),
        ),
        migrations.AddIndex(
            model_name="importrow",
            index=models.Index(fields=["state"], name="importrow_of_state"),
        ),
        migrations.AddConstraint(
            model_name="filepiecerow",
            constraint=models.UniqueConstraint(
                fields=("of", "number"), name="file_piece_identity"
            ),
        ),
    ]
