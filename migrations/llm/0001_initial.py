"""The gateway's tables: calls, failures, vectors by content. A trigger refuses UPDATE."""

import pgvector.django.halfvec
from django.db import migrations, models
from django.db.models.functions.datetime import Now
from pgvector.django import VectorExtension

# What a model answered, and a text's vector, are facts: rows are added, and deleted only with
# their simulation, but never edited.
REFUSE_UPDATE = """
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
"""
ALLOW_UPDATE = """
DROP TRIGGER llm_embeddingrow_never_edited ON llm_embeddingrow;
DROP TRIGGER llm_modelfailurerow_never_edited ON llm_modelfailurerow;
DROP TRIGGER llm_modelcallrow_never_edited ON llm_modelcallrow;
DROP FUNCTION llm_refuse_update();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="EmbeddingRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
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
                        fields=("model", "dimensions", "text_sha256"), name="embedding_once"
                    )
                ],
            },
        ),
        # Out of line, a vector would be fetched by a second read for each row that is scored.
        migrations.RunSQL(
            "ALTER TABLE llm_embeddingrow ALTER COLUMN vector SET STORAGE PLAIN",
            migrations.RunSQL.noop,
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
                ("chain", models.CharField(max_length=80)),
                ("ordinal", models.IntegerField()),
                ("call_id", models.CharField(max_length=240)),
                ("request_sha256", models.CharField(max_length=64)),
                ("wording_version", models.CharField(max_length=12)),
                ("server", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=200)),
                ("messages", models.JSONField()),
                ("answer", models.JSONField()),
                ("outcome", models.CharField(max_length=12)),
                ("fallback", models.CharField(blank=True, default="", max_length=80)),
                ("attempts", models.JSONField()),
                ("prompt_tokens", models.IntegerField()),
                ("completion_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16)),
                ("recorded_at", models.DateTimeField(db_default=Now())),
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
                ("chain", models.CharField(max_length=80)),
                ("call_id", models.CharField(max_length=240)),
                ("server", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=200)),
                ("code", models.CharField(max_length=40)),
                ("detail", models.TextField()),
                ("attempts", models.JSONField()),
                ("prompt_tokens", models.IntegerField()),
                ("completion_tokens", models.IntegerField()),
                ("latency_ms", models.IntegerField()),
                ("cost", models.DecimalField(decimal_places=8, max_digits=16)),
                ("recorded_at", models.DateTimeField(db_default=Now())),
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
        migrations.RunSQL(REFUSE_UPDATE, ALLOW_UPDATE),
    ]
