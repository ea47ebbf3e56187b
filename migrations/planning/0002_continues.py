"""The hour that the rest of an interrupted hour continues."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("planning", "0001_initial")]
    operations = [
        migrations.AddField(
            model_name="planitemrow",
            name="continues",
            field=models.IntegerField(default=0),
        ),
    ]
