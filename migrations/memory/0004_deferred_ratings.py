"""Importance may be rated after a memory was formed; the memories so far were rated at once."""

from django.db import migrations, models

IN_BOUNDS = models.Q(rating__gte=1, rating__lte=10)


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_retrieval_row")]
    operations = [
        migrations.RemoveConstraint("memoryrow", "memory_importance_in_bounds"),
        migrations.RemoveIndex("memoryrow", "memory_perceived"),
        migrations.RenameField("memoryrow", "importance", "rating"),
        migrations.AddField("memoryrow", "rated_tick", models.IntegerField(null=True)),
        migrations.RunSQL(
            "UPDATE memory_memoryrow SET rated_tick = formed_tick", migrations.RunSQL.noop
        ),
        migrations.AddConstraint(
            "memoryrow",
            models.CheckConstraint(condition=IN_BOUNDS, name="memory_importance_in_bounds"),
        ),
        migrations.AddIndex(
            "memoryrow",
            models.Index(
                fields=["simulation_id", "agent", "formed_tick"],
                include=["rating", "rated_tick"],
                condition=models.Q(perceived=True),
                name="memory_perceived",
            ),
        ),
        migrations.AddIndex(
            "memoryrow",
            models.Index(
                fields=["simulation_id", "agent", "formed_tick"],
                condition=models.Q(rated_tick=None)
                | models.Q(rated_tick__gt=models.F("formed_tick")),
                name="memory_rated_later",
            ),
        ),
    ]
