"""Budgets, and the record of requests for vectors, which nobody edits."""

import django.db.models.functions.datetime
from django.db import migrations, models

NEVER_EDITED = """
CREATE TRIGGER llm_embeddingcallrow_never_edited BEFORE UPDATE ON llm_embeddingcallrow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
"""
EDITED = "DROP TRIGGER llm_embeddingcallrow_never_edited ON llm_embeddingcallrow;"


class Migration(migrations.Migration):
    dependencies = [
        ("llm", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="BudgetRow",
            fields=[
                ("simulation_id", models.UUIDField(primary_key=True, serialize=False)),
                ("tokens_max", models.BigIntegerField(blank=True, null=True)),
                (
                    "money_max",
                    models.DecimalField(blank=True, decimal_places=8, max_digits=16, null=True),
                ),
                ("tokens", models.BigIntegerField(default=0)),
                ("money", models.DecimalField(decimal_places=8, default=0, max_digits=16)),
            ],
            options={
                "verbose_name": "budget",
            },
        ),
        migrations.CreateModel(
            name="EmbeddingCallRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("tick", models.IntegerField()),
                ("stream", models.CharField(db_collation="C", max_length=120)),
                ("server", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=200)),
                ("texts", models.IntegerField()),
                ("characters", models.IntegerField()),
                ("prompt_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16)),
                ("setbacks", models.JSONField()),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "verbose_name": "embedding call",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "tick", "id"], name="embedding_call_of_turn"
                    )
                ],
            },
        ),
        migrations.RunSQL(NEVER_EDITED, EDITED),
    ]
