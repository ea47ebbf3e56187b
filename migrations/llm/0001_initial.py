"""Calls, failures, parts of prompts, budgets, vectors by content. Records are never edited."""

import uuid

import django.db.models.functions.datetime
import pgvector.django.halfvec
from django.db import migrations, models
from pgvector.django import VectorExtension

# What a model answered, and a text's vector, are facts: rows are added, and deleted only
# with their simulation, but never edited.
NEVER_EDITED = """
CREATE FUNCTION llm_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never edited', TG_TABLE_NAME;
END $$;
CREATE TRIGGER llm_modelcallrow_never_edited BEFORE UPDATE ON llm_modelcallrow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
CREATE TRIGGER llm_modelfailurerow_never_edited BEFORE UPDATE ON llm_modelfailurerow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
CREATE TRIGGER llm_embeddingrow_never_edited BEFORE UPDATE ON llm_embeddingrow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
CREATE TRIGGER llm_embeddingcallrow_never_edited BEFORE UPDATE ON llm_embeddingcallrow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
CREATE TRIGGER llm_promptpartrow_never_edited BEFORE UPDATE ON llm_promptpartrow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
"""
EDITED = """
DROP TRIGGER llm_modelcallrow_never_edited ON llm_modelcallrow;
DROP TRIGGER llm_modelfailurerow_never_edited ON llm_modelfailurerow;
DROP TRIGGER llm_embeddingrow_never_edited ON llm_embeddingrow;
DROP TRIGGER llm_embeddingcallrow_never_edited ON llm_embeddingcallrow;
DROP TRIGGER llm_promptpartrow_never_edited ON llm_promptpartrow;
DROP FUNCTION llm_refuse_update();
"""

# Out of line, a vector would be fetched by a second read for each row that is scored. Compressed
# content is not compressed a second time.
STORAGE = """
ALTER TABLE llm_embeddingrow ALTER COLUMN vector SET STORAGE PLAIN;
ALTER TABLE llm_promptpartrow ALTER COLUMN content SET STORAGE EXTERNAL;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="BatchRow",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("work_id", models.UUIDField()),
                ("server", models.CharField(max_length=80)),
                ("batch_id", models.CharField(blank=True, default="", max_length=200)),
                ("lines", models.JSONField()),
                ("is_over", models.BooleanField(default=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("look_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "batch of calls",
                "indexes": [models.Index(fields=["work_id"], name="batch_of_work")],
            },
        ),
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
                ("prompt_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16)),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("purpose", models.CharField(default="turn", max_length=12)),
                ("served_model", models.CharField(blank=True, default="", max_length=200)),
                (
                    "system_fingerprint",
                    models.CharField(blank=True, default="", max_length=200),
                ),
                ("server_version", models.CharField(blank=True, default="", max_length=200)),
                ("texts", models.IntegerField()),
                ("characters", models.IntegerField()),
                ("setbacks", models.JSONField()),
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
        migrations.CreateModel(
            name="EmbeddingRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "origin",
                    models.UUIDField(default=uuid.UUID("00000000-0000-0000-0000-000000000000")),
                ),
                ("model", models.CharField(max_length=200)),
                ("dimensions", models.IntegerField()),
                ("text_sha256", models.CharField(max_length=64)),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
            ],
            options={
                "verbose_name": "embedding",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("model", "dimensions", "text_sha256", "origin"),
                        name="embedding_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelCallRow",
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
                ("prompt_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16)),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("task", models.CharField(max_length=80)),
                ("call_id", models.CharField(max_length=240)),
                ("attempts", models.JSONField()),
                ("cached_prompt_tokens", models.IntegerField()),
                ("completion_tokens", models.IntegerField()),
                ("billed_equivalent_tokens", models.IntegerField()),
                ("ordinal", models.IntegerField()),
                ("purpose", models.CharField(default="turn", max_length=12)),
                ("request_sha256", models.CharField(max_length=64)),
                ("wording_version", models.CharField(max_length=40)),
                ("prompt", models.JSONField()),
                ("answer", models.JSONField()),
                ("outcome", models.CharField(max_length=12)),
                ("fallback", models.CharField(blank=True, default="", max_length=80)),
                ("differences", models.JSONField(default=list)),
                ("served_model", models.CharField(blank=True, default="", max_length=200)),
                (
                    "system_fingerprint",
                    models.CharField(blank=True, default="", max_length=200),
                ),
                ("server_version", models.CharField(blank=True, default="", max_length=200)),
                ("reused_from", models.UUIDField(editable=False, null=True)),
            ],
            options={
                "verbose_name": "model call",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "tick", "stream", "id"],
                        name="model_call_of_turn",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "call_id", "request_sha256"),
                        name="model_call_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelFailureRow",
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
                ("prompt_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16)),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("task", models.CharField(max_length=80)),
                ("call_id", models.CharField(max_length=240)),
                ("attempts", models.JSONField()),
                ("cached_prompt_tokens", models.IntegerField()),
                ("completion_tokens", models.IntegerField()),
                ("billed_equivalent_tokens", models.IntegerField()),
                ("code", models.CharField(max_length=40)),
                ("detail", models.TextField()),
            ],
            options={
                "verbose_name": "model failure",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "id"], name="model_failure_of_simulation"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PromptPartRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.BinaryField()),
                ("content", models.BinaryField()),
            ],
            options={
                "verbose_name": "part of prompts",
                "verbose_name_plural": "parts of prompts",
                "constraints": [
                    models.UniqueConstraint(fields=("sha256",), name="prompt_part_once")
                ],
            },
        ),
        migrations.RunSQL(STORAGE, migrations.RunSQL.noop),
        migrations.RunSQL(NEVER_EDITED, EDITED),
    ]
