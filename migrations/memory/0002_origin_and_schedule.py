"""The facts behind a memory: how it came about, and what its agent means to do."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]
    operations = [
        migrations.AddField(
            model_name="memoryrow",
            name="origin",
            field=models.CharField(blank=True, default="", max_length=30),
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="scheduled",
            field=models.JSONField(null=True),
        ),
    ]
