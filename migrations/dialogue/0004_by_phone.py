"""Conversations on the telephone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dialogue", "0003_participants")]
    operations = [
        migrations.AddField(
            model_name=model,
            name="by_phone",
            field=models.BooleanField(default=False),
        )
        for model in ("utterancerow", "talkrow")
    ]
