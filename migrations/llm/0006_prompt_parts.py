"""Prompts stored by content: calls refer to the parts of their messages."""

import zlib
from hashlib import sha256

from django.db import migrations, models

BATCH = 500

# Compressed content is not compressed a second time, and parts are never edited.
STORE_EXTERNALLY = "ALTER TABLE llm_promptpartrow ALTER COLUMN content SET STORAGE EXTERNAL"
NEVER_EDITED = """
CREATE TRIGGER llm_promptpartrow_never_edited BEFORE UPDATE ON llm_promptpartrow
    FOR EACH ROW EXECUTE FUNCTION llm_refuse_update();
"""
EDITED = "DROP TRIGGER llm_promptpartrow_never_edited ON llm_promptpartrow;"
DISABLE = "ALTER TABLE llm_modelcallrow DISABLE TRIGGER llm_modelcallrow_never_edited"
ENABLE = "ALTER TABLE llm_modelcallrow ENABLE TRIGGER llm_modelcallrow_never_edited"


def split(apps, schema_editor):
    """Store each message of the recorded calls as one part."""
    calls = apps.get_model("llm", "ModelCallRow").objects
    parts = apps.get_model("llm", "PromptPartRow").objects
    schema_editor.execute(DISABLE)
    for rows in batches(calls):
        for row in rows:
            row.prompt = [[one["role"], part_of(parts, one["content"])] for one in row.messages]
        calls.bulk_update(rows, ["prompt"])
    # A table with changed rows cannot be altered before its checks are done.
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    schema_editor.execute(ENABLE)


def join(apps, schema_editor):
    """Write the messages to the calls again."""
    calls = apps.get_model("llm", "ModelCallRow").objects
    parts = apps.get_model("llm", "PromptPartRow").objects
    schema_editor.execute(DISABLE)
    for rows in batches(calls):
        wanted = {part for row in rows for _, *ids in row.prompt for part in ids}
        texts = {
            part.pk: zlib.decompress(part.content).decode("utf-8", "surrogatepass")
            for part in parts.filter(pk__in=wanted)
        }
        for row in rows:
            row.messages = [
                {"role": role, "content": "".join(texts[part] for part in ids)}
                for role, *ids in row.prompt
            ]
        calls.bulk_update(rows, ["messages"])
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    schema_editor.execute(ENABLE)


def batches(calls):
    last = 0
    while rows := list(calls.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield rows
        last = rows[-1].pk


def part_of(parts, text):
    encoded = text.encode("utf-8", "surrogatepass")
    part, _ = parts.get_or_create(
        sha256=sha256(encoded).digest(), defaults={"content": zlib.compress(encoded)}
    )
    return part.pk


class Migration(migrations.Migration):
    dependencies = [
        ("llm", "0005_names_of_prompt_sets"),
    ]

    operations = [
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
        migrations.RunSQL(STORE_EXTERNALLY, migrations.RunSQL.noop),
        migrations.RunSQL(NEVER_EDITED, EDITED),
        migrations.AddField(
            model_name="modelcallrow", name="prompt", field=models.JSONField(default=list)
        ),
        migrations.AlterField(
            model_name="modelcallrow", name="messages", field=models.JSONField(default=list)
        ),
        migrations.RunPython(split, join),
        migrations.AlterField(
            model_name="modelcallrow", name="prompt", field=models.JSONField()
        ),
        migrations.RemoveField(model_name="modelcallrow", name="messages"),
    ]
