"""The tables of the app `embodiment`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AnswerRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("call", models.CharField(db_collation="C", max_length=160)),
                ("tick", models.IntegerField()),
                ("outcome", models.CharField(max_length=8)),
                ("code", models.CharField(blank=True, default="", max_length=40)),
                ("why", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name": "answer to a call",
                "verbose_name_plural": "answers to calls",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick"], name="answer_of_agent"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "call", "outcome"), name="answer_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CallRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("event", models.CharField(db_collation="C", max_length=160)),
                ("tick", models.IntegerField()),
                ("ordinal", models.IntegerField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("embodiment", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("body", models.JSONField()),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name": "call",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "tick", "ordinal"],
                        name="call_of_agent",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "event"), name="call_identity"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EmbodimentRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("number", models.IntegerField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("is_visitor", models.BooleanField()),
                ("by", models.CharField(max_length=150)),
                ("reason", models.TextField(blank=True, default="")),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("ended_by", models.CharField(blank=True, default="", max_length=150)),
                ("ended_reason", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name": "embodiment",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"],
                        name="embodiment_of_agent",
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="embodiment_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "number"), name="embodiment_identity"
                    )
                ],
            },
        ),
    ]
