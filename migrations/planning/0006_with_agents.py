"""The agents with whom a planned action is done."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("planning", "0005_reused_hours")]
    operations = [
        migrations.AddField("planitemrow", "with_agents", models.JSONField(default=list)),
    ]
