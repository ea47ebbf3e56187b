"""The kind of an action, which only its description told until now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0003_stays")]
    operations = [
        migrations.AddField(
            model_name="actionrow",
            name="kind",
            field=models.CharField(default="planned", max_length=20),
        ),
    ]
