"""The reason of the speaker for a conversation that it opens."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dialogue", "0004_by_phone")]
    operations = [
        migrations.AddField("utterancerow", "intent", models.TextField(blank=True, default="")),
    ]
