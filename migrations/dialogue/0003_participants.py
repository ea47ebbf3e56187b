"""Utterances to several agents."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dialogue", "0002_changed_commitments")]
    operations = [
        migrations.AddField(
            model_name="utterancerow",
            name="participants",
            field=models.JSONField(default=list),
        ),
    ]
