"""The memory streams. Vectors are stored plain, beside what is scored with them."""

import pgvector.django.halfvec
from django.db import migrations, models
from pgvector.django import VectorExtension

# By default a value of this size goes to a side table, and exact scoring would fetch every
# one of them from there. A row must then fit a page of 8 kB: room for 4,000 dimensions.
STORE_PLAIN = "ALTER TABLE memory_memoryrow ALTER COLUMN embedding SET STORAGE PLAIN"
STORE_AS_USUAL = "ALTER TABLE memory_memoryrow ALTER COLUMN embedding SET STORAGE EXTERNAL"


class Migration(migrations.Migration):
    initial = True

    # Vectors are copied from the table of embeddings.
    dependencies = [("llm", "0001_initial")]

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="MemoryRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("number", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("description", models.TextField()),
                ("importance", models.SmallIntegerField()),
                ("evidence", models.JSONField(default=list)),
                ("subject", models.CharField(blank=True, default="", max_length=300)),
                ("perceived", models.BooleanField(default=False)),
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
                        include=("importance",),
                        name="memory_perceived",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number"), name="memory_identity"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 1), ("importance__lte", 10)),
                        name="memory_importance_in_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RecallRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("number", models.IntegerField()),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
            ],
            options={
                "verbose_name": "retrieval of a memory",
                "verbose_name_plural": "retrievals of memories",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "to_tick", "from_tick"],
                        name="recall_valid",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number", "from_tick"),
                        name="recall_identity",
                    )
                ],
            },
        ),
        migrations.RunSQL(STORE_PLAIN, STORE_AS_USUAL),
    ]
