"""The tables of the app `dialogue`."""

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
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                ("conversation", models.CharField(db_collation="C", max_length=140)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("activity", models.TextField()),
                ("declined", models.BooleanField()),
                ("place", models.TextField(blank=True, default="")),
                ("node", models.TextField(blank=True, default="")),
                ("day", models.CharField(blank=True, default="", max_length=10)),
                ("from_minute", models.IntegerField(null=True)),
                ("to_minute", models.IntegerField(null=True)),
                ("cancelled", models.BooleanField(default=False)),
                ("besides", models.JSONField(default=list)),
                ("superseded_tick", models.IntegerField(null=True)),
                ("ended_tick", models.IntegerField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=20)),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "commitment",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="commitment_of_agent"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="commitment_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="commitment_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OverheardRow",
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
                ("utterances", models.JSONField()),
                ("is_over", models.BooleanField()),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "overheard conversation",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="overheard_of_agent"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="overheard_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PromiseRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                ("conversation", models.CharField(db_collation="C", max_length=140)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("what", models.TextField()),
                (
                    "to",
                    models.CharField(blank=True, db_collation="C", default="", max_length=120),
                ),
                ("memory", models.IntegerField()),
                ("ended_tick", models.IntegerField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=20)),
                ("event", models.CharField(db_collation="C", max_length=160)),
            ],
            options={
                "verbose_name": "promise",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="promise_of_agent"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="promise_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="promise_identity"
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
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("conversation", models.CharField(db_collation="C", max_length=140)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("why", models.TextField(blank=True, default="")),
                ("by_phone", models.BooleanField(default=False)),
                ("heard_by", models.JSONField(default=list)),
                ("told", models.JSONField(default=list)),
            ],
            options={
                "verbose_name": "talk",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"], name="talk_of_agent"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="talk_copies",
                    ),
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
                ("participants", models.JSONField(default=list)),
                ("by_phone", models.BooleanField(default=False)),
                ("intent", models.TextField(blank=True, default="")),
                ("leaves", models.BooleanField(default=False)),
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
