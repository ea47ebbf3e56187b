"""Utterances, talks and commitments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="CommitmentRow",
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
                ("conversation", models.CharField(db_collation="C", max_length=140)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("activity", models.TextField()),
                ("declined", models.BooleanField()),
                ("place", models.TextField(blank=True, default="")),
                ("day", models.CharField(blank=True, default="", max_length=10)),
                ("from_minute", models.IntegerField(null=True)),
                ("to_minute", models.IntegerField(null=True)),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "commitment",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="commitment_of_agent"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="commitment_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TalkRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("conversation", models.CharField(db_collation="C", max_length=140)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("why", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name": "talk",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"], name="talk_of_agent"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "conversation"), name="talk_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="UtteranceRow",
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
                ("conversation", models.CharField(db_collation="C", max_length=140)),
                ("number", models.IntegerField()),
                ("to", models.CharField(db_collation="C", max_length=120)),
                ("text", models.TextField()),
                ("ends", models.BooleanField()),
                ("memories", models.JSONField()),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "utterance",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "conversation", "tick"],
                        name="utterance_in_talk",
                    ),
                    models.Index(fields=["simulation_id", "tick"], name="utterance_by_tick"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "tick"), name="utterance_identity"
                    )
                ],
            },
        ),
    ]
