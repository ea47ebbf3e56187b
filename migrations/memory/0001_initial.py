"""The memory streams. Vectors are stored plain, beside what is scored with them."""

import pgvector.django.halfvec
from django.db import migrations, models
from pgvector.django import VectorExtension

# By default a value of this size goes to a side table, and exact scoring would fetch every
# one of them from there. A row must then fit a page of 8 kB: room for 4,000 dimensions.
STORE_PLAIN = "ALTER TABLE memory_memoryrow ALTER COLUMN embedding SET STORAGE PLAIN"


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="FactRow",
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
                ("number", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("tie", models.CharField(max_length=20)),
                ("standing", models.CharField(max_length=20)),
                ("statements", models.JSONField()),
                ("opinion", models.TextField()),
                ("evidence", models.JSONField()),
                ("source", models.CharField(max_length=20)),
                ("until", models.CharField(max_length=19)),
                ("passing_on", models.CharField(max_length=200)),
            ],
            options={
                "verbose_name": "lasting fact",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="fact_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number", "from_tick"),
                        name="fact_identity",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryRow",
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
                ("number", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("description", models.TextField()),
                ("rating", models.SmallIntegerField()),
                ("rated_tick", models.IntegerField(null=True)),
                ("evidence", models.JSONField(default=list)),
                ("subject", models.CharField(blank=True, default="", max_length=300)),
                ("perceived", models.BooleanField(default=False)),
                ("origin", models.CharField(blank=True, default="", max_length=30)),
                ("scheduled", models.JSONField(null=True)),
                ("action", models.CharField(blank=True, default="", max_length=20)),
                ("activity", models.TextField(blank=True, default="")),
                ("passing_on", models.CharField(blank=True, default="", max_length=200)),
                ("superseded_tick", models.IntegerField(null=True)),
                ("formed_tick", models.IntegerField()),
                ("ordinal", models.IntegerField()),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
            ],
            options={
                "verbose_name": "memory",
                "verbose_name_plural": "memories",
                "indexes": [
                    models.Index(
                        condition=models.Q(("perceived", True)),
                        fields=["simulation_id", "agent", "formed_tick"],
                        include=("rating", "rated_tick"),
                        name="memory_perceived",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("rated_tick", None),
                            ("rated_tick__gt", models.F("formed_tick")),
                            _connector="OR",
                        ),
                        fields=["simulation_id", "agent", "formed_tick"],
                        name="memory_rated_later",
                    ),
                    models.Index(
                        fields=["simulation_id", "agent", "subject"], name="memory_of_subject"
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="memory_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number"), name="memory_identity"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rating__gte", 1), ("rating__lte", 10)),
                        name="memory_importance_in_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RepetitionRow",
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
                ("number", models.IntegerField()),
                ("times", models.IntegerField()),
            ],
            options={
                "verbose_name": "repetition of a memory",
                "verbose_name_plural": "repetitions of memories",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "from_tick"],
                        name="repetition_of_agent",
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="repetition_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number", "from_tick"),
                        name="repetition_identity",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RetrievalRow",
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
                ("number", models.IntegerField()),
            ],
            options={
                "verbose_name": "retrieval of a memory",
                "verbose_name_plural": "retrievals of memories",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "to_tick", "from_tick"],
                        name="retrieval_valid",
                    ),
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="retrieval_copies",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number", "from_tick"),
                        name="retrieval_identity",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SelfSummaryRow",
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
                ("core", models.TextField()),
                ("occupation", models.TextField()),
                ("feeling", models.TextField()),
                ("text", models.TextField()),
                ("due_tick", models.IntegerField()),
            ],
            options={
                "verbose_name": "self-summary",
                "verbose_name_plural": "self-summaries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="self_summary_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "from_tick"),
                        name="self_summary_identity",
                    )
                ],
            },
        ),
        migrations.RunSQL(STORE_PLAIN, migrations.RunSQL.noop),
    ]
