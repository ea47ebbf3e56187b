"""Time of a plan for which the outline of the agent has nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("planning", "0003_acts")]
    operations = [
        migrations.AddField(
            model_name="planitemrow",
            name="free",
            field=models.BooleanField(default=False),
        ),
    ]
