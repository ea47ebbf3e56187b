"""The tables of the app `simulation`."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ClockRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("clock", models.IntegerField()),
            ],
            options={
                "verbose_name": "clock",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent"), name="clock_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CommandRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("kind", models.CharField(max_length=40)),
                ("agent", models.CharField(max_length=120)),
                ("body", models.JSONField()),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                ("at_tick", models.IntegerField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("accepted", "Accepted"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                        ],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("effective_tick", models.IntegerField(null=True)),
                ("refusal", models.TextField(blank=True, default="")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "command",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "state", "created_at"], name="command_to_do"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ProcessRow",
            fields=[
                ("name", models.CharField(max_length=160, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("scheduler", "Scheduler"), ("worker", "Worker")], max_length=9
                    ),
                ),
                ("threads", models.IntegerField(default=0)),
                ("started_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "process",
                "verbose_name_plural": "processes",
                "indexes": [models.Index(fields=["kind", "seen_at"], name="process_by_kind")],
            },
        ),
        migrations.CreateModel(
            name="TurnRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("sent", "Sent"),
                            ("taken", "Taken"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("told", "Told"),
                        ],
                        default="sent",
                        max_length=8,
                    ),
                ),
                ("attempts", models.IntegerField(default=0)),
                ("worker", models.CharField(blank=True, default="", max_length=120)),
                ("error", models.TextField(blank=True, default="")),
                ("fatal", models.BooleanField(default=False)),
                ("sent_at", models.DateTimeField(auto_now_add=True)),
                ("heartbeat_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "turn in work",
                "verbose_name_plural": "turns in work",
                "indexes": [models.Index(fields=["state", "sent_at"], name="turn_by_state")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent"), name="turn_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SimulationRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("world", models.CharField(max_length=120)),
                ("seed", models.BigIntegerField()),
                ("model", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("paused", "Paused"),
                            ("running", "Running"),
                            ("pausing", "Pausing"),
                        ],
                        default="paused",
                        max_length=12,
                    ),
                ),
                ("reason", models.TextField(blank=True, default="")),
                ("until_tick", models.IntegerField(null=True)),
                ("pace", models.FloatField(null=True)),
                ("paced_from_tick", models.IntegerField(default=0)),
                ("paced_at", models.DateTimeField(null=True)),
                ("committed_tick", models.IntegerField(default=0)),
                ("is_preparing", models.BooleanField(default=False)),
                ("lease_holder", models.CharField(blank=True, default="", max_length=120)),
                ("lease_until", models.DateTimeField(null=True)),
                ("is_deleted", models.BooleanField(db_default=False, default=False)),
                ("numbers_taken", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
                "verbose_name": "simulation",
                "indexes": [
                    models.Index(fields=["owner", "created_at"], name="simulation_of_owner"),
                    models.Index(fields=["status"], name="simulation_of_status"),
                ],
            },
        ),
    ]
