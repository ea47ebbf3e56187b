"""The importance and the act that the plan of an hour gives to each action."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("planning", "0002_continues")]
    operations = [
        migrations.AddField("planitemrow", "importance", models.IntegerField(default=0)),
        migrations.AddField(
            "planitemrow", "act", models.CharField(default="none", max_length=20)
        ),
        migrations.AddField(
            "planitemrow",
            "other",
            models.CharField(db_collation="C", default="", max_length=120),
        ),
        migrations.AddField("planitemrow", "about", models.TextField(default="")),
    ]
