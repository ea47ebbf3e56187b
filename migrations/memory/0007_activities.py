"""The activities of remembered actions."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0006_repetitions"),
    ]

    operations = [
        migrations.AddField(
            model_name="memoryrow",
            name="activity",
            field=models.TextField(blank=True, default=""),
        ),
    ]
