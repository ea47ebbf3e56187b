"""Columns for cached and billed-equivalent tokens, filled from the recorded attempts."""

from django.db import migrations, models

TABLES = ("llm_modelcallrow", "llm_modelfailurerow")
# The price at the time of those calls is not recorded: a cached token counts half.
FILL = """
ALTER TABLE {table} DISABLE TRIGGER {table}_never_edited;
UPDATE {table} AS call SET
    cached_prompt_tokens = attempted.cached,
    billed_equivalent_tokens =
        prompt_tokens + completion_tokens - attempted.cached + round(attempted.cached / 2.0)
FROM (
    SELECT id, coalesce(sum((attempt ->> 'cached_prompt_tokens')::int), 0) AS cached
    FROM {table} LEFT JOIN LATERAL jsonb_array_elements(attempts) AS attempt ON true
    GROUP BY id
) AS attempted
WHERE call.id = attempted.id;
ALTER TABLE {table} ENABLE TRIGGER {table}_never_edited;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("llm", "0003_differences"),
    ]

    operations = [
        *(
            migrations.AddField(
                model_name=model,
                name=name,
                field=models.IntegerField(default=0),
                preserve_default=False,
            )
            for model in ("modelcallrow", "modelfailurerow")
            for name in ("cached_prompt_tokens", "billed_equivalent_tokens")
        ),
        *(
            migrations.RunSQL(FILL.format(table=table), migrations.RunSQL.noop)
            for table in TABLES
        ),
    ]
