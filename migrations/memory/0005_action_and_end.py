"""The kind of the action that a memory is of, and the end of an agreement that was changed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_deferred_ratings")]
    operations = [
        migrations.AddField(
            model_name="memoryrow",
            name="action",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="superseded_tick",
            field=models.IntegerField(null=True),
        ),
    ]
