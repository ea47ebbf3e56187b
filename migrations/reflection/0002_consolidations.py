"""Consolidations of days: reflections of a kind of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reflection", "0001_initial")]

    operations = [
        migrations.RemoveConstraint(model_name="reflectionrow", name="reflection_identity"),
        migrations.AddField(
            model_name="reflectionrow",
            name="kind",
            field=models.CharField(default="insights", max_length=20),
        ),
        migrations.AddConstraint(
            model_name="reflectionrow",
            constraint=models.UniqueConstraint(
                fields=("simulation_id", "agent", "tick", "kind"), name="reflection_identity"
            ),
        ),
    ]
