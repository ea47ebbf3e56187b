"""Room for the name of the set of prompt templates before the version of a prompt."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("llm", "0004_cached_tokens"),
    ]

    operations = [
        migrations.AlterField(
            model_name="modelcallrow",
            name="wording_version",
            field=models.CharField(max_length=40),
        ),
    ]
