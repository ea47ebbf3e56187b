"""The differences between the answer of a model and the answer that is done."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("llm", "0002_budgets_and_embedding_calls"),
    ]

    operations = [
        migrations.AddField(
            model_name="modelcallrow",
            name="differences",
            field=models.JSONField(default=list),
        ),
    ]
